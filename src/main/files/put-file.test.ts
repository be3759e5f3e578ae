/** Replacing a file on a real disk as each system's manners want it, and what is said when something stays behind. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { howToGiveAccess, toFileError } from "./file-error.ts";
import { pinFolder } from "./pinned-folder.ts";
import { putFile } from "./put-file.ts";
import { makeWorkspace, runUnprivileged } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const isWindows = process.platform === "win32";
const confirm = async () => {};

async function replace(platform: NodeJS.Platform, before: string, after: string) {
  const { root, put } = makeWorkspace();
  const { uid, gid, mode } = statSync(put("a.txt", before));
  const folder = await pinFolder(root);
  onTestFinished(() => folder.close());
  const options = { mode: mode & 0o777, owner: { uid, gid }, confirm, platform };
  await putFile(folder, "a.txt", Buffer.from(after), options);
  return { text: readFileSync(join(root, "a.txt"), "utf8"), names: readdirSync(root) };
}

describe("a file that is replaced", () => {
  // On Linux the copy itself is made as it is on a Mac; which attributes come with it only the other systems can show.
  it.each(["linux", "darwin", "win32"] as const)("holds the new text alone, as on %s", async (platform) => {
    for (const [before, after] of [
      ["much longer than what comes", "short"],
      ["x", "longer"],
      ["same", ""],
    ] as const)
      expect(await replace(platform, before, after)).toEqual({ text: after, names: ["a.txt"] });
  });

  it.runIf(isWindows)("keeps the attributes that Windows knows of it", async () => {
    const { root, put } = makeWorkspace();
    const path = put("hidden.txt", "one");
    const attrib = join(process.env.SystemRoot ?? "", "System32", "attrib.exe");
    execFileSync(attrib, ["+h", path]);
    await createWorkspaceFiles(root).write("hidden.txt", "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(execFileSync(attrib, [path], { encoding: "utf8" })).toMatch(/^A?\s+H\s/);
  });

  it.runIf(isWindows)(
    "waits for a program that has it open, or names it and leaves nothing behind",
    async () => {
      const { root, put } = makeWorkspace();
      const path = put("open.txt", "one");
      const files = createWorkspaceFiles(root);
      const other = openSync(path, "r");
      await expect(files.write("open.txt", "two")).rejects.toThrow(
        "open.txt could not be changed: another program",
      );
      expect([readFileSync(path, "utf8"), readdirSync(root)]).toEqual(["one", ["open.txt"]]);
      const waiting = files.write("open.txt", "two");
      await vi.waitFor(() => expect(readdirSync(root)).toHaveLength(2));
      closeSync(other);
      await waiting;
      expect([readFileSync(path, "utf8"), readdirSync(root)]).toEqual(["two", ["open.txt"]]);
    },
  );
});

describe.skipIf(isWindows)("what the system keeps from being cleared away", () => {
  /** Runs in a folder of a person whom permissions bind, and hands back what was printed, and the folder's names. */
  function inOwnFolder(module: string, name: string, code: string) {
    const { root, base } = makeWorkspace();
    chmodSync(base, 0o755);
    chmodSync(root, 0o777);
    const own = join(root, "own");
    const start = `const { mkdirSync, writeFileSync, chmodSync } = await import("node:fs");
      const own = ${JSON.stringify(own)}; mkdirSync(own);`;
    onTestFinished(() => void execFileSync("chmod", ["-R", "u+w", root]));
    return { said: runUnprivileged(module, name, start + code), own, names: readdirSync(own) };
  }

  it("is named when a write fails", () => {
    const { said, own, names } = inOwnFolder(
      "put-file.ts",
      "putFile",
      `const folder = { path: own, at: (name) => own + "/" + name };
       const confirm = async () => { chmodSync(own, 0o555); throw new Error("no more"); };
       await putFile(folder, "a.txt", Buffer.from("two"), { owner: null, confirm }).catch((error) => console.log(error.message));`,
    );
    expect(names).toHaveLength(1);
    expect(said).toMatch(/no more/);
    expect(said).toContain(`The attempt left ${join(own, names[0] ?? "")}, which can be deleted.`);
  });

  it.runIf(process.platform === "linux")(
    "is not an empty file where there are no links and the name cannot be taken either",
    async () => {
      const { root, outside } = makeWorkspace();
      // Two disks, between which nothing can be linked or moved.
      const elsewhere = mkdtempSync("/dev/shm/countersign-");
      onTestFinished(() => rmSync(elsewhere, { recursive: true }));
      const folder = await pinFolder(root);
      onTestFinished(() => folder.close());
      const torn = { ...folder, at: (name: string) => join(name === "a.txt" ? outside : elsewhere, name) };
      await expect(putFile(torn, "a.txt", Buffer.from("x"), { owner: null, confirm })).rejects.toThrow(
        "EXDEV",
      );
      expect([readdirSync(outside), readdirSync(elsewhere)]).toEqual([["secret.txt"], []]);
    },
  );

  it("has its name again when a folder could not be deleted whole", () => {
    const { said, own, names } = inOwnFolder(
      "workspace-files.ts",
      "createWorkspaceFiles",
      `mkdirSync(own + "/dir/sealed", { recursive: true });
       writeFileSync(own + "/dir/sealed/x", "kept");
       chmodSync(own + "/dir/sealed", 0o555);
       await createWorkspaceFiles(own).delete("dir").catch((error) => console.log(error.code, error.message));`,
    );
    expect(names).toEqual(["dir"]);
    expect(readFileSync(join(own, "dir/sealed/x"), "utf8")).toBe("kept");
    expect(said).toMatch(/^permission .*still there under its name/);
  });
});

describe("a folder that the system cannot hold open", () => {
  it("is synced all the same where it can be opened", async () => {
    const { root } = makeWorkspace();
    const probe = await open(root);
    const synced = vi.spyOn(Object.getPrototypeOf(probe), "sync");
    onTestFinished(() => synced.mockRestore());
    await probe.close();
    const folder = await pinFolder(root, false);
    await folder.sync();
    expect(synced).toHaveBeenCalledTimes(1);
    rmdirSync(root);
    await folder.sync();
    expect(synced).toHaveBeenCalledTimes(1);
  });
});

describe("a refusal of macOS", () => {
  it("names the place in the settings, and a permission that is missing is none", () => {
    const refused = (code: string) => Object.assign(new Error(code), { code });
    const place = "System Settings → Privacy & Security → Files and Folders";
    expect(toFileError(refused("EPERM"), "~/Documents/a", "darwin").message).toContain(place);
    for (const [code, platform] of [
      ["EACCES", "darwin"],
      ["EPERM", "linux"],
      ["EPERM", "win32"],
    ] as const)
      expect(toFileError(refused(code), "a", platform).message).toContain("change its permissions");
    expect(howToGiveAccess("EPERM", "darwin")).toContain(place);
  });
});
