/** Rows of the approval queue; whatever waits for a person is here before anyone is told, and stays until it is decided. */
import type Database from "better-sqlite3";
import type { DecidedBy, Decision, Seen } from "../../shared/contract/decisions.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { type PackedText, unpackedBytes } from "../storage/packed-text.ts";
import {
  type ApprovalRow,
  allColumns,
  insertRow,
  type NewApproval,
  packLong,
  parseRow,
  type Redrawn,
  redrawnColumns,
  selectLong,
  toNewColumns,
  toRedrawnColumns,
  updateLong,
} from "./approval-row.ts";

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
  /** The ids of all that wait, or of those of a kind, oldest first, without reading what they hold. */
  pendingIds(kind?: ApprovalRow["kind"]): ApprovalId[];
  pendingCount(threadId: ThreadId): number;
  /** Of each thread whose id begins so. */
  pendingCounts(prefix?: string): Map<ThreadId, number>;
  /** How many bytes the cards of each of those threads hold, without reading them. */
  pendingBytes(prefix: string): Map<ThreadId, number>;
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

/** @param onChanged called after each change of a row with the row's thread, and whether it is a new question. */
export function createApprovalStore(
  database: Database.Database,
  now: () => number,
  onChanged: (id: ApprovalId, threadId: ThreadId, isAsked: boolean) => void,
): ApprovalStore {
  const reads = createReads(database);
  const insert = database.prepare(insertRow);
  const threadOf = database.prepare("SELECT thread_id FROM approvals WHERE id = ?").pluck();
  const update = (rest: string) => database.prepare(`UPDATE approvals SET ${rest}`);
  const decideRow = update(
    "status = 'decided', decision = ?, decided_by = ?, seen = ?, decided_at = ?, effective_at = ? WHERE id = ? AND status = 'pending' AND digest = ?",
  );
  const undoRow = update(
    "status = 'pending', decision = NULL, decided_by = NULL, seen = NULL, decided_at = NULL, effective_at = NULL WHERE id = ? AND status = 'decided' AND consumed_at IS NULL AND effective_at > ?",
  );
  const consumeRow = update("consumed_at = ? WHERE id = ? AND status = 'decided' AND consumed_at IS NULL");
  const long = database.prepare(selectLong);
  const pack = database.prepare(updateLong);
  const voidRows = update(
    "consumed_at = ? WHERE thread_id = ? AND status = 'decided' AND consumed_at IS NULL",
  );
  const releaseRow = update("consumed_at = NULL WHERE id = ? AND status = 'decided'");
  const cancelRow = update("status = 'cancelled' WHERE id = ? AND status = 'pending'");
  const snoozeRow = update("snoozed_until = ? WHERE id = ? AND status = 'pending'");
  const redrawRow = update(`${redrawnColumns} WHERE id = @id AND status = 'pending'`);

  /** Runs a compare-and-set and tells of it only when it took effect. */
  function change(id: ApprovalId, run: () => Database.RunResult): boolean {
    const changed = run().changes === 1;
    if (changed) onChanged(id, threadOf.get(id) as ThreadId, false);
    return changed;
  }

  return {
    ...reads,
    ask(approval, since) {
      const earlier = reads.latestOf(approval.callKey);
      if (earlier?.status === "pending") return { row: earlier, created: false };
      const sequence = (earlier?.sequence ?? -1) + 1;
      insert.run({ ...toNewColumns(approval), sequence, status: "pending", requestedAt: since ?? now() });
      onChanged(approval.id, approval.threadId, true);
      return { row: reads.get(approval.id)!, created: true };
    },
    decide(id, digest, { decision, by, seen, effectiveAt }) {
      const made = [JSON.stringify(decision), JSON.stringify(by), optionalJson(seen), now(), effectiveAt];
      return change(id, () => decideRow.run(...made, id, digest));
    },
    undo: (id) => change(id, () => undoRow.run(id, now())),
    consume: (id) =>
      change(id, () => {
        const done = consumeRow.run(now(), id);
        if (done.changes === 1) pack.run(packLong(id, long.get(id) as Parameters<typeof packLong>[1]));
        return done;
      }),
    voidUnconsumed: (threadId) => void voidRows.run(now(), threadId),
    release: (id) => void change(id, () => releaseRow.run(id)),
    cancel: (id) => change(id, () => cancelRow.run(id)),
    snooze: (id, until) => void change(id, () => snoozeRow.run(until, id)),
    redraw: (id, drawn) => void change(id, () => redrawRow.run({ id, ...toRedrawnColumns(drawn) })),
    removeThread: (threadId) =>
      void database.prepare("DELETE FROM approvals WHERE thread_id = ?").run(threadId),
  };
}

