/** A merge that brings a worktree home, killed at its steps: the next start leaves all as before or all as after. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Barrier } from "../src/main/base/barriers.ts";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { threadId } from "./desk-scene.ts";
import { endOfProcess } from "./end-of-process.ts";
import { homePicture, makeHome, openHome } from "./home-scene.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "countersign-killed-home-")));
/** Git and the database write whole paths down, so whatever is worked on lies at one place. */
const worked = join(base, "now");
let before: ReturnType<typeof homePicture>;
let after: ReturnType<typeof homePicture>;

function openScene(): void {
  rmSync(worked, { recursive: true, force: true });
  cpSync(join(base, "kept"), worked, { recursive: true, preserveTimestamps: true });
}

const killAt = (barrier: Barrier, count: number) => endOfProcess("home-process.ts", [worked], barrier, count);

beforeAll(async () => {
  mkdirSync(worked);
  await makeHome(worked);
  cpSync(worked, join(base, "kept"), { recursive: true, preserveTimestamps: true });
  before = homePicture(worked);
  const { desk, stores } = await openHome(worked);
  const { plan } = await desk.preview(threadId);
  await desk.bring(threadId, "merge", plan.digest, "Mine", { kind: "person" });
  await stores.close();
  after = homePicture(worked);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

it("has something to do in files, branches and indexes of both sides", () => {
  expect(before.work.commits).toMatch(/^theirs .*\none /);
  expect(after.work.commits).toMatch(/^Merge branch 'countersign\/rows' into main /);
  expect([after.work.status, after.tree.status, after.left]).toEqual(["", "", []]);
  expect(after.work.files).toEqual([
    ["changed", "two\n"],
    ["new", "new\n"],
  ]);
});

/** Each costs the start of a process; with random kills asked for, all of them are tried. */
const steps: [Barrier, number][] = [
  ["home-ref-moved", 2],
  ["undo-written", 1],
  ["undo-file-moved", 2],
  ["home-ref-moved", 1],
  ["home-index-locked", 2],
  ["home-index-locked", 1],
  ["undo-done", 1],
];
const tried = isLongRun ? steps : steps.slice(0, 1);

it.each(tried)("is finished by the next start when killed at %s (%i)", async (barrier, count) => {
  openScene();
  expect(await killAt(barrier, count)).toBe("SIGKILL");
  const isDone = barrier === "undo-done";
  if (!isDone) expect(homePicture(worked)).not.toEqual(after);
  const { takeBacks, stores } = await openHome(worked);
  expect((await takeBacks.recover()).map(({ end }) => end)).toEqual(isDone ? [] : ["finished"]);
  await stores.close();
  expect(homePicture(worked)).toEqual(after);
});

const ifLong = isLongRun ? it : () => undefined;
ifLong("is undone as a whole where somebody changed a file meanwhile, and leaves that file", async () => {
  openScene();
  expect(await killAt("home-ref-moved", 2)).toBe("SIGKILL");
  writeFileSync(join(worked, "work/changed"), "a person's own\n");
  const { takeBacks, stores } = await openHome(worked);
  const [end] = await takeBacks.recover();
  expect(end).toMatchObject({ end: "undone", left: [join(worked, "work/changed")] });
  await stores.close();
  const files = [
    ["changed", "a person's own\n"],
    ["gone", "one\n"],
  ];
  const status = "M changed";
  expect(homePicture(worked)).toEqual({ ...before, work: { ...before.work, files, status } });
});
