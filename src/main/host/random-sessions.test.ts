import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { isLongRun } from "../base/testing/long-run.ts";
import { type PackedText, unpackText } from "../storage/packed-text.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  type RunningHost,
  removeFolders,
} from "./testing/host-fixture.ts";

/** Everything a session may hold; numbers pick a thread or an approval, whichever there is. */
type Session = { folders: Folders; running: RunningHost; threads: ThreadId[]; commands: number };

type Step = { toString(): string; run(session: Session): Promise<void> };

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(from.length, 1)];

function step(name: string, run: Step["run"]): Step {
  return { toString: () => name, run };
}

/** Sends commands that each leave a line naming them, one of a kind that runs, asks or is denied. */
const sends = fc.tuple(fc.nat(2), fc.nat(4), fc.nat(5)).map(([thread, kind, parallel]) =>
  step(`send(${thread}, ${kind}, ${parallel})`, async (session) => {
    const threadId = pick(session.threads, thread)!;
    const marks = Array.from({ length: 1 + (parallel % 3) }, () => `m${session.commands++}`);
    const lines = marks.map((mark) => {
      if (kind === 3) return `run sudo echo ${mark} >> ran`;
      if (kind === 4) return `run rm -rf / ; echo ${mark} >> ran`;
      return `${kind === 2 ? "delegate general-purpose: " : ""}run echo ${mark} >> ran`;
    });
    await session.running.console.send(threadId, lines.join("\n"));
  }),
);

const decisions: Decision[] = [
  { type: "approve" },
  { type: "approve" },
  { type: "reject", message: "no" },
  { type: "respond", answer: "done already" },
];

/** Nothing to decide comes any more before somebody does something. */
const restStatuses = ["waiting", "done", "stopped", "failed", "interrupted", "new"];

function allRest({ running: { console }, threads }: Session): boolean {
  return threads.every((threadId) => restStatuses.includes(console.threads.get(threadId)?.status ?? ""));
}

async function untilAsked(session: Session): Promise<void> {
  const { console } = session.running;
  await console.until(() => console.pending().length > 0 || allRest(session), "something asks or all rest");
}

const decides = fc.tuple(fc.nat(5), fc.nat(4), fc.nat(1)).map(([which, how, grace]) =>
  step(`decide(${which}, ${how}, ${grace})`, async (session) => {
    await untilAsked(session);
    const { console } = session.running;
    const asked = pick(console.pending(), which);
    if (!asked) return;
    const { subject } = asked;
    const command = subject.kind === "command" ? `${subject.command}; echo edited >> edits` : "";
    const decision = how === 4 ? { type: "edit" as const, args: { command } } : decisions[how]!;
    if (asked.allowedDecisions.includes(decision.type)) await console.decide(asked, decision, grace * 60);
    else await console.decide(asked, { type: "reject" });
  }),
);

const stops = fc.nat(2).map((thread) =>
  step(`stop(${thread})`, async ({ running, threads }) => {
    await running.console.client.call("threads.stop", { threadId: pick(threads, thread)! });
  }),
);

const resumes = fc.nat(2).map((thread) =>
  step(`resume(${thread})`, async ({ running, threads }) => {
    const threadId = pick(threads, thread)!;
    await running.console.client
      .call("threads.resume", { commandId: newCommandId(), threadId })
      .catch(() => undefined);
  }),
);

const switches = fc
  .tuple(fc.nat(2), fc.boolean(), fc.integer({ min: 1, max: 3 }))
  .map(([thread, on, maxActions]) =>
    step(`autoApprove(${thread}, ${on}, ${maxActions})`, async ({ running, threads }) => {
      const threadId = pick(threads, thread)!;
      const { client } = running.console;
      const { passes } = await client.call("threads.previewAutoApprove", { threadId, maxActions });
      await client.call("threads.setAutoApprove", {
        threadId,
        on,
        maxActions,
        approve: maxActions > 1 ? passes : [],
      });
    }),
  );

const restarts = fc.constant(
  step("restart", async (session) => {
    await session.running.close();
    session.running = await openHost(session.folders);
  }),
);

const settles = fc.nat(2).map((thread) =>
  step(`settle(${thread})`, async ({ running: { console }, threads }) => {
    const threadId = pick(threads, thread)!;
    await console.until(
      () => restStatuses.includes(console.threads.get(threadId)?.status ?? ""),
      `${threadId} rests or waits`,
    );
  }),
);

const steps = fc.oneof(
  { weight: 4, arbitrary: sends },
  { weight: 8, arbitrary: decides },
  { weight: 3, arbitrary: settles },
  { weight: 1, arbitrary: stops },
  { weight: 1, arbitrary: resumes },
  { weight: 2, arbitrary: switches },
  { weight: 1, arbitrary: restarts },
);

/**
 * `again` where a person answered the question about an earlier, interrupted run with "run it again"; `dropped` where the
 * host went before anything had started.
 */
type ExecutionRow = { id: string; args: PackedText; state: string; again: 0 | 1 };

