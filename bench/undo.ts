/** Measures undo: the list of what 20,000 changed files would become, and whether random changes all come back or are named. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openChangeFile } from "../src/main/files/change-store.ts";
import { createChangeTracker } from "../src/main/files/change-tracker.ts";
import { createCommandWatch } from "../src/main/files/command-watch.ts";
import type { FileChangeRequest } from "../src/main/files/file-change.ts";
import { markOf, timesOf } from "../src/main/files/file-mark.ts";
import { createOriginalBlobs } from "../src/main/files/original-blobs.ts";
import { hashBytes } from "../src/main/files/stored-file.ts";
import { createWorkspaceFiles } from "../src/main/files/workspace-files.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { createLiveWrites } from "../src/main/undo/live-writes.ts";
import { createStepNotes } from "../src/main/undo/note-steps.ts";
import { createStepJournal } from "../src/main/undo/step-journal.ts";
import { createTakeBackStore } from "../src/main/undo/take-back-store.ts";
import { createTakeBacks } from "../src/main/undo/take-backs.ts";
import type { ExecutionId, ThreadId, TurnId } from "../src/shared/ids.ts";
import { inFolder, medianOf } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure } from "./result.ts";

const threadId = "t" as ThreadId;
const turnId = "turn" as TurnId;
const rounds = 9;
/** A file's times tell it apart from a later version once this long has gone by. */
const settleMs = 200;

/** A quick run takes a tenth of the random changes. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  const operations = quick ? 1_000 : 10_000;
  const random = await inFolder((folder) => changeAtRandom(folder, operations));
  return {
    figures: [await inFolder((folder) => timePreview(folder, 20_000)), random.figure],
    notes: [
      `Files of 40 bytes in 200 folders, all changed by commands; the median of ${rounds} lists, of which none is kept.`,
      random.note,
    ],
  };
}

async function openUndo(folder: string) {
  const [root, data] = [join(folder, "work"), join(folder, "data")];
  for (const each of [root, data]) mkdirSync(each);
  const { database } = openDatabase(data, Date.now);
  const blobs = createOriginalBlobs(join(data, "originals"));
  const tracker = createChangeTracker(blobs, await openChangeFile(join(data, "changed.jsonl")));
  const journal = createStepJournal(database);
  const commitDurably = async <T>(act: () => T) => database.transaction(act)();
  const notes = createStepNotes({ journal, blobs, tracker, live: createLiveWrites(() => 1), commitDurably });
  const watch = createCommandWatch(tracker, data, (error) => {
    throw error;
  });
  const takeBacks = createTakeBacks({
    moveRepository: () => Promise.resolve(),
    database,
    journal,
    store: createTakeBackStore(database),
    blobs,
    tracker,
    commitDurably,
    // Files alone are measured here.
    conversation: {
      plan: async () => ({ why: "not-able" }),
      move: () => Promise.resolve(),
      settle: () => undefined,
      wentOn: () => false,
      isKept: async () => true,
    },
    atRest: (_threadId, act) => act(),
    endCutOff: () => Promise.resolve(),
    now: Date.now,
    onDone: () => undefined,
  });
  const close = async () => {
    await watch.close();
    database.close();
  };
  return { root, journal, notes, watch, takeBacks, place: { threadId, turnId, root }, close };
}

async function timePreview(folder: string, count: number): Promise<Figure> {
  const undo = await openUndo(folder);
  const paths = Array.from({ length: count }, (_, i) =>
    join(undo.root, `folder-${i % 200}`, `file-${i}.txt`),
  );
  for (let i = 0; i < 200; i += 1) mkdirSync(join(undo.root, `folder-${i}`));
  for (const path of paths) writeFileSync(path, path.padEnd(40).slice(-40));
  for (let from = 0; from < count; from += 1_000) {
    const files = paths.slice(from, from + 1_000).map((path) => ({
      path,
      before: { hash: hashBytes(Buffer.from(`before ${path}`)), mode: 0o644 },
      kept: true,
      after: { hash: hashBytes(readFileSync(path)), mode: lstatSync(path).mode & 0o7777 },
      mark: markOf(timesOf(lstatSync(path))),
    }));
    const step = undo.journal.begin({ threadId, turnId, executionId: `x${from}` as ExecutionId }, "command");
    undo.journal.found(step, files, true);
  }
  await pause(settleMs);
  const stat = await medianOf(rounds, () => paths.map((path) => lstatSync(path)));
  const value = await medianOf(rounds, async () => {
    const { back } = await undo.takeBacks.preview(undo.place);
    if (back.length !== count) throw new Error(`Only ${back.length} of ${count} files are listed.`);
  });
  await undo.close();
  return figure({
    name: `list of ${count.toLocaleString("en")} changed files`,
    unit: "ms",
    value,
    baseline: { name: "one look at the status of each file", value: stat },
    maxValue: 300,
  });
}

/** The same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Every file with its content and permissions, and every link with what it says. */
function treeOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) found.set(path, `link ${readlinkSync(path)}`);
    if (!entry.isFile()) continue;
    found.set(path, `${(lstatSync(path).mode & 0o777).toString(8)} ${hashBytes(readFileSync(path))}`);
  }
  return found;
}

