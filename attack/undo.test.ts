/** Random changes by two threads, by tools and by bash, undone in any order: each file is as it was, or was named before anything moved. */
import { expect, it } from "vitest";
import { openUndo, person, turn } from "../src/main/undo/testing/test-undo.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { startAttack } from "./attack-run.ts";
import { type Draw, drawLine, drawRequest, editByHand, fillFolder, pictureOf } from "./undo-changes.ts";

type Undo = Awaited<ReturnType<typeof openUndo>>;
type Picture = ReturnType<typeof pictureOf>;

/** Each needs some ms; more are made with COUNTERSIGN_UNDO_CHANGES. */
const bounded = Number(process.env.COUNTERSIGN_UNDO_CHANGES ?? 400);
const changesInAll = 200;
const turnsOfEach = 3;
const threads = ["t1", "t2"] as const;
type Who = (typeof threads)[number] | "person";

const turnOf = (thread: string, number: number) => turn(`${thread}-${number}`);

const differing = (one: Picture, other: Picture) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).sort();

/** Who made each file what it is, and what each turn found when it began. */
type Told = {
  readonly by: Map<string, Who>;
  /** All that each ever left of a file: what undos of both lead to may be an older one of these. */
  readonly left: Map<string, Set<string | undefined>>;
  /** By thread, what was named in any of its lists; `links` where one said that a tool deleted or moved some. */
  readonly named: Map<Who, Set<string>>;
  readonly found: Map<string, Picture>;
  /** What others changed since a turn began, by its thread's name and number. */
  readonly others: Map<string, Set<string>>;
};

type Tally = { files: number; undone: number; named: number };

/** Lets one of them do something, and writes down which files that changed. @returns how many changes were tried */
async function act(undo: Undo, draw: Draw, who: Who, number: number, told: Told): Promise<number> {
  const before = pictureOf(undo.root);
  let done = 1;
  if (who === "person") editByHand(draw, undo.root, number);
  else {
    const id = turnOf(who, Math.floor((number * turnsOfEach) / changesInAll));
    if (!told.found.has(id)) {
      told.found.set(id, before);
      told.others.set(id, new Set());
    }
    const thread = who as ThreadId;
    // What cannot be done, as deleting what is not there, changes nothing.
    if (draw([true, true, false])) await undo.tool(id, drawRequest(draw), thread).catch(() => {});
    else {
      const lines = Array.from({ length: draw([1, 3, 6]) }, () => `( ${drawLine(draw)} )`);
      await undo.command(id, `${lines.join("\n")}\ntrue`, thread);
      done = lines.length;
    }
  }
  const after = pictureOf(undo.root);
  for (const path of differing(before, after)) {
    told.by.set(path, who);
    const key = `${who} ${path}`;
    told.left.set(key, (told.left.get(key) ?? new Set()).add(after.get(path)));
    for (const [id, others] of told.others) if (!id.startsWith(who)) others.add(path);
  }
  return done;
}

/** Undoes all of one thread from a turn on, and holds it against what was there when the turn began. */
async function undoAndLook(
  undo: Undo,
  draw: Draw,
  who: Who,
  number: number,
  told: Told,
  tally: Tally,
): Promise<void> {
  const id = turnOf(who, number);
  const place = undo.placeOf(id, who as ThreadId);
  const { back, stays, partly, digest } = await undo.takeBacks.preview(place);
  if (back.length === 0) return;
  const earlier = pictureOf(undo.root);
  const then = told.found.get(id);
  const takeBack = await undo.takeBacks.carryOut(place, digest, "files", person);
  const now = pictureOf(undo.root);
  tally.undone += back.length;
  tally.named += stays.length;
  const stay = new Set(stays.map(({ path }) => path));
  const named = new Set([...(told.named.get(who) ?? []), ...stay]);
  if (partly.length > 0) named.add("links");
  told.named.set(who, named);
  const isNamed = (path: string) =>
    named.has(path) ||
    // Folders whose names are no text, as the page says.
    path.slice(0, path.lastIndexOf("/")).includes("\uFFFD") ||
    // A tool that deletes or moves links, or deletes names that are no text, says only that it did.
    (named.has("links") && path.includes("\uFFFD")) ||
    (named.has("links") && [then, now].some((picture) => picture?.get(path)?.startsWith("link ")));
  const wrong = then
    ? differing(now, then).filter((path) => !isNamed(path) && !told.others.get(id)!.has(path))
    : [];
  expect(wrong.map((path) => [path, then?.get(path), earlier.get(path), now.get(path)])).toEqual([]);
  const isOthers = (path: string) =>
    told.by.get(path) !== who && !told.left.get(`${who} ${path}`)?.has(earlier.get(path));
  const lost = differing(earlier, now).filter((path) => stay.has(path) || isOthers(path));
  expect(lost.map((path) => [path, who, told.by.get(path), earlier.get(path), now.get(path)])).toEqual([]);
  if (draw([true, false])) {
    await undo.takeBacks.reverse(who as ThreadId, takeBack.id, person);
    const again = await undo.takeBacks.preview(place);
    expect(again.back).toEqual(back);
    await undo.takeBacks.carryOut(place, again.digest, "files", person);
    expect(differing(pictureOf(undo.root), now)).toEqual([]);
  }
  for (const [other, others] of told.others)
    if (!other.startsWith(who)) for (const path of differing(earlier, now)) others.add(path);
}

it.skipIf(process.platform !== "linux")(
  "each file is as it was before the turn, or was named beforehand, and what others made stays",
  { timeout: 300_000 + bounded * 200 },
  async () => {
    const attack = startAttack("undo");
    const draw: Draw = (from) => from[Math.floor(attack.random() * from.length)] as (typeof from)[number];
    const tally: Tally = { files: 0, undone: 0, named: 0 };
    for (const _ of attack.rounds(Math.ceil(bounded / changesInAll))) {
      const undo = await openUndo();
      const numbers = Array.from({ length: turnsOfEach }, (_, i) => i);
      for (const thread of threads)
        undo.addTurnsOf(thread as ThreadId, ...numbers.map((number) => turnOf(thread, number)));
      fillFolder(draw, undo.root);
      const told: Told = {
        ...{ by: new Map(), left: new Map(), named: new Map(), found: new Map(), others: new Map() },
      };
      const crowd = draw<readonly Who[]>([
        ["t1"],
        ["t1", "t1", "t1", "person"],
        ["t1", "t2", "t1", "t2", "person"],
      ]);
      for (let done = 0; done < changesInAll; ) done += await act(undo, draw, draw(crowd), done, told);
      tally.files += told.by.size;
      for (const number of numbers.toReversed())
        for (const who of draw([threads, threads.toReversed()]))
          if (draw([true, true, false])) await undoAndLook(undo, draw, who, number, told, tally);
    }
    console.log(`${tally.files} files changed, ${tally.undone} undone, ${tally.named} named as staying`);
    expect(tally.undone).toBeGreaterThan(tally.named);
  },
);
