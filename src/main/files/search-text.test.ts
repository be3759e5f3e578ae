/** Finding files and text in a real workspace: what is found, and that nothing outside ever is. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OutsideWorkspaceError } from "./file-error.ts";
import { makeLinked, makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

describe("glob", () => {
  const paths = async (found: Promise<{ files: { relativePath: string }[] }>) =>
    (await found).files.map((file) => file.relativePath);

  it("finds by pattern, by literal name and by real path, sorted", async () => {
    const { files, root } = makeLinked();
    expect(await paths(files.glob("**/*.ts"))).toEqual(["src/deep/code.ts"]);
    expect(await paths(files.glob("*.txt"))).toEqual(["a..b.txt", "in.txt"]);
    expect(await paths(files.glob("app/[...slug].tsx"))).toEqual(["app/[...slug].tsx"]);
    expect(await paths(files.glob(`${root}/src/**`))).toEqual(["src/deep/code.ts"]);
    expect(await paths(files.glob("*.ts", { path: "src/deep" }))).toEqual(["src/deep/code.ts"]);
    expect(await paths(files.glob("src/deep/code.ts", { path: "/" }))).toEqual(["src/deep/code.ts"]);
    expect(await paths(files.glob("srclink/**"))).toEqual(["src/deep/code.ts"]);
  });

  it("neither climbs out nor follows a link out", async () => {
    const { files, outside } = makeLinked();
    for (const pattern of ["../outside/*", "dirlink/*", `${outside}/*`, "/*", "src/../../outside/*"]) {
      await expect(files.glob(pattern), pattern).rejects.toBeInstanceOf(OutsideWorkspaceError);
    }
    expect(await paths(files.glob("**/secret*"))).toEqual([]);
    expect(await paths(files.glob("*/../../outside/*"))).toEqual([]);
    await expect(files.glob("../root/*", { path: outside, allowOutside: true })).rejects.toBeInstanceOf(
      OutsideWorkspaceError,
    );
  });

  it("leaves generated folders out unless they are named, stops at the cap, and refuses patterns that explode", async () => {
    const { files, put } = makeLinked();
    put("node_modules/pkg/index.ts", "");
    put(".git/config.ts", "");
    expect(await paths(files.glob("**/*.ts"))).toEqual(["src/deep/code.ts"]);
    expect(await paths(files.glob("node_modules/**/*.ts"))).toEqual(["node_modules/pkg/index.ts"]);
    expect(await files.glob("*.txt", { maxResults: 1 })).toMatchObject({
      truncated: true,
      files: { length: 1 },
    });
    expect(await files.glob("*.txt", { maxResults: 2 })).toMatchObject({ truncated: false });
    await expect(files.glob("*a*a*a*a*a*a*a*a*b")).rejects.toMatchObject({ code: "invalid-path" });
  });
});

describe("grep", () => {
  it("finds literal text by line, within a folder, a file or a glob", async () => {
    const { files, root } = makeLinked();
    const all = await files.grep("needle");
    expect(all.matches.map((match) => [match.relativePath, match.line, match.text])).toEqual([
      ["in.txt", 1, "inside needle"],
      ["app/[...slug].tsx", 1, "slug needle"],
      ["src/deep/code.ts", 2, "two needle"],
    ]);
    expect((await files.grep("needle", { path: "src" })).matches[0]?.path).toBe(
      join(root, "src/deep/code.ts"),
    );
    expect((await files.grep("needle", { path: "in.txt" })).matches).toHaveLength(1);
    expect((await files.grep("needle", { glob: "*.ts" })).matches).toHaveLength(1);
    expect((await files.grep("needle", { glob: "src/**/*.ts" })).matches).toHaveLength(1);
    expect((await files.grep("n.*e")).matches).toHaveLength(0);
  });

  it("skips binaries and generated folders, cuts long lines and stops at the cap", async () => {
    const { root, put } = makeWorkspace();
    const files = createWorkspaceFiles(root);
    put("a.bin", Buffer.from("needle\0"));
    put("node_modules/x.js", "needle");
    put("long.txt", `${"x".repeat(5_000)}needle${"y".repeat(5_000)}`);
    const [match] = (await files.grep("needle")).matches;
    expect(match?.relativePath).toBe("long.txt");
    expect(match?.text).toContain("needle");
    expect(match?.text.length).toBeLessThan(510);
    put("many.txt", "needle\n".repeat(50));
    expect(await files.grep("needle", { maxResults: 10 })).toMatchObject({
      truncated: true,
      matches: { length: 10 },
    });
  });

  it("leaves files out that it is told to, counts them, and looks into one that is the start itself", async () => {
    const { root, put } = makeWorkspace();
    for (const path of [".env", "a.txt", "keys/b.pem"]) put(path, "needle");
    const files = createWorkspaceFiles(root);
    const leavesOut = (path: string) => /\.env$|\.pem$/.test(path);
    const found = await files.grep("needle", { leavesOut });
    expect(found.matches.map((match) => match.relativePath)).toEqual(["a.txt"]);
    expect(found.leftOut).toBe(2);
    expect((await files.grep("needle", { leavesOut, glob: ".env" })).matches).toEqual([]);
    expect((await files.grep("needle", { leavesOut, path: "keys" })).matches).toEqual([]);
    expect((await files.grep("needle", { leavesOut, path: ".env" })).matches).toHaveLength(1);
  });

  it("leaves out what is a private key by its words, whether or not it would match", async () => {
    const { root, put } = makeWorkspace();
    put("notes.txt", `-----BEGIN ${"EC"} PRIVATE KEY-----\nneedle\n`);
    put("a.txt", "needle");
    const files = createWorkspaceFiles(root);
    const found = await files.grep("needle");
    expect(found).toMatchObject({ leftOut: 1, matches: [{ relativePath: "a.txt" }] });
    expect(await files.grep("nothing")).toMatchObject({ leftOut: 1, matches: [] });
    expect((await files.grep("needle", { path: "notes.txt" })).matches).toHaveLength(1);
  });

  it("can be stopped", async () => {
    const { files } = makeLinked();
    const stopped = AbortSignal.abort(new Error("stopped by the person"));
    await expect(files.grep("needle", { signal: stopped })).rejects.toThrow("stopped by the person");
  });
});
