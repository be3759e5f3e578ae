/** A commit of what was rehearsed, killed at its steps: the next start leaves all as before or all as after. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Barrier } from "../src/main/base/barriers.ts";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { commit, makeScene, openScene, pictureOf } from "./commit-scene.ts";
import { endOfProcess } from "./end-of-process.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "countersign-killed-commit-")));
/** The paths of the workspace are written down, so whatever is worked on lies at one place. */
const worked = join(base, "now");
let before: ReturnType<typeof pictureOf>;
let after: ReturnType<typeof pictureOf>;

function openKept(): void {
  rmSync(worked, { recursive: true, force: true });
  cpSync(join(base, "kept"), worked, { recursive: true, preserveTimestamps: true });
  chmodSync(join(worked, "work/old"), 0o700);
}

beforeAll(async () => {
  mkdirSync(worked);
  await makeScene(worked);
  cpSync(worked, join(base, "kept"), { recursive: true, preserveTimestamps: true });
  const scene = await openScene(worked);
  before = pictureOf(scene);
  await commit(scene);
  after = pictureOf(scene);
  await scene.stores.close();
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

it("puts files and folders with their permissions there, and ends its execution with them", () => {
  expect(before).toMatchObject({ execution: ["started", null, null], steps: 0 });
  expect(after).toEqual({
    files: [
      ["changed", "700", "two\n"],
      ["new", "750", ""],
      ["new/empty", "750", ""],
      ["new/made", "644", "new\n"],
    ],
    execution: ["finished", "ok", null],
    shown: ["finished", "said\n"],
    steps: 3,
  });
});

/** Each costs the start of a process; with random kills asked for, all of them are tried. */
const steps: [Barrier, number][] = [
  ["undo-folders-moved", 1],
  ["undo-written", 1],
  ["undo-file-moved", 1],
  ["undo-file-moved", 2],
  ["undo-file-moved", 3],
  ["undo-files-moved", 1],
  ["undo-done", 1],
];
const tried = isLongRun ? steps : steps.slice(0, 1);

it.each(tried)("is finished by the next start when killed at %s (%i)", async (barrier, count) => {
  openKept();
  expect(await endOfProcess("commit-process.ts", [worked], barrier, count)).toBe("SIGKILL");
  const scene = await openScene(worked);
  const isDone = barrier === "undo-done";
  if (!isDone) expect(pictureOf(scene)).not.toEqual(after);
  expect((await scene.takeBacks.recover()).map(({ end }) => end)).toEqual(isDone ? [] : ["finished"]);
  expect(pictureOf(scene)).toEqual(after);
  await scene.stores.close();
});

it("is undone as a whole where somebody changed a file meanwhile, and leaves that file", async () => {
  openKept();
  expect(await endOfProcess("commit-process.ts", [worked], "undo-folders-moved", 1)).toBe("SIGKILL");
  writeFileSync(join(worked, "work/changed"), "a person's own\n");
  const scene = await openScene(worked);
  const [end] = await scene.takeBacks.recover();
  expect(end).toMatchObject({ end: "undone", left: [join(worked, "work/changed")] });
  const own = before.files.map(([name, mode, text]) => [
    name,
    mode,
    name === "changed" ? "a person's own\n" : text,
  ]);
  expect(pictureOf(scene)).toEqual({ ...before, files: own });
  await scene.stores.close();
});

it.each(["new", "old/kept by a person"])("does nothing where %s is in its way", async (name) => {
  openKept();
  const scene = await openScene(worked);
  mkdirSync(join(worked, "work", name));
  const there = pictureOf(scene);
  await expect(commit(scene)).rejects.toThrow(/was changed meanwhile/);
  expect(pictureOf(scene)).toEqual(there);
  await scene.stores.close();
});
