/** Choosing a workspace folder and finding paths in it, on a real disk. */
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join, parse } from "node:path";
import { describe, expect, it } from "vitest";
import { browseFolders, openWorkspace } from "./open-workspace.ts";
import { searchPaths } from "./search-paths.ts";
import { makeWorkspace, runUnprivileged } from "./testing/test-workspace.ts";

describe("openWorkspace", () => {
  it("gives the real path and name, through links and `~`", async () => {
    const { root, base } = makeWorkspace();
    symlinkSync(root, join(base, "link"));
    expect(await openWorkspace(join(base, "link"))).toEqual({ path: root, name: "root", writable: true });
    expect((await openWorkspace("~")).path).toBe((await openWorkspace(homedir())).path);
  });

  it("takes a backslash behind `~` for what it is on each system", async () => {
    // Off Windows the name that is looked for holds it, so the message tells what it was taken for.
    await expect(openWorkspace("~\\absent", "win32")).rejects.toThrow("There is no folder ~\\absent");
    await expect(openWorkspace("~\\absent", "linux")).rejects.toMatchObject({ code: "invalid-path" });
  });

  it("says what is wrong with a missing path, a file and a relative path", async () => {
    const { root, put } = makeWorkspace();
    await expect(openWorkspace(join(root, "absent"))).rejects.toThrow(/There is no folder .*absent/);
    await expect(openWorkspace(put("a.txt", ""))).rejects.toMatchObject({ code: "not-a-folder" });
    await expect(openWorkspace("somewhere")).rejects.toMatchObject({ code: "invalid-path" });
  });

  it.skipIf(process.platform === "win32")(
    "refuses an unreadable folder and flags one without write permission",
    async () => {
      const { root, base } = makeWorkspace();
      mkdirSync(join(root, "closed"), { mode: 0o000 });
      chmodSync(base, 0o755);
      chmodSync(root, 0o555);
      const tries = `await openWorkspace(${JSON.stringify(join(root, "closed"))}).catch((error) => console.log(error.message));
      console.log((await openWorkspace(${JSON.stringify(root)})).writable);`;
      const said = runUnprivileged("open-workspace.ts", "openWorkspace", tries);
      chmodSync(root, 0o755);
      expect(said).toMatch(/closed may not be read.*\nfalse\n$/);
    },
  );
});

describe("browseFolders", () => {
  it("lists folders only, hidden ones last, with the way up", async () => {
    const { root, base, put } = makeWorkspace();
    put("b/x", "");
    put("a/x", "");
    put(".hidden/x", "");
    put("file", "");
    symlinkSync(join(root, "a"), join(root, "to-a"));
    expect(await browseFolders(root)).toEqual({
      path: root,
      parent: base,
      folders: ["a", "b", "to-a", ".hidden"].map((name) => join(root, name)),
      drives: [],
      writable: true,
    });
    expect(await browseFolders("/")).toMatchObject({ parent: null });
  });

  it("lists the drives of Windows at the top of one, also one that does not answer, and nowhere else", async () => {
    const { root } = makeWorkspace();
    const asked: string[] = [];
    const isThere = (drive: string) => {
      asked.push(drive);
      return drive === "Z:\\" ? new Promise<boolean>(() => {}) : Promise.resolve("CD".includes(drive[0]!));
    };
    const top = await browseFolders(parse(root).root, { platform: "win32", isThere });
    expect(top).toMatchObject({ parent: null, drives: ["C:\\", "D:\\", "Z:\\"] });
    expect(asked).toHaveLength(26);
    expect((await browseFolders(root, { platform: "win32", isThere })).drives).toEqual([]);
    expect((await browseFolders(parse(root).root, { platform: "linux", isThere })).drives).toEqual([]);
    expect(asked).toHaveLength(26);
  });

  it.runIf(process.platform === "win32")("finds the drives that are there", async () => {
    const { root } = parse(homedir());
    expect((await browseFolders(root)).drives).toContain(root);
  });
});

const search = async (root: string, query: string, limit: number) =>
  (await searchPaths(root, query, limit, () => false)).paths;

describe("searchPaths", () => {
  it("puts the file that is meant first and leaves out what does not fit", async () => {
    const { root, put } = makeWorkspace();
    for (const path of [
      "src/main/host/create-host.ts",
      "src/main/files/chart.ts",
      "docs/chrome-toast.md",
      "README.md",
      "node_modules/create-host/index.js",
    ])
      put(path, "");
    expect((await search(root, "createhost", 5))[0]).toBe("src/main/host/create-host.ts");
    expect((await search(root, "readme", 5))[0]).toBe("README.md");
    expect((await search(root, "host/", 5))[0]).toBe("src/main/host/");
    expect((await search(root, "cht", 5))[0]).not.toBe("README.md");
    expect(await search(root, "zzz", 5)).toEqual([]);
    expect(await search(root, "", 2)).toHaveLength(2);
    expect((await search(root, "create-host", 50)).join()).not.toContain("node_modules");
  });

  it("never follows a link out of the workspace", async () => {
    const { root, outside } = makeWorkspace();
    symlinkSync(outside, join(root, "out"));
    expect(await search(root, "secret", 5)).toEqual([]);
  });
});
