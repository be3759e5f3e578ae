/** Planning and applying file changes on a real disk: what was shown is what is written, whole or not at all. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mountSmallDisk } from "../base/testing/small-disk.ts";
import type { ChangeObserver } from "./change-observer.ts";
import type { FileChangeRequest } from "./file-change.ts";
import { StaleFileError } from "./file-error.ts";
import { makeWorkspace, runUnprivileged } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const isWindows = process.platform === "win32";

function setUp() {
  const workspace = makeWorkspace();
  return { ...workspace, files: createWorkspaceFiles(workspace.root, { maxDiffBytes: 10_000 }) };
}

const write = (path: string, content: string): FileChangeRequest => ({ operation: "write", path, content });

/** Runs something at the last moment before the effect. */
function justBefore(act: () => void): ChangeObserver {
  return { beforeChange: async () => act(), afterChange: async () => {} };
}

describe("planning", () => {
  it("shows the text before and after with line counts, and changes nothing", async () => {
    const { files, put } = setUp();
    const path = put("a.txt", "one\ntwo\nthree\n");
    expect(
      await files.planChange({
        operation: "edit",
        path: "a.txt",
        oldString: "two\n",
        newString: "2\nzwei\n",
      }),
    ).toMatchObject({
      path,
      relativePath: "a.txt",
      found: "file",
      before: "one\ntwo\nthree\n",
      after: "one\n2\nzwei\nthree\n",
      added: 2,
      removed: 1,
      tooLarge: false,
      binary: false,
    });
    expect(await files.planChange(write("new/b.txt", "x\ny"))).toMatchObject({
      found: "nothing",
      before: null,
      beforeHash: null,
      after: "x\ny",
      added: 2,
      removed: 0,
    });
    expect(await files.planChange({ operation: "delete", path: "a.txt" })).toMatchObject({
      after: null,
      afterHash: null,
      added: 0,
      removed: 3,
    });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("says of a binary or a large file that it is one instead of showing it", async () => {
    const { files, put } = setUp();
    put("a.png", Buffer.from([0x89, 0x50, 0, 1]));
    put("big.txt", "line\n".repeat(3_000));
    expect(await files.planChange(write("a.png", "text"))).toMatchObject({
      binary: true,
      before: null,
      after: null,
    });
    expect(await files.planChange(write("big.txt", "line\n"))).toMatchObject({
      tooLarge: true,
      before: null,
      after: null,
      added: 0,
      removed: 2_999,
    });
  });

  it("refuses an edit whose text is missing, ambiguous or not text, saying what to do", async () => {
    const { files, put } = setUp();
    put("a.txt", "x x");
    put("a.bin", Buffer.from([1, 0]));
    const edit = (path: string, oldString: string, replaceAll = false) =>
      files.planChange({ operation: "edit", path, oldString, newString: "y", replaceAll });
    await expect(edit("a.txt", "z")).rejects.toThrow(/not found in a.txt/);
    await expect(edit("a.txt", "x")).rejects.toThrow(/2 times/);
    await expect(edit("a.txt", "")).rejects.toMatchObject({ code: "no-match" });
    await expect(edit("a.bin", "z")).rejects.toMatchObject({ code: "binary" });
    await expect(edit("none", "z")).rejects.toMatchObject({ code: "not-found" });
    expect(await edit("a.txt", "x", true)).toMatchObject({ after: "y y", count: 2 });
  });

  it("keeps the line endings of a file that ends every line in CRLF", async () => {
    const { files, put } = setUp();
    put("dos.txt", "a\r\nb\r\n");
    const plan = await files.planChange({
      operation: "edit",
      path: "dos.txt",
      oldString: "a\nb",
      newString: "a\nnew\nb",
    });
    expect(plan.after).toBe("a\r\nnew\r\nb\r\n");
  });
});

describe("applying", () => {
  it("writes exactly what was planned, makes folders, leaves nothing else behind", async () => {
    const { files, root, put } = setUp();
    put("run.sh", "old");
    for (const request of [write("run.sh", "new"), write("x/y/z.txt", "deep"), write("inlink.txt", "n")]) {
      const plan = await files.planChange(request);
      const applied = await files.applyChange(request, {
        path: plan.path,
        beforeHash: plan.beforeHash,
        afterHash: plan.afterHash,
      });
      expect(applied).toEqual(plan);
      expect(readFileSync(plan.path, "utf8")).toBe(plan.after);
    }
    expect(readdirSync(root).sort()).toEqual(["inlink.txt", "run.sh", "x"]);
  });

  it.skipIf(isWindows)("keeps the mode of a file", async () => {
    const { files, put } = setUp();
    const script = put("run.sh", "old");
    chmodSync(script, 0o755);
    await files.write("run.sh", "new");
    expect(statSync(script).mode & 0o777).toBe(0o755);
  });

  it("is refused when the file changed, appeared, vanished or leads elsewhere since", async () => {
    const cases: [string, FileChangeRequest, (root: string, outside: string) => void][] = [
      ["changed", write("a.txt", "agent"), (root) => writeFileSync(join(root, "a.txt"), "person")],
      ["appeared", write("b.txt", "agent"), (root) => writeFileSync(join(root, "b.txt"), "person")],
      ["vanished", write("a.txt", "agent"), (root) => unlinkSync(join(root, "a.txt"))],
      [
        "edited away",
        { operation: "edit", path: "a.txt", oldString: "orig", newString: "x" },
        (root) => writeFileSync(join(root, "a.txt"), "person"),
      ],
      [
        "vanished before delete",
        { operation: "delete", path: "a.txt" },
        (root) => unlinkSync(join(root, "a.txt")),
      ],
      [
        "changed before delete",
        { operation: "delete", path: "a.txt" },
        (root) => writeFileSync(join(root, "a.txt"), "person"),
      ],
      [
        "folder grew before delete",
        { operation: "delete", path: "dir" },
        (root) => writeFileSync(join(root, "dir/more"), ""),
      ],
      [
        "other link target",
        write("link", "agent"),
        (root) => {
          unlinkSync(join(root, "link"));
          symlinkSync("dir/inner.txt", join(root, "link"));
        },
      ],
    ];
    for (const [what, request, meanwhile] of cases) {
      for (const late of [false, true]) {
        const { files, root, outside, put } = setUp();
        put("a.txt", "original");
        put("dir/inner.txt", "original");
        symlinkSync("a.txt", join(root, "link"));
        const plan = await files.planChange(request);
        const act = () => meanwhile(root, outside);
        // A link that moves after the last resolution does not matter: the resolved file is what is replaced.
        if (late && what === "other link target") continue;
        if (!late) act();
        const options = late ? { observer: justBefore(act) } : {};
        const outcome = files.applyChange(request, plan, options);
        await expect(outcome, `${what}, late: ${late}`).rejects.toBeInstanceOf(StaleFileError);
        for (const name of ["a.txt", "b.txt", "dir/inner.txt"])
          if (existsSync(join(root, name)))
            expect(readFileSync(join(root, name), "utf8"), what).not.toContain("agent");
        expect(
          readdirSync(root).filter((name) => name.startsWith(".countersign")),
          what,
        ).toEqual([]);
      }
    }
  });

  it("does not follow a folder that became a link between plan and effect, before or after the check", async () => {
    for (const late of [false, true]) {
      const { files, root, outside, base, put } = setUp();
      put("work/sub/secret.txt", "mine");
      mkdirSync(join(outside, "sub"));
      writeFileSync(join(outside, "sub/secret.txt"), "TOP SECRET");
      const swap = () => {
        renameSync(join(root, "work"), join(base, "moved"));
        symlinkSync(outside, join(root, "work"));
      };
      for (const request of [
        write("work/sub/secret.txt", "evil"),
        { operation: "delete", path: "work/sub/secret.txt" } as const,
      ]) {
        const plan = await files.planChange(request);
        if (!late) swap();
        await expect(
          files.applyChange(request, plan, late ? { observer: justBefore(swap) } : {}),
        ).rejects.toThrow(/leads|outside/);
        expect(readFileSync(join(outside, "sub/secret.txt"), "utf8")).toBe("TOP SECRET");
        unlinkSync(join(root, "work"));
        renameSync(join(base, "moved"), join(root, "work"));
      }
      expect(readdirSync(join(outside, "sub"))).toEqual(["secret.txt"]);
    }
  });

  it("refuses another content than was approved", async () => {
    const { files, root } = setUp();
    const plan = await files.planChange(write("a.txt", "shown"));
    await expect(files.applyChange(write("a.txt", "other"), plan)).rejects.toBeInstanceOf(StaleFileError);
    expect(readdirSync(root)).toEqual([]);
  });

  it("changes nothing when the original cannot be kept", async () => {
    const { files, put } = setUp();
    const path = put("a.txt", "original");
    const observer = justBefore(() => {
      throw new Error("no room for the original");
    });
    await expect(files.write("a.txt", "new", { observer })).rejects.toThrow("no room");
    await expect(files.delete("a.txt", { observer })).rejects.toThrow("no room");
    expect(readFileSync(path, "utf8")).toBe("original");
  });
});

describe("what the system refuses", () => {
  it("is a permission error with advice for a read-only file or folder, and nothing is left behind", async () => {
    const { root, base, put } = setUp();
    const locked = put("locked.txt", "keep");
    mkdirSync(join(root, "sealed"));
    chmodSync(locked, 0o444);
    chmodSync(join(root, "sealed"), 0o555);
    chmodSync(root, 0o777);
    chmodSync(base, 0o755);
    // Windows has no folders that take no file, unless an access list says so.
    const refused = isWindows ? ["locked.txt"] : ["locked.txt", "sealed/new.txt"];
    const tries = `const files = createWorkspaceFiles(${JSON.stringify(root)});
      for (const path of ${JSON.stringify(refused)})
        await files.write(path, "new").then(() => console.log("written"), (error) => console.log(error.code));`;
    expect(runUnprivileged("workspace-files.ts", "createWorkspaceFiles", tries)).toBe(
      "permission\n".repeat(refused.length),
    );
    expect(readFileSync(locked, "utf8")).toBe("keep");
    expect(readdirSync(root).sort()).toEqual(["locked.txt", "sealed"]);
  });

  it("is a clear message for a full disk and a read-only file system, where such can be mounted", async (test) => {
    const { root } = setUp();
    const disk = join(root, "disk");
    onTestFinished(mountSmallDisk(disk, "size=64k", test));
    const files = createWorkspaceFiles(disk);
    await files.write("a.txt", "small");
    await expect(files.write("a.txt", "x".repeat(200_000))).rejects.toThrow(/the disk is full/);
    expect(readFileSync(join(disk, "a.txt"), "utf8")).toBe("small");
    expect(readdirSync(disk)).toEqual(["a.txt"]);
    execFileSync("mount", ["-o", "remount,ro", disk]);
    await expect(files.write("a.txt", "other")).rejects.toMatchObject({ code: "read-only" });
    await expect(files.delete("a.txt")).rejects.toMatchObject({ code: "read-only" });
  });
});
