/** Moving a file: nothing is replaced, nothing is lost, and only what was agreed to is moved. */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { computeChange, type FileChangePlan } from "./file-change.ts";
import { FileError, StaleFileError } from "./file-error.ts";
import { inFileTurn } from "./file-turns.ts";
import { moveEntry } from "./move-entry.ts";
import { hashBytes } from "./stored-file.ts";
import { listed, makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

function setUp() {
  const workspace = makeWorkspace();
  const files = createWorkspaceFiles(workspace.root);
  const at = (path: string) => join(workspace.root, path);
  return { ...workspace, files, at, text: (path: string) => readFileSync(at(path), "utf8") };
}

describe("a move", () => {
  it("brings the very file to its new place, folders made, and leaves nothing else", async () => {
    const { root, files, put, at, text } = setUp();
    const before = statSync(put("a.sh", "one\n"), { bigint: true });
    const plan = await files.move("a.sh", "deep/er/b.sh");
    expect(plan).toMatchObject({ relativePath: "a.sh", to: { relativePath: "deep/er/b.sh" }, added: 0 });
    expect(text("deep/er/b.sh")).toBe("one\n");
    expect(statSync(at("deep/er/b.sh"), { bigint: true })).toMatchObject({
      ino: before.ino,
      mode: before.mode,
    });
    expect(listed(root)).toEqual(["deep", "deep/er", "deep/er/b.sh"]);
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, "two")],
    ["an empty file", (path: string) => writeFileSync(path, "")],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link to nowhere", (path: string) => symlinkSync("nowhere", path)],
    ["another name of itself", (path: string) => linkSync(join(path, "../a"), path)],
  ])("replaces nothing: there is %s", async (_what, make) => {
    const { root, files, put, at, text } = setUp();
    put("a", "one");
    make(at("b"));
    const was = lstatSync(at("b"), { bigint: true });
    await expect(files.move("a", "b")).rejects.toMatchObject({ code: "exists" });
    await expect(files.planChange({ operation: "move", path: "a", to: "b" })).rejects.toThrow(
      /there already/,
    );
    expect(text("a")).toBe("one");
    expect(lstatSync(at("b"), { bigint: true })).toMatchObject({ ino: was.ino, size: was.size });
    expect(readdirSync(root).sort()).toEqual(["a", "b"]);
  });

  it("moves a link itself, also one that leads outside, and not what it leads to", async () => {
    const { files, outside, at, root } = setUp();
    symlinkSync(join(outside, "secret.txt"), at("link"));
    await files.move("link", "sub/link");
    expect(readlinkSync(at("sub/link"))).toBe(join(outside, "secret.txt"));
    expect([existsSync(at("link")), readdirSync(outside)]).toEqual([false, ["secret.txt"]]);
    symlinkSync(outside, at("folder"));
    await files.move("folder", "way");
    expect(readlinkSync(at("way"))).toBe(outside);
    expect(readdirSync(root).sort()).toEqual(["sub", "way"]);
  });

  it("refuses folders, what is not there, the place it has, and the workspace", async () => {
    const { root, files, put } = setUp();
    put("folder/a", "one");
    await expect(files.move("folder", "other")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.move("nothing", "other")).rejects.toMatchObject({ code: "not-found" });
    await expect(files.move("folder/a", "folder/../folder/a")).rejects.toMatchObject({ code: "exists" });
    await expect(files.move(".", "other")).rejects.toMatchObject({ code: "invalid-path" });
    await expect(files.move("folder/a", "folder/a/b")).rejects.toBeInstanceOf(FileError);
    expect(listed(root)).toEqual(["folder", "folder/a"]);
  });

  /** Each way is refused with the leave for the other path, and goes there and back with its own. */
  async function goesOnlyWhereAllowed({ files, put, outside }: ReturnType<typeof setUp>, out: string) {
    put("a", "one");
    const source = { allowOutside: true };
    const target = { allowTargetOutside: true };
    await expect(files.move("a", join(out, "a"), source)).rejects.toMatchObject({ code: "outside" });
    await expect(files.move(join(out, "secret.txt"), "b", target)).rejects.toMatchObject({ code: "outside" });
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    await files.move("a", join(out, "a"), target);
    expect(readdirSync(outside)).toEqual(["a", "secret.txt"]);
    await files.move(join(out, "a"), "a", source);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  }

  it("leaves the workspace by neither of its two paths, and by each only where that one was allowed", async () => {
    const workspace = setUp();
    await goesOnlyWhereAllowed(workspace, workspace.outside);
  });

  it("does so through no link either", async () => {
    const workspace = setUp();
    symlinkSync(workspace.outside, workspace.at("way"));
    await goesOnlyWhereAllowed(workspace, "way");
  });

  it.skipIf(process.platform !== "linux")(
    "says that another disk is too far, and leaves nothing there",
    async () => {
      const { files, put, text } = setUp();
      put("a", "one");
      const far = mkdtempSync("/dev/shm/countersign-move-");
      onTestFinished(() => rmSync(far, { recursive: true }));
      const moving = files.move("a", join(far, "a"), { allowTargetOutside: true });
      await expect(moving).rejects.toThrow("another disk");
      expect([text("a"), readdirSync(far)]).toEqual(["one", []]);
    },
  );

  it.each([
    ["the content changed", (at: (path: string) => string) => writeFileSync(at("a"), "other")],
    ["the file is gone", (at: (path: string) => string) => writeFileSync(at("a"), "")],
    ["something is at the new place", (at: (path: string) => string) => writeFileSync(at("b"), "there")],
  ])("is stale when %s since it was agreed to", async (_what, meanwhile) => {
    const { root, files, put, at } = setUp();
    put("a", "one");
    const request = { operation: "move", path: "a", to: "b" } as const;
    const plan = await files.planChange(request);
    meanwhile(at);
    const left = readdirSync(root).map((name) => [name, readFileSync(at(name), "utf8")]);
    await expect(files.applyChange(request, plan)).rejects.toBeInstanceOf(StaleFileError);
    expect(readdirSync(root).map((name) => [name, readFileSync(at(name), "utf8")])).toEqual(left);
  });

  it("is bound to both of its places", async () => {
    const { files, put, at } = setUp();
    put("a", "one");
    mkdirSync(at("x"));
    mkdirSync(at("y"));
    symlinkSync("x", at("way"));
    const plan = await files.planChange({ operation: "move", path: "a", to: "way/b" });
    await expect(files.applyChange({ operation: "move", path: "a", to: "y/b" }, plan)).rejects.toBeInstanceOf(
      StaleFileError,
    );
    expect(readdirSync(at("x"))).toEqual([]);
  });

  it("puts a file back that is something else at the moment of its effect", async () => {
    const { root, files, put, text } = setUp();
    put("a", "one");
    // Between the last look and the effect somebody saves the file anew.
    const observer = {
      beforeChange: async () => writeFileSync(join(root, "a"), "theirs"),
      afterChange: async () => {},
    };
    await expect(files.move("a", "b", { observer })).rejects.toBeInstanceOf(StaleFileError);
    expect([text("a"), readdirSync(root)]).toEqual(["theirs", ["a"]]);
  });

  it("keeps what somebody puts at the new place at the moment of its effect", async () => {
    const { root, files, put, text } = setUp();
    put("a", "one");
    const observer = {
      beforeChange: async () => writeFileSync(join(root, "b"), "theirs"),
      afterChange: async () => {},
    };
    await expect(files.move("a", "b", { observer })).rejects.toBeInstanceOf(StaleFileError);
    expect([text("a"), text("b"), listed(root)]).toEqual(["one", "theirs", ["a", "b"]]);
  });
});

