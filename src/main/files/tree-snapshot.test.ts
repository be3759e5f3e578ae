/** What two looks at a real folder tell about the time between them. */

import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { until } from "../shell/testing/open-shell.ts";
import { compareSnapshots } from "./compare-snapshots.ts";
import { askFile, createFileBeingRead } from "./file-being-read.ts";
import { readWhole } from "./read-whole.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { type SnapshotLimits, takeSnapshot } from "./tree-snapshot.ts";

const limits: SnapshotLimits = {
  maxFiles: 1_000,
  maxFileBytes: 1_000,
  maxBinaryBytes: 10_000_000,
  maxTotalBytes: 100_000,
  maxCopyMs: 60_000,
  maxMs: 60_000,
  ownFolder: "",
};

/** What changed between two looks, as `path: before -> after`, where `?` is a content that was not copied. */
function watch(root: string, act: () => void, some: Partial<SnapshotLimits> = {}): string[] {
  const before = takeSnapshot(root, { ...limits, ...some });
  act();
  const after = takeSnapshot(root, { ...limits, ...some }, before, true);
  const show = (file: { bytes: Buffer | null } | null) => (file ? (file.bytes?.toString() ?? "?") : "none");
  return compareSnapshots(before, after).map(
    (one) => `${one.path}: ${show(one.before)} -> ${show(one.after)}`,
  );
}

/** All files with what is in them. */
function contents(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length + 1).replaceAll(sep, "/"), readFileSync(path, "utf8")];
    }),
  );
}

const folder = fc.constantFrom("", "a/", "a/b/", "c/");
const path = fc.tuple(folder, fc.constantFrom("x", "y", "z")).map(([place, name]) => place + name);
const step = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, text: fc.constantFrom("", "one", "two") }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("move" as const), path, to: path }),
  fc.record({ kind: fc.constant("touch" as const), path }),
);

function take(root: string, act: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  const at = join(root, act.path);
  if (act.kind === "write") {
    mkdirSync(join(at, ".."), { recursive: true });
    writeFileSync(at, act.text);
  } else if (existsSync(at) && act.kind === "remove") rmSync(at);
  else if (existsSync(at) && act.kind === "touch") utimesSync(at, 1, 1);
  else if (existsSync(at) && act.kind === "move" && existsSync(join(root, act.to, ".."))) {
    renameSync(at, join(root, act.to));
  }
}

