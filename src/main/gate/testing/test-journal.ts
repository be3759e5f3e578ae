/** The real journal over SQLite in memory, with a judge that a test scripts, a queue that it decides, and a process that it can kill. */
import Database from "better-sqlite3";
import { defaultSettings } from "../../../shared/contract/console.ts";
import type { Decision, Verdict } from "../../../shared/contract/decisions.ts";
import type { ThreadEvent, ThreadEventData } from "../../../shared/contract/thread-events.ts";
import type { MessageId, TurnId } from "../../../shared/ids.ts";
import { createNews } from "../../../shared/testing/news.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { createApprovalStore } from "../../approvals/approval-store.ts";
import { toApproval } from "../../approvals/approval-view.ts";
import { createAutoApproveSwitch } from "../../approvals/auto-approve.ts";
import { createDecisions, type Decisions } from "../../approvals/decisions.ts";
import { createExecutionStore, type ExecutionRow } from "../../approvals/execution-store.ts";
import { createLedger } from "../../approvals/ledger.ts";
import { createWaitingRoom } from "../../approvals/waiting-room.ts";
import { createReadings } from "../../provenance/readings.ts";
import { createDurableCommits } from "../../storage/durable-commit.ts";
import { createOnceOnly } from "../../threads/commands.ts";
import { createEventLog } from "../../threads/event-log.ts";
import { addThread, openInMemory, threadId } from "../../threads/testing/add-thread.ts";
import { createThreadStore } from "../../threads/thread-store.ts";
import { createChangedByRun } from "../../undo/changed-by-run.ts";
import type { AskRoute, GatedCall, Route } from "../call.ts";
import type { Journal } from "../journal.ts";
import type { Judge } from "../judge.ts";
import { shownResultChars } from "../record.ts";
import { createRouteStore } from "../route-store.ts";

/** What the policy of a test says of a call; `lapsed` ran confined unasked when it was judged, and may not any more. */
export type JudgedAs = "free" | "run" | "lapsed" | "ask" | { refuse: string } | { reads: string };

/** Where the process can be made to die: right after this step was made durable. */
export type DeathPoint = "beginExecution" | "finishExecution";

export const turnId = "turn1" as TurnId;
export { threadId };

/** What a host holds while it lives; of this only the database outlives it. */
type Process = { journal: Journal; decisions: Decisions; isDead: boolean };

export class TestJournal {
  /** The calls the policy was asked about; each only once. */
  readonly judged: GatedCall[] = [];
  /** Whose card was drawn, but for the drawing that is part of judging. */
  readonly drawn: GatedCall[] = [];
  /** Sees the world as it is on disk when the process dies. */
  onDeath: () => void = () => {};
  /** How long the beginning of an execution takes to be on disk. */
  onDisk: Promise<void> = Promise.resolve();
  /** What the thread has cost, and may cost before somebody is asked. */
  dollars = 0;
  limitCents = 0;
  /** Whatever the web brings back waits. */
  holdResponses = false;
  readonly #judgeCall: (call: GatedCall) => JudgedAs;
  readonly #news = createNews();
  #dieAt: DeathPoint | undefined;
  #process: Process;

  constructor(judge: (call: GatedCall) => JudgedAs) {
    this.#judgeCall = judge;
    const database = openInMemory();
    addThread(database, Date.now).addTurn({
      id: turnId,
      threadId,
      messageId: "message" as MessageId,
      text: "go",
      attachments: [],
      status: "running",
      checkpointBefore: null,
    });
    this.#process = this.#start(database);
  }

  /** What the running process has; a dead one's throws. @param dieAt where it dies. */
  running(dieAt?: DeathPoint): Process {
    this.#dieAt = dieAt;
    return this.#process;
  }

  get events(): ThreadEventData[] {
    return this.#journal.log.since(threadId, 0, 100_000)!.map(({ data }) => data);
  }

