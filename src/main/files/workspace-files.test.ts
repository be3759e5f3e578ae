/** The workspace file system against a real disk: what it can reach, and that nothing else can be reached through it. */

import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { FileError, OutsideWorkspaceError } from "./file-error.ts";
import { makeLinked, makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const isWindows = process.platform === "win32";
const secret = "TOP SECRET needle";

describe("paths", () => {
  it("takes relative paths, real paths inside, and names that hold dots or brackets", async () => {
    const { files, root } = makeLinked();
    for (const path of ["in.txt", "./src/../in.txt", join(root, "in.txt"), "inlink"]) {
      expect((await files.read(path)).text).toBe("inside needle");
    }
    expect((await files.read("a..b.txt")).text).toBe("dots");
    expect((await files.read("app/[...slug].tsx")).relativePath).toBe("app/[...slug].tsx");
    expect((await files.read("srclink/deep/code.ts")).path).toBe(join(root, "src/deep/code.ts"));
  });

  it("refuses every way out, for reading, listing and changing", async () => {
    const { files, outside, base } = makeLinked();
    const ways = [
      "../outside/secret.txt",
      join(outside, "secret.txt"),
      "dirlink/secret.txt",
      "filelink",
      "dirlink/../outside/secret.txt",
      "src/../../outside/secret.txt",
      "/secret.txt",
      "~/secret.txt",
      `${base}/root/../outside/secret.txt`,
    ];
    for (const path of ways) {
      await expect(files.read(path), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
      await expect(files.readRaw(path), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
      await expect(files.write(path, "x"), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
      await expect(files.edit(path, { oldString: "TOP", newString: "x" }), path).rejects.toBeInstanceOf(
        OutsideWorkspaceError,
      );
    }
    for (const path of ["dirlink", "..", outside, "~"]) {
      await expect(files.list(path), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
      await expect(files.grep("needle", { path }), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
      await expect(files.glob("*", { path }), path).rejects.toBeInstanceOf(OutsideWorkspaceError);
    }
    await expect(files.write("dangling", "x")).rejects.toBeInstanceOf(OutsideWorkspaceError);
    await expect(files.write("dirlink/new.txt", "x")).rejects.toBeInstanceOf(OutsideWorkspaceError);
    await expect(files.delete("dirlink/secret.txt")).rejects.toBeInstanceOf(OutsideWorkspaceError);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(secret);
    expect(existsSync(join(outside, "new.txt"))).toBe(false);
  });

  it.skipIf(isWindows)(
    "resolves `..` after a link as the kernel does, so that a path means what it means to the shell",
    async () => {
      const { files, root, outside, put } = makeLinked();
      mkdirSync(join(outside, "sub"));
      symlinkSync(join(outside, "sub"), join(root, "sublink"));
      put("secret.txt", "harmless");
      await expect(files.read("sublink/../secret.txt")).rejects.toBeInstanceOf(OutsideWorkspaceError);
      const seenByKernel = readFileSync(`${root}/sublink/../secret.txt`, "utf8");
      const seen = await files.read("sublink/../secret.txt", { allowOutside: true });
      expect(seen.text).toBe(seenByKernel);
    },
  );

  it("goes outside only in the call that was allowed to", async () => {
    const { files, outside } = makeLinked();
    const path = join(outside, "secret.txt");
    expect((await files.read(path, { allowOutside: true })).text).toBe(secret);
    const written = await files.write(join(outside, "new/note.txt"), "hello", { allowOutside: true });
    expect(written).toMatchObject({ inside: false, relativePath: join(outside, "new/note.txt") });
    expect(readFileSync(join(outside, "new/note.txt"), "utf8")).toBe("hello");
    await expect(files.read(path)).rejects.toBeInstanceOf(OutsideWorkspaceError);
    expect((await files.resolve("~")).path).toBe(homedir());
  });

  it("tells nothing about what exists outside", async () => {
    const { files, outside } = makeLinked();
    const messages = await Promise.all(
      ["secret.txt", "absent.txt", "secret.txt/below"].map((name) =>
        files.read(join(outside, name)).catch((cause: Error) => cause.message.replaceAll(name, "NAME")),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it("keeps any composed path inside or refuses it, and never changes the outside", async () => {
    const { files, outside, root } = makeLinked();
    const name = fc.constantFrom(
      "..",
      ".",
      "",
      "dirlink",
      "filelink",
      "srclink",
      "src",
      "deep",
      "dangling",
      "new",
      "secret.txt",
      "outside",
      "~",
      "a..b",
    );
    const path = fc.tuple(
      fc.constantFrom("", "/", `${root}/`, `${outside}/`, "~/"),
      fc.array(name, { minLength: 1, maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(path, async ([start, names]) => {
        const asked = start + names.join("/");
        try {
          const plan = await files.write(asked, "written");
          expect(plan.path.startsWith(root + sep)).toBe(true);
          expect(readFileSync(plan.path, "utf8")).toBe("written");
        } catch (cause) {
          expect(cause).toBeInstanceOf(FileError);
        }
        expect(
          await files.read(asked).then(
            (file) => file.text,
            () => "",
          ),
        ).not.toBe(secret);
        expect(readdirSync(outside)).toEqual(["secret.txt"]);
      }),
      { numRuns: runsOf(150) },
    );
  });
});

describe("races", () => {
  it("never reads or writes through a folder that is swapped for a link all the while", async () => {
    const { root, outside, put } = makeWorkspace();
    put("work/sub/secret.txt", "mine");
    mkdirSync(join(outside, "sub"));
    writeFileSync(join(outside, "sub/secret.txt"), secret);
    const files = createWorkspaceFiles(root);
    const swapper = `
      const fs = require("node:fs");
      const [work, spare, outside] = process.argv.slice(1);
      for (;;) {
        try { fs.renameSync(work, spare); fs.symlinkSync(outside, work); } catch {}
        try { fs.unlinkSync(work); fs.renameSync(spare, work); } catch {}
      }`;
    const child = spawn(process.execPath, ["-e", swapper, join(root, "work"), join(root, "spare"), outside]);
    const seen = { fine: 0, refused: 0 };
    try {
      for (let round = 0; round < 2_000 && (round < 300 || seen.fine === 0 || seen.refused === 0); round++) {
        const read = files.read("work/sub/secret.txt").then((file) => file.text);
        const write = files.write("work/sub/fresh.txt", `round ${round}`);
        for (const outcome of await Promise.allSettled([read, write])) {
          if (outcome.status === "fulfilled") {
            seen.fine++;
            expect(outcome.value).not.toBe(secret);
          } else {
            seen.refused++;
            expect(outcome.reason).toBeInstanceOf(FileError);
          }
        }
      }
    } finally {
      child.kill("SIGKILL");
    }
    expect(seen.fine).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    expect(readdirSync(join(outside, "sub"))).toEqual(["secret.txt"]);
  });

  it("refuses when the workspace folder itself was replaced by a link", async () => {
    const { root, base, outside } = makeWorkspace();
    const files = createWorkspaceFiles(root);
    renameSync(root, join(base, "moved"));
    symlinkSync(outside, root);
    await expect(files.read("secret.txt")).rejects.toBeInstanceOf(OutsideWorkspaceError);
    await expect(files.list("/")).rejects.toBeInstanceOf(FileError);
  });
});

describe("reading and listing", () => {
  it("lists a folder, the workspace for `/`, and says of a link out only that it is one", async () => {
    const { files } = makeLinked();
    const { entries } = await files.list("/");
    expect(entries.map((entry) => [entry.relativePath, entry.kind])).toEqual([
      ["a..b.txt", "file"],
      ["app", "folder"],
      ["dangling", "link"],
      ["dirlink", "link"],
      ["filelink", "link"],
      ["in.txt", "file"],
      ["inlink", "file"],
      ["src", "folder"],
      ["srclink", "folder"],
    ]);
    expect((await files.list("src")).entries[0]?.relativePath).toBe("src/deep");
    await expect(files.list("in.txt")).rejects.toMatchObject({ code: "not-a-folder" });
  });

  it("tells text from binary, and refuses what is missing, a folder or too large", async () => {
    const { root, put } = makeWorkspace();
    const files = createWorkspaceFiles(root, { maxFileBytes: 1_000 });
    put("latin.txt", Buffer.from([0x63, 0xe9]));
    put("bom.txt", "\ufeffhi");
    put("large.txt", "x".repeat(1_001));
    expect((await files.readRaw("latin.txt")).text).toBeNull();
    expect((await files.read("bom.txt")).text).toBe("\ufeffhi");
    const refusals = {
      "latin.txt": "binary",
      "large.txt": "too-large",
      absent: "not-found",
      ".": "not-a-file",
      // Windows does not tell a file on the way from nothing on the way.
      "bom.txt/x": isWindows ? "not-found" : "not-a-folder",
      "a\0b": "invalid-path",
    };
    for (const [path, code] of Object.entries(refusals)) {
      await expect(files.read(path), path).rejects.toMatchObject({ code });
    }
  });
});

it.skipIf(isWindows)("refuses to read a pipe, which would wait for ever", async () => {
  const { root } = makeWorkspace();
  execFileSync("mkfifo", [join(root, "pipe")]);
  await expect(createWorkspaceFiles(root).read("pipe")).rejects.toMatchObject({ code: "not-a-file" });
});

describe("deleting", () => {
  it("removes the link, never what it leads to, and folders whole", async () => {
    const { files, root, outside } = makeLinked();
    expect(await files.delete("filelink")).toMatchObject({ found: "link", path: join(root, "filelink") });
    await files.delete("dirlink");
    expect(existsSync(join(outside, "secret.txt"))).toBe(true);
    expect(await files.delete("src")).toMatchObject({ found: "folder", count: 2 });
    expect(existsSync(join(root, "src"))).toBe(false);
    await expect(files.delete("src")).rejects.toMatchObject({ code: "not-found" });
    expect(readdirSync(root).filter((name) => name.startsWith(".countersign"))).toEqual([]);
  });

  it("refuses to delete the workspace or a folder that holds it", async () => {
    const { files, root, base } = makeLinked();
    await expect(files.delete(".")).rejects.toMatchObject({ code: "invalid-path" });
    await expect(files.delete(root)).rejects.toMatchObject({ code: "invalid-path" });
    await expect(files.delete(base, { allowOutside: true })).rejects.toMatchObject({ code: "invalid-path" });
    expect(existsSync(join(root, "in.txt"))).toBe(true);
  });
});

it("says plainly when the workspace does not exist", () => {
  const { base } = makeWorkspace();
  rmSync(base, { recursive: true });
  expect(() => createWorkspaceFiles(base)).toThrow(/does not exist/);
});
