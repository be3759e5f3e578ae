/** Rows of the approval queue; whatever waits for a person is here before anyone is told, and stays until it is decided. */
import type Database from "better-sqlite3";
import { z } from "zod";
import {
  approvalKindSchema,
  approvalStatusSchema,
  type Subject,
  subjectSchema,
} from "../../shared/contract/approvals.ts";
import {
  type DecidedBy,
  type Decision,
  type DecisionType,
  decidedBySchema,
  decisionSchema,
  decisionTypeSchema,
  type Risk,
  riskSchema,
  type Seen,
  seenSchema,
  type Verdict,
  verdictSchema,
} from "../../shared/contract/decisions.ts";
import {
  type ApprovalId,
  approvalIdSchema,
  type ThreadId,
  type TurnId,
  threadIdSchema,
  turnIdSchema,
} from "../../shared/ids.ts";

/** The gate about a call that it holds, or a graph that knows no gate and is answered at its interrupt. */
const askedBySchema = z.enum(["gate", "foreign"]);
export type AskedBy = z.infer<typeof askedBySchema>;

export type ApprovalRow = {
  id: ApprovalId;
  /** The tool call or interrupt this belongs to; a call may be asked about several times, numbered by `sequence`. */
  callKey: string;
  sequence: number;
  kind: z.infer<typeof approvalKindSchema>;
  askedBy: AskedBy;
  threadId: ThreadId;
  turnId: TurnId;
  itemId: string;
  agentPath: string[];
  tool: string;
  args: Record<string, unknown>;
  cwd: string;
  subject: Subject;
  description: string | undefined;
  verdict: Verdict;
  risk: Risk;
  allowed: DecisionType[];
  argsSchema: Record<string, unknown> | undefined;
  /** What a raw interrupt asked with. */
  value: unknown;
  interruptId: string | undefined;
  actionIndex: number | undefined;
  /** For a file change: the hash the diff was drawn against, `null` when there was no file. */
  baseHash: string | null | undefined;
  digest: string;
  shape: string;
  status: z.infer<typeof approvalStatusSchema>;
  requestedAt: number;
  snoozedUntil: number | undefined;
  decision: Decision | undefined;
  decidedBy: DecidedBy | undefined;
  /** What of it a person had on the screen when they decided. */
  seen: Seen | undefined;
  decidedAt: number | undefined;
  effectiveAt: number | undefined;
  consumedAt: number | undefined;
};

export type NewApproval = Omit<
  ApprovalRow,
  | "sequence"
  | "status"
  | "requestedAt"
  | "snoozedUntil"
  | "decision"
  | "decidedBy"
  | "seen"
  | "decidedAt"
  | "effectiveAt"
  | "consumedAt"
>;

/** What of a card can be drawn anew while it waits. */
export type Redrawn = Pick<
  ApprovalRow,
  "args" | "subject" | "description" | "verdict" | "risk" | "shape" | "baseHash" | "digest"
>;

/** A decision as it is written down. */
export type MadeDecision = {
  decision: Decision;
  by: DecidedBy;
  seen?: Seen;
  effectiveAt: number;
};

export type ApprovalStore = {
  /** Adds the next question about a call, or returns the one that still waits. @param since when it came up, if not now. */
  ask(approval: NewApproval, since?: number): { row: ApprovalRow; created: boolean };
  get(id: ApprovalId): ApprovalRow | undefined;
  /** The newest question about a call, whatever became of it. */
  latestOf(callKey: string): ApprovalRow | undefined;
  /** Every question under one key, in the order they were asked. */
  ofCall(callKey: string): ApprovalRow[];
  ofInterrupt(threadId: ThreadId, interruptId: string): ApprovalRow[];
  pending(threadId?: ThreadId): ApprovalRow[];
  /** The ids of all that wait, oldest first, without reading what they hold. */
  pendingIds(): ApprovalId[];
  pendingCount(threadId: ThreadId): number;
  pendingCounts(): Map<ThreadId, number>;
  /** Decided by a person, but nothing acted on it yet. */
  unconsumed(threadId: ThreadId): ApprovalRow[];
  threadsWithUnconsumed(): ThreadId[];
  /** Compare-and-set: true when the row was pending with this digest and now is decided. */
  decide(id: ApprovalId, digest: string, made: MadeDecision): boolean;
  /** Compare-and-set back to pending, while the grace lasts and nothing consumed it. */
  undo(id: ApprovalId): boolean;
  /** A turn ended: what was decided in it and not acted on means nothing any more. */
  voidUnconsumed(threadId: ThreadId): void;
  /** Compare-and-set: true for the one caller that may act on the decision. */
  consume(id: ApprovalId): boolean;
  /** Takes `consume` back: nothing came of it. */
  release(id: ApprovalId): void;
  cancel(id: ApprovalId): boolean;
  snooze(id: ApprovalId, until: number | null): void;
  /** What a pending card is about changed, such as its file: with a new digest the old one no longer decides. */
  redraw(id: ApprovalId, drawn: Redrawn): void;
  removeThread(threadId: ThreadId): void;
};

