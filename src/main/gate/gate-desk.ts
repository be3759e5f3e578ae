/** Joins the gate to the queue, the executions, the ledger and the event log: one transaction per step that must not tear. */
import { randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ApprovalId, ExecutionId, ThreadId } from "../../shared/ids.ts";
import { aboutCall } from "../../shared/tools/about-call.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { ApprovalRow, ApprovalStore, NewApproval } from "../approvals/approval-store.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import type { ExecutionRow, ExecutionStore } from "../approvals/execution-store.ts";
import type { Ledger } from "../approvals/ledger.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import { passBarrier } from "../base/barriers.ts";
import { isInside } from "../files/real-path.ts";
import type { CommitDurably } from "../storage/durable-commit.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import { baseOfTool, readBase } from "../tools/shown-base.ts";
import { shorten } from "./gate.ts";
import type {
  Answer,
  Decided,
  EffectRoute,
  GatedCall,
  GatePorts,
  Route,
  Started,
  Unable,
} from "./gate-ports.ts";
import type { Judge } from "./judge.ts";
import {
  interruptKey,
  type RecoveryDrawing,
  recoveryKey,
  toInterruptQuestion,
  toQuestion,
  toRecoveryQuestion,
} from "./questions.ts";
import { describeNewFace, type ToolFace } from "./tool-face.ts";

export type GateDeskParts = {
  database: Database.Database;
  commitDurably: CommitDurably;
  now: () => number;
  log: EventLog;
  threads: ThreadStore;
  approvals: ApprovalStore;
  executions: ExecutionStore;
  ledger: Ledger;
  room: WaitingRoom;
  autoApprove: AutoApproveSwitch;
  judge: Judge;
  /** The last output of an execution that a crash cut off, as far as its log has it. */
  outputTail(execution: ExecutionRow): string;
  /** What running it again would do, as the disk is now. */
  drawAgain(execution: Pick<ExecutionRow, "threadId" | "tool" | "args">): Promise<RecoveryDrawing>;
  /** A command that may change files is about to begin in the workspace. */
  lookAhead(workspace: string): void;
};

export type GateDesk = GatePorts & {
  /** Puts the question about an execution with an unknown outcome into the queue, also before its thread goes on. */
  fileRecovery(execution: ExecutionRow): ApprovalRow;
  /** Whether the agent's configuration asks for a person about this call. */
  asksAlways(callKey: string): boolean;
  /** What was said of this call when it was judged; `undefined` with other arguments, or when nobody was to be asked. */
  askedVerdict(callKey: string, args: Record<string, unknown>): Verdict | undefined;
  /** Whether this host started an execution that has not ended; one that a crash cut off is not. */
  isUnderway(id: ExecutionId): boolean;
};