  /** Everything that was ever asked, in order. */
  get questions(): ApprovalRow[] {
    const ids = this.#journal.database.prepare("SELECT id FROM approvals ORDER BY rowid").pluck().all();
    return ids.map((id) => this.#journal.approvals.get(id as ApprovalRow["id"])!);
  }

  get pending(): ApprovalRow[] {
    return this.#journal.approvals.pending();
  }

  /** Those that began, in order; one that was dropped did not. */
  get executions(): ExecutionRow[] {
    const { executions } = this.#journal;
    return executions
      .ofThread(threadId)
      .flatMap(({ id, state }) => (state === "dropped" ? [] : executions.get(id)!));
  }

  /** One line for each effect, refusal and answer. */
  get ledger(): { tool: string; decision: Decision["type"]; by: string }[] {
    return this.#journal.ledger
      .ofThread(threadId)
      .map(({ tool, decision, by }) => ({ tool, decision: decision.type, by: by.kind }));
  }

  /** Resolves when the condition holds; looks again whenever something happened. */
  until(condition: () => boolean): Promise<void> {
    return this.#news.until(condition);
  }

  /** Decides the one pending question whose arguments or value mention the text. */
  async decide(text: string, decision: Decision): Promise<void> {
    const { pending } = this;
    const found = pending.filter(({ args, value }) => JSON.stringify([args, value]).includes(text));
    const [only] = found;
    if (!only || found.length > 1)
      throw new Error(`${found.length} of ${pending.length} pending questions mention "${text}".`);
    const { id, digest } = only;
    const [outcome] = await this.#process.decisions.decide({
      items: [{ id, digest }],
      decision,
      graceMs: 0,
      by: { kind: "person" },
    });
    if (outcome && !outcome.ok) throw new Error(outcome.reason);
  }

  /** Ends every waiting, so that the run comes to rest. */
  park(): void {
    this.#journal.room.park(threadId);
  }

  /** From now on nothing the running process does reaches the rows; the next one finds those that were committed. */
  die(): void {
    const dead = this.#process;
    const { database } = dead.journal;
    const disk = database.serialize();
    dead.isDead = true;
    dead.decisions.close();
    database.close();
    this.#dieAt = undefined;
    this.#process = this.#start(new Database(disk));
    this.onDeath();
    this.#news.tell();
  }

  get #journal(): Journal {
    return this.#process.journal;
  }

  #start(database: Database.Database): Process {
    const now = Date.now;
    const notify = this.#news.tell;
    const { commit } = createDurableCommits(database);
    const log = createEventLog(database, now, (events) => this.#heard(events));
    const threads = createThreadStore(database, now, notify);
    const approvals = createApprovalStore(database, now, notify);
    const room = createWaitingRoom();
    const journal: Journal = {
      database,
      commitDurably: (act) => this.#commitDurably(database, act),
      now,
      log,
      threads,
      routes: createRouteStore(database),
      approvals,
      executions: createExecutionStore(database, now),
      ledger: createLedger(database, now),
      readings: createReadings(database, log.after, shownResultChars),
      workspaces: { isTrusted: () => true },
      room,
      autoApprove: createAutoApproveSwitch(now, notify, notify),
      judge: this.#judge(),
      settings: {
        get: () => ({
          ...defaultSettings,
          spendingLimitCents: this.limitCents,
          holdResponses: this.holdResponses,
        }),
      },
      spending: { ofThread: () => ({ dollars: this.dollars, more: false }) },
      isUnattended: false,
      drawings: { again: async () => ({}) },
      underway: new Set(),
      lookAhead: () => {},
      changedBy: createChangedByRun(database),
    };
    const decisions = createDecisions({
      database,
      commit,
      once: createOnceOnly(database, now, journal.commitDurably),
      now,
      approvals,
      log,
      view: (row) => toApproval(row, threads.get(row.threadId)),
      draw: async () => undefined,
      // A thread that rests goes on when the test says so.
      wake: ({ id }) => room.wake(id),
    });
    return { journal, decisions, isDead: false };
  }

  async #commitDurably<T>(database: Database.Database, act: () => T): Promise<T> {
    const result = database.transaction(act)();
    if (this.#dieAt === "beginExecution") {
      this.die();
      throw new Error("The process died here.");
    }
    await this.onDisk;
    return result;
  }

  #heard(events: ThreadEvent[]): void {
    const isFinished = events.some(({ data }) => data.type === "toolCall.finished" && data.receipt);
    if (this.#dieAt === "finishExecution" && isFinished) this.die();
    else this.#news.tell();
  }

  #judge(): Judge {
    return {
      route: async (call) => {
        this.judged.push(call);
        return toRoute(this.#judgeCall(call));
      },
      draw: async (call, route) => {
        this.drawn.push(call);
        this.#news.tell();
        return route;
      },
      askInstead: (call, { verdict: said, cwd }, width, why) => {
        const asked = toRoute("ask") as AskRoute;
        return { ...asked, shape: call.tool, verdict: said, cwd, width, description: why };
      },
      mayStillRun: async (_call, { by }) => by.kind !== "confined",
      again: async (call, args) => {
        const judged = this.#judgeCall({ ...(call as GatedCall), args });
        const denied = typeof judged === "object" && "refuse" in judged ? judged.refuse : undefined;
        return { denied, verdict };
      },
    };
  }
}

const verdict: Verdict = { verdict: "new", units: [] };

function toRoute(judged: JudgedAs): Route {
  if (judged === "free") return { kind: "free" };
  if (judged === "run" || judged === "lapsed") {
    const by = { kind: judged === "lapsed" ? ("confined" as const) : ("policy" as const) };
    return {
      kind: "run",
      verdict,
      by,
      cwd: "/work",
      face: undefined,
      ...(judged === "lapsed" && { width: "workspace" }),
    };
  }
  if (typeof judged === "object" && "reads" in judged) return { kind: "free", readPath: judged.reads };
  if (typeof judged === "object") return { kind: "refuse", verdict, message: judged.refuse, cwd: "/work" };
  return {
    kind: "ask",
    verdict,
    risk: "medium",
    cwd: "/work",
    subject: { kind: "arguments" },
    shape: "",
    allowed: ["approve", "edit", "reject", "respond"],
    description: undefined,
    argsSchema: undefined,
    baseHash: undefined,
    face: undefined,
    always: false,
  };
}
