/** What is known of a real folder stays true, and costs a look at what changed. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditTree } from "./audit-tree.ts";
import { createFileEvents, type EventLimits } from "./file-events.ts";
import { type KeptLimits, KeptTree } from "./kept-tree.ts";
import type { Look } from "./look-log.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

const limits: KeptLimits = {
  maxFiles: 100,
  maxWatchedFiles: 1_000,
  maxFileBytes: 1_000,
  maxTotalBytes: 10_000,
  maxBinaryBytes: 10_000,
  maxCopyMs: 60_000,
  maxMs: 60_000,
  ownFolder: "",
};

function openTree(
  prepare: (put: (path: string, text: string) => string) => void,
  some?: Partial<EventLimits>,
) {
  const { root, base, outside, put } = makeWorkspace();
  prepare(put);
  const events = createFileEvents(join(base, "look"), {
    folders: 100,
    events: 1_000,
    ownEventMs: 60_000,
    ...some,
  });
  const tree = new KeptTree(root, limits, events, 1);
  onTestFinished(() => tree.stopWatching());
  const settled = async () => events?.settled();
  const look = async () => {
    await settled();
    return tree.look(tree.looks.newest().at + 1);
  };
  const since = (earlier: Look) =>
    tree
      .changesSince(earlier)
      .map(({ path, before, after }) => `${path}: ${before?.bytes ?? "none"} -> ${after?.bytes ?? "none"}`);
  const audit = () => auditTree(tree, limits, settled, async () => true);
  return { root, base, outside, put, tree, look, since, audit, settled };
}

/** By a name outside of the workspace, of which nothing is heard: only a look at everything finds it. */
function changeUnheard(root: string, outside: string, path: string, text: string): void {
  const name = join(outside, "name");
  linkSync(join(root, path), name);
  writeFileSync(name, text);
}