export function createGateDesk(parts: GateDeskParts): GateDesk {
  const { database, now, log, threads, approvals, executions, ledger, room } = parts;
  const routes = {
    find: database.prepare("SELECT route FROM tool_calls WHERE key = ?").pluck(),
    argsOf: database.prepare("SELECT args FROM tool_calls WHERE key = ?").pluck(),
    add: database.prepare(
      "INSERT INTO tool_calls (key, thread_id, turn_id, item_id, tool, args, route, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ),
  };

  const underway = new Set<ExecutionId>();

  function toDecided(row: ApprovalRow): Decided {
    // SQLite knows one kind of nothing: no base was shown.
    const baseHash = row.baseHash ?? undefined;
    const { id: approvalId, args, verdict } = row;
    return { approvalId, decision: row.decision!, by: row.decidedBy!, args, verdict, baseHash };
  }

  /** What an effect may reach, from what a person saw when they said yes to it. */
  function permitOf(
    threadId: ThreadId,
    { verdict, by, baseHash, face }: Pick<Decided, "verdict" | "by" | "baseHash"> & { face?: ToolFace },
  ): Pick<Started, "mayLeaveWorkspace" | "mayReachOwnNetwork" | "shownPath" | "toolDigest"> {
    const bound = readBase(baseHash);
    const isPerson = by.kind === "person";
    return {
      mayLeaveWorkspace:
        isPerson && bound.path !== undefined && !isInside(threads.get(threadId).workspace, bound.path),
      mayReachOwnNetwork: isPerson && verdict.units.some(({ source }) => source === "web:private"),
      shownPath: bound.readPath,
      toolDigest: bound.toolDigest ?? face?.digest,
    };
  }

  /** Waits until the newest question under this key is decided and its grace is over. */
  async function waitForDecision<U extends Unable = never>(
    key: string,
    threadId: ThreadId,
    file: () => ApprovalRow | U,
    signal: AbortSignal,
  ): Promise<Answer | U> {
    for (;;) {
      // A question of a stopped turn would stay in the queue with nobody there to act on its answer.
      signal.throwIfAborted();
      const latest = approvals.latestOf(key);
      const open =
        latest &&
        (latest.status === "pending" || (latest.status === "decided" && latest.consumedAt === undefined));
      const row = open ? latest : file();
      if (isUnable(row)) return row;
      const graceMs = row.status === "decided" ? (row.effectiveAt ?? 0) - now() : undefined;
      if (graceMs !== undefined && graceMs <= 0) return toDecided(row);
      if ((await room.wait(row.id, threadId, signal, graceMs)) === "parked") return "parked";
    }
  }

  /**
   * The calls of one message are judged side by side, and one is ready before another. What they ask stands in the
   * order of the calls all the same: by the time each was announced, and within that by its place in the thread.
   */
  function inOrderOfCalls(approval: NewApproval): { approval: NewApproval; since: number | undefined } {
    const item = log.item(approval.threadId, approval.itemId);
    if (!item) return { approval, since: undefined };
    const place = String(item.position).padStart(12, "0");
    return { approval: { ...approval, id: `${place}-${approval.id}` as ApprovalId }, since: item.at };
  }

  function fileQuestion(question: NewApproval): ApprovalRow {
    const filed = database.transaction(() => {
      const { approval, since } = inOrderOfCalls(question);
      const { row, created } = approvals.ask(approval, since);
      if (created)
        log.append(row.threadId, [
          { type: "approval.requested", itemId: row.itemId, approvalId: row.id, verdict: row.verdict },
        ]);
      return row;
    })();
    passBarrier("approval-asked");
    return filed;
  }

  function routeFrozenFor(callKey: string): Route | undefined {
    const frozen = routes.find.get(callKey) as string | undefined;
    return frozen ? (JSON.parse(frozen) as Route) : undefined;
  }

  function fileRecovery(
    execution: ExecutionRow,
    drawing: RecoveryDrawing = {},
    face?: ToolFace,
  ): ApprovalRow {
    const item = log.item(execution.threadId, execution.itemId);
    const offered = faceIn(routeFrozenFor(execution.callKey));
    const now = face ?? offered;
    return fileQuestion(
      toRecoveryQuestion(execution, {
        agentPath: item?.kind === "toolCall" ? item.agentPath : [],
        cwd: threads.find(execution.threadId)?.workspace ?? "",
        output: parts.outputTail(execution),
        ...drawing,
        ...(now && { baseHash: baseOfTool(now.digest) }),
        ...(now && offered && now.digest !== offered.digest && { note: describeNewFace(offered, now) }),
      }),
    );
  }

  function addToLedger(
    call: GatedCall,
    entry: Pick<
      Parameters<Ledger["add"]>[0],
      "verdict" | "decision" | "by" | "cwd" | "approvalId" | "executionId" | "finalArgs"
    >,
  ): void {
    const { threadId, agentPath, tool, args } = call;
    ledger.add({
      threadId,
      threadTitle: threads.find(threadId)?.title ?? "",
      agentPath,
      tool,
      originalArgs: args,
      ...entry,
    });
  }

  const finishItem = (
    call: GatedCall,
    event: Omit<Extract<ThreadEventData, { type: "toolCall.finished" }>, "type" | "itemId">,
  ) =>
    log.append(call.threadId, [
      { type: "toolCall.finished", itemId: call.itemId, ...event, result: shorten(event.result) },
    ]);

  return {
    isUnwritable: (error) =>
      error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_"),
    fileRecovery: (execution) => fileRecovery(execution),
    asksAlways(callKey) {
      const route = routeFrozenFor(callKey);
      return route?.kind === "ask" && route.always;
    },
    askedVerdict(callKey, args) {
      const route = routeFrozenFor(callKey);
      const isItself = routes.argsOf.get(callKey) === JSON.stringify(args);
      return route?.kind === "ask" && isItself ? route.verdict : undefined;
    },
    isUnderway: (id) => underway.has(id),
    record: (threadId, events) => void log.append(threadId, events),
    hasItem: (threadId, itemId) => log.hasItem(threadId, itemId),

    async routeOf(call) {
      const frozen = routeFrozenFor(call.key);
      if (frozen) return frozen;
      const route = await parts.judge.route(call, threads.get(call.threadId));
      // The thread may have been deleted meanwhile; nothing is written for one that is gone.
      threads.get(call.threadId);
      routes.add.run(
        call.key,
        call.threadId,
        call.turnId,
        call.itemId,
        call.tool,
        JSON.stringify(call.args),
        JSON.stringify(route),
        now(),
      );
      return route;
    },
    judgeAgain: (call, args) => parts.judge.again(call, args, threads.get(call.threadId)),

    decidedOf(call) {
      const row = approvals.latestOf(call.key);
      if (row?.status !== "decided") return undefined;
      // An approve is used up by its execution; a rejection or an answer means the same however often it is read.
      const settled = row.decision?.type === "reject" || row.decision?.type === "respond";
      if (row.consumedAt !== undefined && !settled) return undefined;
      return (row.effectiveAt ?? 0) <= now() ? toDecided(row) : undefined;
    },

    async ask(call, route, signal) {
      const drawn = await parts.judge.draw(call, route, threads.get(call.threadId));
      const file = () => ("unable" in drawn ? drawn : fileQuestion(toQuestion(call, drawn)));
      return waitForDecision<Unable>(call.key, call.threadId, file, signal);
    },

    async askRecovery(call, executionId, signal) {
      const key = recoveryKey(call.key, executionId);
      const execution = executions.get(executionId)!;
      const drawing = await parts.drawAgain(execution);
      return waitForDecision<never>(
        key,
        call.threadId,
        () => fileRecovery(execution, drawing, call.face),
        signal,
      );
    },

    argsOf: (executionId) => executions.get(executionId)!.args,
    earlierExecution: (call) => executions.latestOf(call.key),

    startExecution(call, route, { args, by, decided, verdict }) {
      const mayChangeFiles = verdict.verdict !== "safe";
      // While the disk takes its time with what is about to run, the look at the folder takes its own.
      if (mayChangeFiles && kindOf(call.tool) === "command")
        parts.lookAhead(threads.get(call.threadId).workspace);
      return parts.commitDurably(() => {
        if (decided && !approvals.consume(decided.approvalId))
          throw new Error("This decision was used already.");
        const earlier = executions.latestOf(call.key);
        if (earlier?.state === "started") executions.close(earlier.id);
        const executionId = `exec-${randomUUID()}` as ExecutionId;
        const { threadId, turnId, itemId, tool, key } = call;
        executions.start({
          id: executionId,
          callKey: key,
          threadId,
          turnId,
          itemId,
          tool,
          what: aboutCall(tool, args),
          args,
        });
        const edited = JSON.stringify(args) !== JSON.stringify(call.args);
        const decision = edited ? { type: "edit" as const, args } : { type: "approve" as const };
        addToLedger(call, {
          verdict,
          decision,
          by,
          cwd: route.cwd,
          approvalId: decided?.approvalId,
          executionId,
          finalArgs: edited ? args : undefined,
        });
        log.append(threadId, [{ type: "execution.started", itemId, executionId }]);
        underway.add(executionId);
        const baseHash = decided?.decision.type === "edit" ? undefined : decided?.baseHash;
        const permit = permitOf(threadId, { verdict, by, baseHash: decided?.baseHash, face: faceIn(route) });
        return { executionId, args, baseHash, ...permit, mayChangeFiles };
      });
    },

    finishExecution: database.transaction(
      (call: GatedCall, executionId: ExecutionId, end: Parameters<GatePorts["finishExecution"]>[2]) => {
        underway.delete(executionId);
        executions.finish(executionId, end);
        finishItem(call, end);
      },
    ),

    suspendExecution: (_call, executionId) => executions.suspend(executionId),
    continueExecution(call, executionId) {
      executions.continue(executionId);
      const latest = approvals.latestOf(call.key);
      const decided = latest?.decidedBy && toDecided(latest);
      const { args } = executions.get(executionId)!;
      const face = faceIn(routeFrozenFor(call.key));
      const nobody = { verdict: { verdict: "new" as const, units: [] }, by: { kind: "policy" as const } };
      return {
        executionId,
        args,
        baseHash: decided?.baseHash,
        ...permitOf(call.threadId, { baseHash: undefined, ...nobody, ...decided, face }),
        mayChangeFiles: true,
      };
    },
    dropExecution: database.transaction((call: GatedCall, executionId: ExecutionId, unused?: Decided) => {
      underway.delete(executionId);
      executions.drop(executionId);
      // Running it again came to nothing, so what became of it the first time is as unknown as before.
      executions.reopen(call.key);
      // What was decided in a turn that a person stopped means nothing any more.
      if (unused && threads.currentTurn(call.threadId)?.id === call.turnId)
        approvals.release(unused.approvalId);
    }),
    closeExecution: (_call, executionId, end) => executions.close(executionId, end),

    finishCall(call, end) {
      const item = log.item(call.threadId, call.itemId);
      if (item?.kind === "toolCall" && item.state !== "finished") finishItem(call, end);
    },

    settle: database.transaction(
      (call: GatedCall, route: EffectRoute, end: Parameters<GatePorts["settle"]>[2]) => {
        const item = log.item(call.threadId, call.itemId);
        if (end.decided) approvals.consume(end.decided.approvalId);
        if (item?.kind === "toolCall" && item.state === "finished") return;
        addToLedger(call, {
          verdict: route.verdict,
          decision: end.decision,
          by: end.by,
          cwd: route.cwd,
          approvalId: end.decided?.approvalId,
        });
        finishItem(call, { outcome: end.outcome, result: end.result });
        if (end.outcome === "denied") parts.autoApprove.turnOff(call.threadId, "the policy denied a call");
      },
    ),

    answersOf(call) {
      const answered = interruptRows(call).filter(
        (row) => row.status === "decided" && (row.effectiveAt ?? 0) <= now(),
      );
      for (const row of answered) approvals.consume(row.id);
      return answered.map((row) => (row.decision?.type === "respond" ? row.decision.answer : null));
    },

    askInterrupt(call, interrupt) {
      fileQuestion(toInterruptQuestion(call, interrupt, threads.get(call.threadId).workspace));
    },

    planChanged: (call, todos) =>
      void log.append(call.threadId, [{ type: "plan.changed", itemId: `plan:${call.turnId}`, todos }]),
  };

  function interruptRows(call: GatedCall): ApprovalRow[] {
    return approvals.ofCall(interruptKey(call.key));
  }
}

const isUnable = <U extends Unable>(filed: ApprovalRow | U): filed is U => "unable" in filed;

/** What a server said of the tool when the call was judged. */
function faceIn(route: Route | undefined): ToolFace | undefined {
  return route?.kind === "run" || route?.kind === "ask" ? route.face : undefined;
}
