/** What undo needs stays within its budget; what was given up for it is named before anything moves. */
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import { createOriginalBlobs } from "../files/original-blobs.ts";
import { makeWorkspace } from "../files/testing/test-workspace.ts";
import { openInMemory } from "../threads/testing/add-thread.ts";
import { createOriginalsBudget } from "./originals-budget.ts";
import { joinSteps, planTakeBack } from "./plan-take-back.ts";
import { createStepJournal } from "./step-journal.ts";
import { createTakeBackStore } from "./take-back-store.ts";

const threadId = "t1" as ThreadId;
const after = { hash: "after", mode: 0o644 };

/** Steps that each wrote over one file of a thousand bytes. */
async function openSteps(count: number, budget: number) {
  const { base } = makeWorkspace();
  const database = openInMemory();
  const journal = createStepJournal(database);
  const store = createTakeBackStore(database);
  const contents = createOriginalBlobs(join(base, "originals"));
  const isNeeded = async (hash: string) => journal.uses(hash) || store.uses(hash);
  const blobs = {
    ...contents,
    delete: async (hash: string) => ((await isNeeded(hash)) ? undefined : contents.delete(hash)),
  };
  for (let i = 0; i < count; i += 1) {
    const hash = await blobs.put(Buffer.alloc(1_000, i + 1));
    const origin = { threadId, turnId: "one" as TurnId, executionId: `x${i}` as ExecutionId };
    const before = { hash, mode: 0o644 };
    const file = { path: `/w/${i}.txt`, before, kept: true, after, mark: null };
    journal.found(journal.begin(origin, "command"), [file], true);
  }
  const plan = () =>
    planTakeBack(joinSteps(journal.filesSince(threadId, 1)), () => ({
      kind: "file",
      version: after,
      tooLarge: false,
    }));
  /** As old as what an end of the app left long ago. */
  const leaveBehind = async (content: string) => {
    const hash = await blobs.put(Buffer.from(content));
    const file = join(base, "originals", hash.slice(0, 2), hash);
    utimesSync(file, 1, 1);
    return { hash, file };
  };
  return {
    blobs,
    leaveBehind,
    journal,
    budget: createOriginalsBudget({ journal, store, blobs, isNeeded }, budget),
    plan,
    database,
  };
}

it("gives up the oldest changes beyond it, and their list says that they are not kept", async () => {
  const { budget, plan } = await openSteps(5, 2_500);
  expect(await budget.measure(threadId)).toEqual({ bytes: 5_000, ofAll: 5_000, budget: 2_500 });
  expect(await budget.keep(new AbortController().signal)).toBe(3_000);
  expect(await budget.measure(threadId)).toMatchObject({ bytes: 2_000, ofAll: 2_000 });
  const { back, stays } = plan();
  expect(back.map(({ path }) => path)).toEqual(["/w/3.txt", "/w/4.txt"]);
  expect(stays).toEqual(["/w/0.txt", "/w/1.txt", "/w/2.txt"].map((path) => ({ path, why: "not-kept" })));
  expect(await budget.keep(new AbortController().signal)).toBe(0);
});

it("takes away what a crash left without anybody who needs it, but for what was put again since", async () => {
  const { budget, blobs, leaveBehind, plan } = await openSteps(2, 1_000_000);
  const { signal } = new AbortController();
  const [orphan, needed] = [await leaveBehind("orphan"), await leaveBehind("\u0001".repeat(1_000))];
  const again = await leaveBehind("again");
  await blobs.put(Buffer.from("again"));
  const fresh = await blobs.put(Buffer.from("fresh"));
  expect(await budget.keep(signal)).toBe(0);
  expect([orphan, needed, again].map(({ file }) => existsSync(file))).toEqual([false, true, true]);
  expect(`${await blobs.get(fresh)}`).toBe("fresh");
  expect(plan().stays).toEqual([]);
});

it("keeps what an undo needs to be reversed, and ends where nothing else is left", async () => {
  const { budget, journal } = await openSteps(3, 1);
  journal.takeBack(threadId, 1, 2, "undo");
  expect(await budget.keep(new AbortController().signal)).toBe(1_000);
  expect((await budget.measure(threadId)).bytes).toBe(2_000);
});

it("touches nothing more once it is to end", async () => {
  const { budget, plan } = await openSteps(3, 1);
  expect(await budget.keep(AbortSignal.abort())).toBe(0);
  expect(plan().stays).toEqual([]);
});