const jsonColumns = [
  "agentPath",
  "args",
  "subject",
  "verdict",
  "allowed",
  "argsSchema",
  "value",
  "decision",
  "decidedBy",
  "seen",
] as const;

/** The columns after their JSON was read; what SQLite holds is checked once, at this edge. */
const rowSchema: z.ZodType<ApprovalRow> = z.object({
  id: approvalIdSchema,
  callKey: z.string(),
  sequence: z.number(),
  kind: approvalKindSchema,
  askedBy: askedBySchema,
  threadId: threadIdSchema,
  turnId: turnIdSchema,
  itemId: z.string(),
  agentPath: z.array(z.string()),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  cwd: z.string(),
  subject: subjectSchema,
  description: z.string().optional(),
  verdict: verdictSchema,
  risk: riskSchema,
  allowed: z.array(decisionTypeSchema),
  argsSchema: z.record(z.string(), z.unknown()).optional(),
  value: z.unknown(),
  interruptId: z.string().optional(),
  actionIndex: z.number().optional(),
  baseHash: z.string().nullable(),
  digest: z.string(),
  shape: z.string(),
  status: approvalStatusSchema,
  requestedAt: z.number(),
  snoozedUntil: z.number().optional(),
  decision: decisionSchema.optional(),
  decidedBy: decidedBySchema.optional(),
  seen: seenSchema.optional(),
  decidedAt: z.number().optional(),
  effectiveAt: z.number().optional(),
  consumedAt: z.number().optional(),
}) as unknown as z.ZodType<ApprovalRow>;

function parseRow(raw: unknown): ApprovalRow {
  const row = { ...(raw as Record<string, unknown>) };
  for (const [name, value] of Object.entries(row))
    if (value === null && name !== "baseHash") row[name] = undefined;
  for (const name of jsonColumns) if (row[name] !== undefined) row[name] = JSON.parse(String(row[name]));
  return rowSchema.parse(row);
}

const columns =
  "id, call_key AS callKey, sequence, kind, asked_by AS askedBy, thread_id AS threadId, turn_id AS turnId, item_id AS itemId, agent_path AS agentPath, tool, args, cwd, subject, description, verdict, risk, allowed, args_schema AS argsSchema, value, interrupt_id AS interruptId, action_index AS actionIndex, base_hash AS baseHash, digest, shape, status, requested_at AS requestedAt, snoozed_until AS snoozedUntil, decision, decided_by AS decidedBy, seen, decided_at AS decidedAt, effective_at AS effectiveAt, consumed_at AS consumedAt";