const namesInAll = 400;
const largeBytes = 21_000_000;

/** Tools write and delete, commands of five changes each do all that commands do, and now and then a person edits. */
async function changeAtRandom(folder: string, operations: number): Promise<{ figure: Figure; note: string }> {
  const undo = await openUndo(folder);
  const next = createRandom(2_026);
  const name = () => `d${next(20)}/f${next(namesInAll)}.txt`;
  prepare(undo.root, next);
  const before = treeOf(undo.root);
  const files = createWorkspaceFiles(undo.root);
  const own = new Map<string, string>();
  let done = 0;
  for (let call = 0; done < operations; call += 1) {
    const origin = { threadId, turnId, executionId: `x${call}` as ExecutionId };
    if (call % 40 === 39) own.set(...editByHand(undo.root, name(), call));
    if (call % 3 === 0) {
      const lines = Array.from({ length: 5 }, () => commandLine(next, name));
      await undo.watch.around(
        threadId,
        undo.root,
        async () => runBash(undo.root, lines),
        undo.notes.ofCommand(origin, undo.root),
      );
      done += lines.length;
      continue;
    }
    const change: FileChangeRequest =
      next(4) === 0
        ? { operation: "delete", path: name() }
        : { operation: "write", path: name(), content: `by a tool ${call}` };
    // What cannot be done, as deleting what is not there, changes nothing.
    await files
      .applyChange(change, () => {}, { observer: undo.notes.ofTool(origin, undo.root) })
      .catch(() => {});
    done += 1;
  }
  const after = treeOf(undo.root);
  const preview = await undo.takeBacks.preview(undo.place);
  await undo.takeBacks.carryOut(undo.place, preview.digest, "files", { kind: "person" });
  const now = treeOf(undo.root);
  const named = new Set(preview.stays.map(({ path }) => path));
  const wrong = [...new Set([...before.keys(), ...now.keys()])].filter(
    (path) => now.get(path) !== before.get(path) && !named.has(path) && !own.has(path),
  );
  // Permissions that the thread gave a person's file go back; its content is what must stay.
  const contentAt = (tree: Map<string, string>, path: string) => tree.get(path)?.split(" ")[1];
  const lost = [...own].filter(
    ([path, hash]) => contentAt(after, path) === hash && contentAt(now, path) !== hash,
  );
  for (const path of wrong)
    console.error(
      `neither restored nor named: ${path} ${before.get(path)} → ${after.get(path)} → ${now.get(path)}`,
    );
  for (const [path] of lost)
    console.error(`lost: ${path} ${before.get(path)} → ${after.get(path)} → ${now.get(path)}`);
  await undo.close();
  return {
    figure: figure({
      name: "files neither restored nor named, and edits of a person's that were lost",
      unit: "files",
      value: wrong.length + lost.length,
      baseline: { name: "random changes made", value: done },
      maxValue: 0,
    }),
    note: `${done.toLocaleString("en")} changes by tools and by bash (write, make, delete, rename, permissions, binary, links, over 20 MB) among ${before.size} files, ${own.size} files edited by a person in between: ${preview.back.length} files restored, ${preview.stays.length} named beforehand as staying.`,
  };
}

function prepare(root: string, next: (below: number) => number): void {
  for (let i = 0; i < 20; i += 1) mkdirSync(join(root, `d${i}`));
  for (let i = 0; i < namesInAll; i += 1) {
    const path = join(root, `d${next(20)}`, `f${i}.txt`);
    writeFileSync(path, i % 7 === 0 ? Buffer.from([0, i % 256, 255]) : `file ${i}`);
    if (i % 11 === 0) chmodSync(path, 0o755);
    if (i % 13 === 0) symlinkSync("elsewhere", `${path}.link`);
  }
  writeFileSync(join(root, "d0", "large.bin"), "");
  truncateSync(join(root, "d0", "large.bin"), largeBytes);
}

function editByHand(root: string, name: string, call: number): [string, string] {
  const path = join(root, name);
  const text = `by a person ${call}`;
  writeFileSync(path, text);
  return [path, hashBytes(Buffer.from(text))];
}

function commandLine(next: (below: number) => number, name: () => string): string {
  const [one, other] = [name(), name()];
  return [
    `echo ${next(1e6)} > ${one}`,
    `echo ${next(1e6)} >> ${one}`,
    `rm -f ${one}`,
    `mv ${one} ${other} 2>/dev/null || true`,
    `chmod ${next(2) ? 755 : 600} ${one} 2>/dev/null || true`,
    `printf '\\0\\377${next(1e6)}' > ${one}`,
    `cp ${one} ${other} 2>/dev/null || true`,
    next(50) === 0 ? "rm -f d0/large.bin" : `touch ${one}`,
    `ln -sfn ${next(2) ? "f1.txt" : "nowhere"} ${one}.link`,
    `rm -f ${one}.link && mv ${other}.link ${one}.link 2>/dev/null || true`,
  ][next(10)]!;
}

function runBash(root: string, lines: readonly string[]): void {
  execFileSync("bash", ["-c", lines.join("\n")], { cwd: root, stdio: "ignore" });
}
