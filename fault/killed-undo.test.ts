/** Undo of files and conversation, killed at each of its steps: the next start leaves all as before or all as after. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Barrier } from "../src/main/base/barriers.ts";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { endOfProcess } from "./end-of-process.ts";
import { syncedOf } from "./note-synced.ts";
import { makeScene, openScene, pictureOf } from "./undo-scene.ts";

const base = mkdtempSync(join(tmpdir(), "countersign-killed-undo-"));
const folderOf = (name: string) => join(base, name);
type Picture = Awaited<ReturnType<typeof pictureOf>>;
let before: Picture;
let after: Picture;

/** The paths of the workspace are written down, so whatever is worked on lies at one place. */
const worked = folderOf("now");

function keep(name: string): void {
  cpSync(worked, folderOf(name), { recursive: true, preserveTimestamps: true });
}

function open(name: string): string {
  rmSync(worked, { recursive: true, force: true });
  cpSync(folderOf(name), worked, { recursive: true, preserveTimestamps: true });
  return worked;
}

const run = (folder: string, way: "forth" | "back", barrier: Barrier, count: number) =>
  endOfProcess("undo-process.ts", [folder, way], barrier, count);

beforeAll(async () => {
  mkdirSync(worked);
  await makeScene(worked);
  keep("undone-not");
  const scene = await openScene(worked);
  after = await pictureOf(scene);
  const { digest } = await scene.takeBacks.preview(scene.place);
  await scene.takeBacks.carryOut(scene.place, digest, "both", { kind: "person" });
  before = await pictureOf(scene);
  await scene.stores.close();
  keep("undone");
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Each costs the start of a process, so of moments with the same things on the disk there is one. */
const steps: ["forth" | "back", Barrier, number][] = [
  ["forth", "undo-written", 1],
  ["forth", "undo-file-moved", 2],
  ["forth", "undo-conversation-moved", 1],
  ["back", "undo-file-moved", 1],
];

it("has something to take back in each of the three places", () => {
  expect(after).toMatchObject({ knows: "say two", latest: "turn-two" });
  expect(before).toMatchObject({ knows: "say one", latest: "turn-one" });
  expect(before.files.map(([name]) => name)).toEqual(["gone.txt", "kept.txt"]);
});

it.each(steps)("is finished by the next start: %s, killed at %s (%i)", async (way, barrier, count) => {
  const folder = open(way === "forth" ? "undone-not" : "undone");
  expect(await run(folder, way, barrier, count)).toBe("SIGKILL");
  if (way === "forth") keep(barrier);
  const scene = await openScene(folder);
  const ends = (await scene.takeBacks.recover()).map(({ end }) => end);
  expect(ends).toEqual(["finished"]);
  expect(await pictureOf(scene)).toEqual(way === "forth" ? before : after);
  expect(scene.stores.undo.store.underway()).toEqual([]);
  await scene.stores.close();
});

/** What the logs hold beyond their last sync. @returns how many bytes a power cut took */
function cutPower(folder: string): number {
  let lost = 0;
  for (const name of ["countersign.db-wal", "checkpoints.db-wal"]) {
    const log = join(folder, "data", name);
    if (!existsSync(log)) continue;
    const synced = existsSync(syncedOf(log)) ? Number(readFileSync(syncedOf(log), "utf8")) : 0;
    lost += statSync(log).size - synced;
    truncateSync(log, synced);
    rmSync(syncedOf(log), { force: true });
  }
  return lost;
}

/** After the last of them nothing is left to finish, and before it all is. */
const cuts: ["forth" | "back", Barrier, number][] = [
  ...steps,
  ["forth", "undo-files-moved", 1],
  ["forth", "undo-done", 1],
  ["back", "undo-conversation-moved", 1],
  ["back", "undo-done", 1],
];

/** The short run cuts at every third one. */
const cutAt = cuts.filter((_, at) => isLongRun || at % 3 === 0);

it.skipIf(process.platform !== "linux").each(cutAt)(
  "is whole as well where the power was cut: %s, at %s (%i)",
  async (way, barrier, count) => {
    const folder = open(way === "forth" ? "undone-not" : "undone");
    const args = [folder, way, "notes"];
    expect(await endOfProcess("undo-process.ts", args, barrier, count)).toBe("SIGKILL");
    cutPower(folder);
    const scene = await openScene(folder);
    const ends = (await scene.takeBacks.recover()).map(({ end }) => end);
    expect(ends).toEqual(barrier === "undo-done" ? [] : ["finished"]);
    expect(await pictureOf(scene)).toEqual(way === "forth" ? before : after);
    await scene.stores.close();
  },
);

it("is undone as a whole, the conversation too, where somebody changed a file meanwhile", async () => {
  const folder = open("undo-conversation-moved");
  writeFileSync(join(folder, "work", "kept.txt"), "a person's own");
  const scene = await openScene(folder);
  const [end] = await scene.takeBacks.recover();
  expect(end).toMatchObject({ end: "undone", left: [join(scene.root, "kept.txt")] });
  const own = after.files.map(([name, text, mode]) => [
    name,
    name === "kept.txt" ? "a person's own" : text,
    mode,
  ]);
  expect(await pictureOf(scene)).toEqual({ ...after, files: own });
  await scene.stores.close();
});
