/** What is heard of a folder against a look at everything in it, while commands and tools change it at random. */
import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { wallClock } from "../src/main/base/wall-clock.ts";
import { compareSnapshots, type TreeChange } from "../src/main/files/compare-snapshots.ts";
import { createFileEvents } from "../src/main/files/file-events.ts";
import { type KeptLimits, KeptTree } from "../src/main/files/kept-tree.ts";
import type { Look } from "../src/main/files/look-log.ts";
import { type SeenFile, type TreeSnapshot, takeSnapshot } from "../src/main/files/tree-snapshot.ts";
import { startAttack } from "./attack-run.ts";

const limits: KeptLimits = {
  maxFiles: 10_000,
  maxWatchedFiles: 10_000,
  maxFileBytes: 1_000,
  maxTotalBytes: 10_000_000,
  maxBinaryBytes: 10_000_000,
  maxCopyMs: 60_000,
  maxMs: 60_000,
  ownFolder: "",
};

type Draw = <T>(from: readonly T[]) => T;

const parts = ["a", "b", "c", "sub", "node_modules", "dist"];

function drawPath(draw: Draw, root: string): string {
  const folders = Array.from({ length: draw([1, 1, 2, 2, 3, 4]) }, () => draw(parts));
  return join(root, ...folders, draw(["x", "y", "z", "sub", ".env"]));
}

/** One change, as a tool makes it. */
function drawChange(draw: Draw, root: string): () => void {
  const name = () => drawPath(draw, root);
  const [one, other, folder] = [name(), name(), dirname(name())];
  const text = draw(["", "one", "two", "\0\x01", "x".repeat(2_000)]);
  const within = (path: string, act: () => void) => () => {
    mkdirSync(dirname(path), { recursive: true });
    act();
  };
  return draw([
    within(one, () => writeFileSync(one, text)),
    within(one, () => writeFileSync(one, text)),
    within(one, () => appendFileSync(one, "more")),
    within(one, () => symlinkSync(draw([join(root, "../outside"), "x", root]), one)),
    within(other, () => renameSync(one, other)),
    within(folder, () => renameSync(dirname(one), folder)),
    () => rmSync(one, { recursive: true }),
    () => rmSync(folder, { recursive: true }),
    () => chmodSync(one, draw([0o644, 0o755, 0o600])),
    () => utimesSync(one, 1, 1),
    () => truncateSync(one, 1),
    () =>
      writeFileSync(join(draw([root, folder]), ".gitignore"), draw(["dist\n", "", "sub/\n", "/a/b\n!a\n"])),
  ]);
}

/** A line for bash, which may fail. */
function drawLine(draw: Draw): string {
  const name = () => `${draw(parts)}/${draw(parts)}/${draw(["x", "y", "z"])}`;
  const [one, other] = [name(), name()];
  return draw([
    `mkdir -p $(dirname ${one}) && echo ${draw(["1", "22", "333"])} > ${one}`,
    `echo more >> ${one}`,
    `sed -i s/m/n/ ${one}`,
    `mv ${one} ${other}`,
    `mv $(dirname ${one}) $(dirname ${other})`,
    `mv ${draw(parts)} gone-$RANDOM`,
    `rm -rf ${draw([one, `$(dirname ${one})`, draw(parts)])}`,
    `ln -sfn ${draw(["$PWD/../outside", ".", "../b"])} ${draw(parts)}`,
    `chmod ${draw(["755", "600"])} ${one}`,
    `cp -r ${draw(parts)} ${draw(parts)}/${draw(parts)}`,
    `rm -rf ${draw(parts)} && mkdir -p ${draw(parts)}/${draw(parts)} && touch ${one}`,
    `mkdir -p deep/{1,2,3}/{4,5} && touch deep/{1,2,3}/{4,5}/f && rm -r deep/2`,
  ]);
}

/** Many a change does not fit what is there. */
function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // Then it changes nothing, or a part.
  }
}

function described(files: Iterable<[string, SeenFile]>): string[] {
  const told = ({ size, mode, bytes, inode, alteredAt, isLink }: SeenFile) =>
    `${size} ${mode} ${inode} ${alteredAt} ${isLink} ${bytes?.toString("latin1")}`;
  return [...files].map(([path, seen]) => `${path}: ${told(seen)}`).sort();
}

function toldChanges(changes: readonly TreeChange[]): string[] {
  const told = (seen: SeenFile | null) =>
    seen && `${seen.mode} ${seen.bytes?.toString("latin1") ?? seen.size}`;
  return changes.map(({ path, before, after }) => `${path}: ${told(before)} -> ${told(after)}`);
}

it.runIf(process.platform === "linux")(
  "what is kept of a folder is what a look at everything finds, whatever tools and commands do meanwhile",
  async () => {
    const { random, rounds } = startAttack("kept-look");
    const draw: Draw = (from) => from[Math.floor(random() * from.length)] as (typeof from)[number];
    const base = realpathSync(mkdtempSync(join(tmpdir(), "countersign-kept-")));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const root = join(base, "work");
    mkdirSync(root);
    mkdirSync(join(base, "outside"));
    const events = createFileEvents(join(base, "look"));
    let tree = new KeptTree(root, limits, events, wallClock());
    let earlier: { look: Look; all: TreeSnapshot }[] = [];
    let heard = 0;
    const look = async () => {
      await events?.settled();
      return tree.look(wallClock());
    };
    const compare = async () => {
      const now = await look();
      const rules = { files: new Map(), ignored: tree.snapshot.ignored, complete: true };
      const all = takeSnapshot(root, limits, rules, true);
      expect(described(tree.snapshot.files)).toEqual(described(all.files));
      for (const before of earlier)
        expect(toldChanges(tree.changesSince(before.look))).toEqual(
          toldChanges(compareSnapshots(before.all, all)),
        );
      if (tree.isWatched) heard += 1;
      else tree = new KeptTree(root, limits, events, wallClock(), tree.snapshot);
      earlier = tree.looks.newest() === now ? [...earlier, { look: now, all }].slice(-draw([2, 4, 20])) : [];
      tree.looks.forgetAllBut(new Set(earlier.map((one) => one.look.number)));
    };
    for (const _ of rounds(isLongRun ? 150 : 60)) {
      const lines = Array.from({ length: draw([0, 0, 0, 4, 12]) }, () => drawLine(draw));
      const command = new Promise((done) => execFile("bash", ["-c", lines.join("\n")], { cwd: root }, done));
      for (let left = draw([0, 1, 3, 10]); left > 0; left -= 1) {
        tryTo(drawChange(draw, root));
        if (lines.length > 0) await look();
      }
      if (lines.length > 0) await command;
      // Until a look found a second name, nothing is heard of what is done by it, nor that it went, and of one in a folder that
      // is left out it never is; so it stands where it is seen, and nothing else runs meanwhile.
      const second = join(root, draw(["b", "c"]), draw(["x", "y"]));
      tryTo(
        () => realpathSync(dirname(second)) === dirname(second) && linkSync(drawPath(draw, root), second),
      );
      await look();
      await compare();
    }
    expect(heard).toBeGreaterThan(20);
    tree.stopWatching();
  },
);