/** @returns how many executions there were. */
async function expectTruth(session: Session): Promise<number> {
  const { folders, running } = session;
  const { console } = running;
  const database = new Database(join(folders.dataDir, "countersign.db"), { readonly: true });
  const waiting = database.prepare("SELECT id FROM approvals WHERE status = 'pending' ORDER BY id").pluck();
  const shown = () =>
    console
      .pending()
      .map(({ id }) => id)
      .sort();
  await console.until(
    () => allRest(session) && shown().join() === waiting.all().join(),
    "all rest and the window shows what waits",
  );
  // What was approved may start at the end of its grace, between these looks: what ran has its row before it runs.
  const ran = await readFile(join(folders.workspace, "ran"), "utf8").catch(() => "");
  const rows = database.prepare(
    `SELECT executions.id, executions.args, executions.state, approvals.kind IS 'recovery' AS again FROM executions
       JOIN ledger ON ledger.execution_id = executions.id LEFT JOIN approvals ON approvals.id = ledger.approval_id`,
  );
  const look = async () => {
    const executions = rows.all() as ExecutionRow[];
    const lines = (await console.ledger()).flatMap((line) =>
      line.executionId ? [{ ...line, executionId: line.executionId }] : [],
    );
    return { executions, lines };
  };
  let { executions, lines } = await look();
  if (lines.length > executions.length) ({ executions, lines } = await look());
  database.close();
  expect(lines.map(({ executionId }) => executionId).sort()).toEqual(executions.map(({ id }) => id).sort());
  for (const line of lines) {
    expect(line.verdict.verdict).not.toBe("deny");
    if (line.by.kind === "auto-approve") expect(line.verdict.verdict).toBe("new");
    else expect(line.by.kind).toBe("person");
    if (line.by.kind === "person") {
      expect(line.approvalId).toBeDefined();
      expect(console.approvals.get(line.approvalId!)?.status).not.toBe("pending");
    }
  }
  expectEffects(
    ran,
    executions
      .filter(({ state }) => state !== "dropped")
      .map(({ args, again }) => ({
        command: JSON.parse(unpackText(args)).command as string,
        again: again === 1,
      })),
  );
  return executions.length;
}

/** What really ran, by the marks left in the folder: nothing without an execution, nothing twice but by a person's word. */
function expectEffects(ran: string, executions: readonly { command: string; again: boolean }[]): void {
  const marks = ran.split("\n").filter(Boolean);
  for (const mark of new Set(marks)) {
    const runs = executions.filter(({ command }) => new RegExp(`\\b${mark}\\b`).test(command));
    expect(runs.filter(({ again }) => !again)).toHaveLength(1);
    expect(marks.filter((each) => each === mark).length).toBeLessThanOrEqual(runs.length);
  }
}

/** Ends whatever is under way, so that the effects can be counted. */
async function bringToRest({ running: { console }, threads }: Session): Promise<void> {
  for (const threadId of threads) await console.client.call("threads.stop", { threadId });
  await console.until(() => console.pending().length === 0, "nothing waits any more");
}

describe("a random session of sending, deciding, stopping, switching and restarting", () => {
  it("has one ledger line for each effect, nothing that ran unasked, and a queue that is the truth", async () => {
    let effects = 0;
    const walks = fc.tuple(
      fc.array(sends, { minLength: 3, maxLength: 4 }),
      fc.array(steps, { minLength: 10, maxLength: 20 }),
    );
    const property = fc.asyncProperty(walks, async (walk) => {
      const folders = await makeFolders();
      const session: Session = { folders, running: await openHost(folders), threads: [], commands: 0 };
      try {
        for (let i = 0; i < 3; i += 1) session.threads.push(await session.running.console.start());
        for (const one of walk.flat()) await one.run(session);
        await expectTruth(session);
        await bringToRest(session);
        effects += await expectTruth(session);
      } finally {
        await session.running.close();
        await removeFolders(folders);
      }
    });
    const numRuns = Number(process.env.COUNTERSIGN_SESSIONS ?? (isLongRun ? "6" : "3"));
    await fc.assert(property, { numRuns, endOnFailure: true });
    // Sessions in which nothing ran would prove nothing.
    expect(effects).toBeGreaterThan(numRuns);
  });
});

describe("the ledger", () => {
  it("cannot be changed or emptied, not even with the database in hand", async () => {
    const folders = await makeFolders();
    const { console, close } = await openHost(folders);
    const threadId = await console.start("run touch kept");
    await console.approve(await console.onePending(threadId));
    await console.untilStatus(threadId, "done");
    await close();
    const database = new Database(join(folders.dataDir, "countersign.db"));
    expect(() => database.exec("UPDATE ledger SET tool = 'ls'")).toThrow(/append-only/);
    expect(() => database.exec("DELETE FROM ledger")).toThrow(/append-only/);
    expect(database.prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(1);
    database.close();
    await removeFolders(folders);
  });
});