describe.runIf(process.platform === "linux")("what is kept of a folder", () => {
  it("is told from any earlier look, and looks are forgotten without what others need", async () => {
    const { tree, put, root, look, since } = openTree((write) => void write("a", "1"));
    const first = tree.looks.newest();
    put("a", "2");
    put("new/deep/b", "1");
    const second = await look();
    rmSync(join(root, "a"));
    renameSync(join(root, "new"), join(root, "moved"));
    for (let i = 0; i < 20; i += 1) {
      put("moved/deep/b", `${i}`);
      await look();
    }
    tree.looks.forgetAllBut(new Set([first.number]));
    expect(since(first)).toEqual(["a: 1 -> none", "moved/deep/b: none -> 19"]);
    expect(tree.looks.between(second.at, second.at)).toBeUndefined();
    expect(tree.looks.between(0, Infinity)).toEqual(tree.looks.newest());
    expect(tree.isWatched).toBe(true);
  });

  it("is looked at only where something was touched", async () => {
    const { root, outside, put, look, since, tree } = openTree((write) => {
      write("a", "1");
      write("sub/b", "1");
    });
    changeUnheard(root, outside, "a", "2");
    put("sub/b", "2");
    expect([(await look()) && since(tree.looks.between(1, 1)!)]).toEqual([["sub/b: 1 -> 2"]]);
  });

  it("finds what was done without a word when everything is looked at, and only that", async () => {
    const { root, outside, put, audit } = openTree((write) => {
      write("a", "1");
      write("b", "1");
    });
    changeUnheard(root, outside, "a", "12");
    put("b", "2");
    const missed = await audit();
    expect(missed?.map(({ path, before, after }) => [path, `${before?.bytes}`, `${after?.bytes}`])).toEqual([
      ["a", "1", "12"],
    ]);
  });

  it("knows a file by all of its names, and looks at them each time", async () => {
    const { root, outside, look, since, tree } = openTree((write) => {
      write("a", "1");
      write("sub/b", "1");
    });
    const first = tree.looks.newest();
    linkSync(join(root, "a"), join(root, "sub/c"));
    writeFileSync(join(root, "sub/c"), "2");
    await look();
    expect(since(first)).toEqual(["a: 1 -> 2", "sub/c: none -> 2"]);
    changeUnheard(root, outside, "a", "3");
    await look();
    expect(since(first)).toEqual(["a: 1 -> 3", "sub/c: none -> 3"]);
  });

  it("is looked at as a whole where events were lost, and heard of again after that", async () => {
    const { root, outside, put, look, since, tree } = openTree(
      (write) => {
        write("a", "1");
        write("b", "1");
        write("c", "1");
      },
      { events: 4 },
    );
    const first = tree.looks.newest();
    changeUnheard(root, outside, "b", "2");
    // One after the other of the same file would be one event.
    for (const name of ["a", "c", "a", "c", "a"]) chmodSync(join(root, name), 0o600);
    mkdirSync(join(root, "sub"));
    await look();
    put("sub/b", "1");
    await look();
    expect(since(first)).toEqual(["a: 1 -> 1", "b: 1 -> 2", "c: 1 -> 1", "sub/b: none -> 1"]);
    expect(tree.isWatched).toBe(true);
  });

  it("is looked at as a whole each time where not every folder can be watched, and then nothing is", async () => {
    const { outside, root, put, look, since, tree } = openTree(
      (write) => {
        for (const name of ["a", "b", "c"]) write(`${name}/file`, "1");
      },
      { folders: 3 },
    );
    expect(tree.isWatched).toBe(false);
    const first = tree.looks.newest();
    changeUnheard(root, outside, "a/file", "2");
    put("d/file", "1");
    await look();
    expect(since(first)).toEqual(["a/file: 1 -> 2", "d/file: none -> 1"]);
  });

  it("ends with what git ignores: the last look is one at everything by the old rules", async () => {
    const { root, outside, put, look, since, tree } = openTree((write) => {
      write("a", "1");
      write("dist/a", "1");
    });
    const first = tree.looks.newest();
    changeUnheard(root, outside, "a", "2");
    put(".gitignore", "dist\n");
    put("dist/a", "2");
    await look();
    expect(since(first)).toEqual([".gitignore: none -> dist\n", "a: 1 -> 2", "dist/a: 1 -> 2"]);
    expect(tree.isWatched).toBe(false);
  });

  it("is looked at as a whole when something happened to the top folder itself, of which no folder above tells", async () => {
    const { root, outside, look, since, tree } = openTree((write) => void write("a", "1"));
    const first = tree.looks.newest();
    changeUnheard(root, outside, "a", "2");
    await look();
    writeFileSync(join(outside, "name"), "34");
    chmodSync(root, 0o700);
    await look();
    expect(since(first)).toEqual(["a: 1 -> 34"]);
  });

  it("is looked at as a whole when another folder has the workspace's place", async () => {
    const { root, base, put, look, since, tree } = openTree((write) => void write("a", "1"));
    const first = tree.looks.newest();
    renameSync(root, join(base, "elsewhere"));
    put("b/c", "1");
    await look();
    put("b/c", "2");
    await look();
    expect(since(first)).toEqual(["a: 1 -> none", "b/c: none -> 2"]);
  });

  it("is looked at as a whole when a folder above it was renamed and made anew", async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "kept-above-")));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const root = join(base, "above/work");
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, "a"), "1");
    const events = createFileEvents(join(base, "look"));
    const tree = new KeptTree(root, limits, events, 1);
    onTestFinished(() => tree.stopWatching());
    renameSync(join(base, "above"), join(base, "old"));
    mkdirSync(root, { recursive: true });
    for (const text of ["2", "3"]) {
      writeFileSync(join(root, "a"), text);
      await events?.settled();
      tree.look(2);
      expect(`${tree.snapshot.files.get("a")?.bytes}`).toBe(text);
    }
  });

  it("tells what a link says, and what takes its place", async () => {
    const { root, put, look, since, tree } = openTree((write) => {
      write("a", "1");
      write("sub/b", "1");
    });
    symlinkSync("a", join(root, "l"));
    const first = await look();
    symlinkSync("../a", join(root, "sub/new"));
    rmSync(join(root, "l"));
    symlinkSync("a", join(root, "l"));
    const second = await look();
    expect(since(first)).toEqual(["sub/new: none -> ../a"]);
    rmSync(join(root, "l"));
    put("l", "a");
    await look();
    expect(since(second)).toEqual(["l: a -> a"]);
    expect(tree.isWatched).toBe(true);
  });

  it("follows no link, and outlives loops of links and folders that go while it looks", async () => {
    const { root, outside, put, look, since, tree } = openTree((write) => void write("a/b/file", "1"));
    const first = tree.looks.newest();
    symlinkSync(root, join(root, "a/loop"));
    rmSync(join(root, "a/b"), { recursive: true });
    symlinkSync(outside, join(root, "a/b"));
    put("gone/file", "1");
    rmSync(join(root, "gone"), { recursive: true });
    await look();
    expect(readdirSync(outside)).not.toEqual([]);
    expect(since(first)).toEqual([
      `a/b: none -> ${outside}`,
      "a/b/file: 1 -> none",
      `a/loop: none -> ${root}`,
    ]);
    expect(tree.isWatched).toBe(true);
  });
});