describe("two looks at a folder", () => {
  it("tell exactly the files whose content differs, however it came about and however fast", () => {
    const { root } = makeWorkspace();
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 8 }), { minLength: 2, maxLength: 4 }), (rounds) => {
        const place = mkdtempSync(join(root, "run-"));
        let snapshot = takeSnapshot(place, limits);
        for (const steps of rounds) {
          const old = contents(place);
          for (const one of steps) take(place, one);
          const now = contents(place);
          const next = takeSnapshot(place, limits, snapshot, true);
          const found = compareSnapshots(snapshot, next).map(({ path: where, before, after }) => [
            where,
            before?.bytes?.toString(),
            after?.bytes?.toString(),
          ]);
          const expected = [...new Set([...old.keys(), ...now.keys()])]
            .filter((where) => old.get(where) !== now.get(where))
            .sort()
            .map((where) => [where, old.get(where), now.get(where)]);
          expect(found).toEqual(expected);
          snapshot = next;
        }
      }),
      { numRuns: runsOf(60) },
    );
  });

  it("notice another content of the same size behind times that were set back", () => {
    const { root, put } = makeWorkspace();
    const file = put("a", "one");
    utimesSync(file, 1, 1);
    const act = () => {
      writeFileSync(file, "two");
      utimesSync(file, 1, 1);
    };
    expect(watch(root, act)).toEqual(["a: one -> two"]);
  });

  it("know nothing of the content of large files, and tell new permissions", () => {
    const { root, put } = makeWorkspace();
    put("large", "x".repeat(2_000));
    put("large-gone", "x".repeat(2_000));
    put("tool", "run");
    const act = () => {
      put("large", "y".repeat(2_001));
      unlinkSync(join(root, "large-gone"));
      chmodSync(join(root, "tool"), 0o755);
    };
    expect(watch(root, act)).toEqual(["large: ? -> ?", "large-gone: ? -> none", "tool: run -> run"]);
  });

  it("copy so much of what is no text, and texts all the same", () => {
    const { root, put } = makeWorkspace();
    put("a.bin", Buffer.from([0, 1]));
    put("b.bin", Buffer.from([0, 2]));
    put("c.txt", "text");
    const { files } = takeSnapshot(root, { ...limits, maxBinaryBytes: 3 });
    expect([...files].map(([path, { bytes }]) => [path, bytes?.length])).toEqual([
      ["a.bin", 2],
      ["b.bin", undefined],
      ["c.txt", 4],
    ]);
  });

  // What a disk tells of a file kept in the cloud it tells of one that is all hole: a size, and nothing that holds it.
  it.runIf(process.platform === "linux")("do not fetch what a cloud keeps, here a file with a hole", () => {
    const { put } = makeWorkspace();
    const elsewhere = put("elsewhere", "");
    truncateSync(elsewhere, 10_000);
    const { size } = statSync(elsewhere);
    for (const platform of ["darwin", "win32"] as const) {
      expect(readWhole(elsewhere, size, platform)).toBeNull();
      expect(readWhole(put("here", "x".repeat(10_000)), 10_000, platform)).toHaveLength(10_000);
      expect(readWhole(put("small", ""), 0, platform)).toHaveLength(0);
    }
    expect(readWhole(elsewhere, size, "linux")).toHaveLength(size);
  });

  it("leave a file unread that hung before, and tell which one is being read", () => {
    const { root, put } = makeWorkspace();
    put("b", "two");
    const hanging = [put("a", "one")];
    const beingRead = createFileBeingRead();
    const read: (string | undefined)[] = [];
    const store = vi.spyOn(Atomics, "store").mockImplementation(((
      place: Int32Array,
      at: number,
      value: number,
    ) => {
      place[at] = value;
      read.push(askFile(beingRead));
      return value;
    }) as typeof Atomics.store);
    onTestFinished(() => store.mockRestore());
    const { files } = takeSnapshot(root, { ...limits, hanging, beingRead });
    expect([...files].map(([path, { bytes }]) => [path, bytes?.toString()]).sort()).toEqual([
      ["a", undefined],
      ["b", "two"],
    ]);
    expect(read).toEqual([join(root, "b"), undefined]);
  });

  it("stop copying at the limit for all copies together, and still tell what changed", () => {
    const { root, put } = makeWorkspace();
    put("a", "12345678");
    put("b", "12345678");
    const act = () => {
      put("a", "1");
      put("b", "2");
    };
    expect(watch(root, act, { maxTotalBytes: 10 })).toEqual(["a: 12345678 -> 1", "b: ? -> 2"]);
  });

  it("claim neither a creation nor a deletion once a limit ended a look", () => {
    const { root, put } = makeWorkspace();
    for (const name of ["a", "b", "c"]) put(name, name);
    const before = takeSnapshot(root, { ...limits, maxFiles: 2 });
    put("a", "changed");
    const after = takeSnapshot(root, { ...limits, maxFiles: 2 }, before, true);
    expect([before.complete, after.complete]).toEqual([false, false]);
    expect(compareSnapshots(before, after).map((change) => change.path)).toEqual(["a"]);
    const whole = takeSnapshot(root, limits);
    expect(compareSnapshots(before, whole).map((change) => change.path)).toEqual(["a"]);
    expect(compareSnapshots(whole, before).map((change) => change.path)).toEqual(["a"]);
  });

  it("leave out generated and ignored folders, not an ignored file, and follow no link", () => {
    const { root, put, outside } = makeWorkspace();
    put(".gitignore", "/dist\n.env\n");
    put("pkg/.gitignore", "build/\n");
    mkdirSync(join(root, "linked"));
    const act = () => {
      for (const path of ["dist/a", "pkg/build/a", "node_modules/a/b", ".git/a", "pkg/dist/kept", ".env"])
        put(path, "new");
      symlinkSync(outside, join(root, "link"));
      symlinkSync(join(outside, "secret.txt"), join(root, "secret"));
      rmSync(join(root, "linked"), { recursive: true });
      symlinkSync(outside, join(root, "linked"));
    };
    expect(watch(root, act)).toEqual([
      ".env: none -> new",
      `link: none -> ${outside}`,
      `linked: none -> ${outside}`,
      "pkg/dist/kept: none -> new",
      `secret: none -> ${join(outside, "secret.txt")}`,
    ]);
  });

  it("lose nothing but a link that a file takes the place of while they look", () => {
    const { root, put } = makeWorkspace();
    symlinkSync("a", join(root, "b"));
    for (const name of ["a", "c"]) put(name, "1");
    const { readlinkSync } = fs;
    onTestFinished(() => {
      Object.assign(fs, { readlinkSync });
      syncBuiltinESMExports();
    });
    const readReplaced = (path: string) => {
      unlinkSync(path);
      writeFileSync(path, "2");
      return readlinkSync(path);
    };
    Object.assign(fs, { readlinkSync: readReplaced });
    syncBuiltinESMExports();
    expect([...takeSnapshot(root, limits).files.keys()].sort()).toEqual(["a", "c"]);
  });

  it("take over a copy while nothing about its file moved, and read only what did", async () => {
    const { root, put } = makeWorkspace();
    const kept = put("kept", "1");
    put("changed", "1");
    // The times of a file that was written a moment ago may not tell its next change, so it is read once more.
    await until(() => Date.now() - statSync(kept).ctimeMs > 60);
    const first = takeSnapshot(root, limits);
    put("changed", "2");
    const second = takeSnapshot(root, { ...limits, maxCopyMs: -1 }, first, true);
    expect(compareSnapshots(first, second).map((change) => change.path)).toEqual(["changed"]);
    const third = takeSnapshot(root, limits, second);
    const read = (path: string) => [second, third].map(({ files }) => files.get(path)?.bytes?.toString());
    expect([read("kept"), read("changed")]).toEqual([
      ["1", "1"],
      [undefined, "2"],
    ]);
  });

  it("see all of a folder with very many entries, and of one beyond the limit no more than that", () => {
    const { root, put } = makeWorkspace();
    put("large/.gitignore", "dist\n");
    put("large/dist/ignored", "");
    // Long names make the folder's own list long on most disks, without many files.
    for (let i = 0; i < 4_200; i += 1) put(`large/${String(i).padStart(250, "n")}`, "");
    const whole = takeSnapshot(root, { ...limits, maxFiles: 5_000 });
    expect([whole.complete, whole.files.size]).toEqual([true, 4_201]);
    const part = takeSnapshot(root, { ...limits, maxFiles: 10 });
    expect([part.complete, part.files.size]).toEqual([false, 10]);
  });

  it("do not take a folder for deleted because the command made git ignore it", () => {
    const { root, put } = makeWorkspace();
    put("src/a", "old");
    const act = () => {
      put(".gitignore", "src\n");
      put("src/a", "new");
    };
    expect(watch(root, act)).toEqual([".gitignore: none -> src\n", "src/a: old -> new"]);
  });
});