describe("a move where no file has a second name", () => {
  /** The last step alone, for what it was told is no file: links, and disks without hard links, go that way. */
  async function setUpEffect() {
    const workspace = setUp();
    workspace.put("a", "one");
    const limits = { maxFileBytes: 100, maxDiffBytes: 100 };
    const reach = { allowOutside: false, allowTargetOutside: false };
    const request = { operation: "move", path: "a", to: "in/b" } as const;
    const change = await computeChange(workspace.root, request, limits, reach);
    const plan = { ...change.plan, found: "link" as const };
    return { ...workspace, act: () => moveEntry({ ...change, plan }, plan.to!) };
  }

  it("renames over a name that was free", async () => {
    const { root, text, act } = await setUpEffect();
    await act();
    expect([text("in/b"), listed(root)]).toEqual(["one", ["in", "in/b"]]);
  });

  it("leaves everything as it is when the name was taken since", async () => {
    const { root, put, text, act } = await setUpEffect();
    put("in/b", "theirs");
    await expect(act()).rejects.toBeInstanceOf(StaleFileError);
    expect([text("a"), text("in/b"), listed(root)]).toEqual(["one", "theirs", ["a", "in", "in/b"]]);
  });

  it("brings back what is not what was agreed to", async () => {
    const { root, put, text, act } = await setUpEffect();
    put("a", "theirs");
    await expect(act()).rejects.toBeInstanceOf(StaleFileError);
    expect([text("a"), listed(root)]).toEqual(["theirs", ["a", "in"]]);
  });
});

describe("a move in turn", () => {
  /** Runs `act` while the turn of `path` is held and a move of a to b waits. */
  async function during(path: string, act: (at: (path: string) => string) => void) {
    const { root, files, put, at, text } = setUp();
    put("a", "one");
    put("other", "other");
    const place = { path: join(root, path), relativePath: path, inside: true, asked: path };
    let moved: Promise<FileChangePlan | FileError> | undefined;
    await inFileTurn(
      async () => [place],
      async () => {
        moved = files.move("a", "b").catch((error) => error);
        // As long as a move takes that nothing holds up.
        await files.move("other", "elsewhere");
        await files.move("elsewhere", "other");
        act(at);
      },
    );
    return { result: await moved, text };
  }

  it("waits for whoever changes the file", async () => {
    const { result, text } = await during("a", (at) => writeFileSync(at("a"), "changed in turn"));
    expect(result).toMatchObject({ beforeHash: hashBytes(Buffer.from("changed in turn")) });
    expect(text("b")).toBe("changed in turn");
  });

  it("waits for whoever makes something at the new place", async () => {
    const { result, text } = await during("b", (at) => writeFileSync(at("b"), "made in turn"));
    expect(result).toMatchObject({ code: "exists" });
    expect([text("a"), text("b")]).toEqual(["one", "made in turn"]);
  });
});