type Reads = Pick<
  ApprovalStore,
  | "get"
  | "latestOf"
  | "ofCall"
  | "ofInterrupt"
  | "pending"
  | "pendingIds"
  | "pendingCount"
  | "pendingCounts"
  | "pendingBytes"
  | "unconsumed"
  | "threadsWithUnconsumed"
>;

/** What only reads; each statement is prepared once. */
function createReads(database: Database.Database): Reads {
  const select = (rest: string, from = "approvals") =>
    database.prepare(`SELECT ${allColumns} FROM ${from} WHERE ${rest}`);
  const parse = (row: unknown) => (row ? parseRow(row) : undefined);
  const parseAll = (rows: unknown[]) => rows.map(parseRow);
  const byId = select("id = ?");
  const latest = select("call_key = ? ORDER BY sequence DESC LIMIT 1");
  const byCall = select("call_key = ? ORDER BY sequence");
  const byInterrupt = select("thread_id = ? AND interrupt_id = ? ORDER BY sequence, action_index");
  const pendingAll = select("status = 'pending' ORDER BY requested_at, id");
  // Left to itself SQLite reads all that was ever asked in the thread.
  const pendingOf = select(
    "thread_id = ? AND status = 'pending' ORDER BY requested_at, id",
    "approvals INDEXED BY approvals_pending",
  );
  const idsOfPending = database
    .prepare(
      "SELECT id FROM approvals WHERE status = 'pending' AND kind = coalesce(?, kind) ORDER BY requested_at, id",
    )
    .pluck();
  const countOf = database
    .prepare("SELECT count(*) FROM approvals WHERE thread_id = ? AND status = 'pending'")
    .pluck();
  const counts = database.prepare(
    "SELECT thread_id AS id, count(*) AS n FROM approvals WHERE status = 'pending' AND thread_id BETWEEN ? AND ? GROUP BY thread_id",
  );
  database.function("unpacked_bytes", { deterministic: true }, (packed: unknown) =>
    unpackedBytes(packed as PackedText),
  );
  const sizes = database.prepare(
    "SELECT thread_id AS id, sum(unpacked_bytes(args) + unpacked_bytes(subject) + unpacked_bytes(coalesce(value, ''))) AS n FROM approvals WHERE status = 'pending' AND thread_id BETWEEN ? AND ? GROUP BY thread_id",
  );
  const toMap = (rows: unknown[]) =>
    new Map((rows as { id: ThreadId; n: number }[]).map((row) => [row.id, row.n]));
  const beginning = (prefix: string) => [prefix, `${prefix}\u{10ffff}`];
  const open = select("thread_id = ? AND status = 'decided' AND consumed_at IS NULL ORDER BY decided_at");
  const threadsWithOpen = database
    .prepare("SELECT DISTINCT thread_id FROM approvals WHERE status = 'decided' AND consumed_at IS NULL")
    .pluck();
  return {
    get: (id) => parse(byId.get(id)),
    latestOf: (callKey) => parse(latest.get(callKey)),
    ofCall: (callKey) => parseAll(byCall.all(callKey)),
    ofInterrupt: (threadId, interruptId) => parseAll(byInterrupt.all(threadId, interruptId)),
    pending: (threadId) => parseAll(threadId ? pendingOf.all(threadId) : pendingAll.all()),
    pendingIds: (kind) => idsOfPending.all(kind ?? null) as ApprovalId[],
    pendingCount: (threadId) => Number(countOf.get(threadId)),
    pendingCounts: (prefix = "") => toMap(counts.all(...beginning(prefix))),
    pendingBytes: (prefix) => toMap(sizes.all(...beginning(prefix))),
    unconsumed: (threadId) => parseAll(open.all(threadId)),
    threadsWithUnconsumed: () => threadsWithOpen.all() as ThreadId[],
  };
}

function optionalJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