/** @param onChanged called after each change of a row with the row's thread. */
export function createApprovalStore(
  database: Database.Database,
  now: () => number,
  onChanged: (id: ApprovalId, threadId: ThreadId) => void,
): ApprovalStore {
  const select = (rest: string) => database.prepare(`SELECT ${columns} FROM approvals WHERE ${rest}`);
  const parse = (row: unknown) => (row ? parseRow(row) : undefined);
  const parseAll = (rows: unknown[]) => rows.map((row) => parseRow(row));
  const byId = select("id = ?");
  const latest = select("call_key = ? ORDER BY sequence DESC LIMIT 1");
  const byCall = select("call_key = ? ORDER BY sequence");
  const byInterrupt = select("thread_id = ? AND interrupt_id = ? ORDER BY sequence, action_index");
  const pendingAll = select("status = 'pending' ORDER BY requested_at, id");
  const pendingOf = select("thread_id = ? AND status = 'pending' ORDER BY requested_at, id");
  const idsOfPending = database
    .prepare("SELECT id FROM approvals WHERE status = 'pending' ORDER BY requested_at, id")
    .pluck();
  const countOf = database
    .prepare("SELECT count(*) FROM approvals WHERE thread_id = ? AND status = 'pending'")
    .pluck();
  const open = select("thread_id = ? AND status = 'decided' AND consumed_at IS NULL ORDER BY decided_at");
  const insert = database.prepare(
    "INSERT INTO approvals (id, call_key, sequence, kind, asked_by, thread_id, turn_id, item_id, agent_path, tool, args, cwd, subject, description, verdict, risk, allowed, args_schema, value, interrupt_id, action_index, base_hash, digest, shape, status, requested_at) VALUES (@id, @callKey, @sequence, @kind, @askedBy, @threadId, @turnId, @itemId, @agentPath, @tool, @args, @cwd, @subject, @description, @verdict, @risk, @allowed, @argsSchema, @value, @interruptId, @actionIndex, @baseHash, @digest, @shape, 'pending', @at)",
  );
  const decideRow = database.prepare(
    "UPDATE approvals SET status = 'decided', decision = ?, decided_by = ?, seen = ?, decided_at = ?, effective_at = ? WHERE id = ? AND status = 'pending' AND digest = ?",
  );
  const undoRow = database.prepare(
    "UPDATE approvals SET status = 'pending', decision = NULL, decided_by = NULL, seen = NULL, decided_at = NULL, effective_at = NULL WHERE id = ? AND status = 'decided' AND consumed_at IS NULL AND effective_at > ?",
  );
  const consumeRow = database.prepare(
    "UPDATE approvals SET consumed_at = ? WHERE id = ? AND status = 'decided' AND consumed_at IS NULL",
  );
  const voidRows = database.prepare(
    "UPDATE approvals SET consumed_at = ? WHERE thread_id = ? AND status = 'decided' AND consumed_at IS NULL",
  );
  const releaseRow = database.prepare(
    "UPDATE approvals SET consumed_at = NULL WHERE id = ? AND status = 'decided'",
  );
  const cancelRow = database.prepare(
    "UPDATE approvals SET status = 'cancelled' WHERE id = ? AND status = 'pending'",
  );

  const redrawRow = database.prepare(
    "UPDATE approvals SET args = @args, subject = @subject, description = @description, verdict = @verdict, risk = @risk, shape = @shape, base_hash = @baseHash, digest = @digest WHERE id = @id AND status = 'pending'",
  );

  /** Runs a compare-and-set and tells of it only when it took effect. */
  function change(id: ApprovalId, run: () => Database.RunResult): boolean {
    const changed = run().changes === 1;
    if (changed) onChanged(id, parse(byId.get(id))!.threadId);
    return changed;
  }

  return {
    ask(approval, since) {
      const earlier = parse(latest.get(approval.callKey));
      if (earlier?.status === "pending") return { row: earlier, created: false };
      insert.run({ ...toColumns(approval), sequence: (earlier?.sequence ?? -1) + 1, at: since ?? now() });
      onChanged(approval.id, approval.threadId);
      return { row: parse(byId.get(approval.id))!, created: true };
    },
    get: (id) => parse(byId.get(id)),
    latestOf: (callKey) => parse(latest.get(callKey)),
    ofCall: (callKey) => parseAll(byCall.all(callKey)),
    ofInterrupt: (threadId, interruptId) => parseAll(byInterrupt.all(threadId, interruptId)),
    pending: (threadId) => parseAll(threadId ? pendingOf.all(threadId) : pendingAll.all()),
    pendingIds: () => idsOfPending.all() as ApprovalId[],
    pendingCount: (threadId: ThreadId) => Number(countOf.get(threadId)),
    pendingCounts() {
      const rows = database
        .prepare(
          "SELECT thread_id AS id, count(*) AS n FROM approvals WHERE status = 'pending' GROUP BY thread_id",
        )
        .all() as { id: ThreadId; n: number }[];
      return new Map(rows.map((row) => [row.id, row.n]));
    },
    unconsumed: (threadId) => parseAll(open.all(threadId)),
    threadsWithUnconsumed: () =>
      database
        .prepare("SELECT DISTINCT thread_id FROM approvals WHERE status = 'decided' AND consumed_at IS NULL")
        .pluck()
        .all() as ThreadId[],
    decide: (id, digest, { decision, by, seen, effectiveAt }) =>
      change(id, () =>
        decideRow.run(
          JSON.stringify(decision),
          JSON.stringify(by),
          optionalJson(seen),
          now(),
          effectiveAt,
          id,
          digest,
        ),
      ),
    undo: (id) => change(id, () => undoRow.run(id, now())),
    consume: (id) => change(id, () => consumeRow.run(now(), id)),
    voidUnconsumed: (threadId) => void voidRows.run(now(), threadId),
    release: (id) => void change(id, () => releaseRow.run(id)),
    cancel: (id) => change(id, () => cancelRow.run(id)),
    snooze: (id, until) =>
      void change(id, () =>
        database
          .prepare("UPDATE approvals SET snoozed_until = ? WHERE id = ? AND status = 'pending'")
          .run(until, id),
      ),
    redraw: (id, drawn) => void change(id, () => redrawRow.run({ id, ...toRedrawnColumns(drawn) })),
    removeThread: (threadId) =>
      void database.prepare("DELETE FROM approvals WHERE thread_id = ?").run(threadId),
  };
}

function optionalJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function toRedrawnColumns(drawn: Redrawn): Record<string, string | null> {
  const { args, subject, description, verdict, risk, shape, baseHash, digest } = drawn;
  return {
    args: JSON.stringify(args),
    subject: JSON.stringify(subject),
    description: description ?? null,
    verdict: JSON.stringify(verdict),
    risk,
    shape,
    baseHash: baseHash ?? null,
    digest,
  };
}

function toColumns(approval: NewApproval): Record<string, string | number | null> {
  return {
    ...approval,
    agentPath: JSON.stringify(approval.agentPath),
    args: JSON.stringify(approval.args),
    subject: JSON.stringify(approval.subject),
    verdict: JSON.stringify(approval.verdict),
    allowed: JSON.stringify(approval.allowed),
    argsSchema: optionalJson(approval.argsSchema),
    value: optionalJson(approval.value),
    description: approval.description ?? null,
    interruptId: approval.interruptId ?? null,
    actionIndex: approval.actionIndex ?? null,
    baseHash: approval.baseHash ?? null,
  };
}
