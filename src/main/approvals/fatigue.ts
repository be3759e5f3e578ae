/** How a person decides, counted from the record: how often they are asked, how long they look, and what they take back later. */
import type Database from "better-sqlite3";
import type { Output } from "../../shared/contract/contract.ts";

type Figures = Omit<Output<"approvals.fatigue">, "change"> & { together: number };

/** Of the newest decisions. */
const countedDecisions = 500;
const dayMs = 86_400_000;
/** Decisions further apart than this belong to another sitting. */
const sittingMs = 15 * 60_000;
/** A look that is shorter than this is none. */
const glanceMs = 1_000;

export type DecidedRow = {
  at: number;
  decidedAt: number;
  threadId: string;
  tool: string;
  type: string;
  risk: string;
  ms: number | null;
  among: number | null;
  /** Empty for what is decided one by one in any case: what the sandbox refused, and what was moved aside. */
  shape: string;
  cwd: string;
};

/** A change that would have spared fewer is none. */
const enough = 3;

/** The one change that would have spared most. @param byRules approvals that the rules on offer would have answered */
export function findChange(together: number, byRules: number): Output<"approvals.fatigue">["change"] {
  if (Math.max(together, byRules) < enough) return undefined;
  return byRules >= together ? { kind: "rules", spared: byRules } : { kind: "together", spared: together };
}

/** Reads nothing but this machine's own decisions; what was imported or decided by a rule or a switch is not counted. */
export function createFatigueMeter(database: Database.Database, now: () => number): () => Figures {
  const newest = database.prepare(
    `SELECT requested_at AS at, decided_at AS decidedAt, thread_id AS threadId, tool, decision ->> '$.type' AS type, risk, seen ->> '$.ms' AS ms,
       seen ->> '$.among' AS among, iif(kind = 'tool', shape, '') AS shape, cwd
     FROM approvals WHERE status = 'decided' AND decided_by ->> '$.kind' = 'person' AND kind IN ('tool', 'escalation', 'setAside', 'response')
     ORDER BY decided_at DESC, rowid DESC LIMIT ?`,
  );
  return () => countFatigue((newest.all(countedDecisions) as DecidedRow[]).reverse(), now());
}

/** @param rows the oldest first */
export function countFatigue(rows: readonly DecidedRow[], now: number): Figures {
  const approvals = rows.filter(({ type }) => type === "approve");
  const risky = approvals.filter(({ risk }) => risk === "high");
  const looked = rows
    .flatMap(({ ms, among }) => (ms === null || among !== null ? [] : [ms]))
    .toSorted((a, b) => a - b);
  return {
    decided: rows.length,
    // A clock that was put back has it later than now.
    days: rows.length === 0 ? 0 : Math.max(1, Math.ceil((now - rows[0]!.at) / dayMs)),
    perHour: perHour(rows),
    perThread: rows.length === 0 ? 0 : rows.length / new Set(rows.map(({ threadId }) => threadId)).size,
    approved: approvals.length,
    ...(looked.length > 0 && { lookMs: looked[Math.floor((looked.length - 1) / 2)]! }),
    looked: looked.length,
    risky: risky.length,
    hurried: risky.filter(({ ms }) => ms !== null && ms < glanceMs).length,
    regretted: countRegretted(rows),
    together: countTogether(rows),
  };
}

/** Asks in the hours in which somebody sat there: the time between asks counts up to a quarter of an hour each. */
function perHour(rows: readonly DecidedRow[]): number {
  const times = rows.map(({ at }) => at).toSorted((a, b) => a - b);
  const sat = times
    .slice(1)
    .reduce((sum, at, before) => sum + Math.min(at - times[before]!, sittingMs), sittingMs);
  return rows.length === 0 ? 0 : rows.length / (sat / 3_600_000);
}

/** Approvals of which the like was rejected later, in the same folder. */
function countRegretted(rows: readonly DecidedRow[]): number {
  const rejected = new Set<string>();
  let count = 0;
  for (const { type, shape, cwd, tool } of rows.toReversed()) {
    if (shape === "") continue;
    const like = JSON.stringify([tool, shape, cwd]);
    if (type === "reject") rejected.add(like);
    else if (type === "approve" && rejected.has(like)) count += 1;
  }
  return count;
}

/** Decisions that were made one by one although the like waited in the same thread at the same time. */
function countTogether(rows: readonly DecidedRow[]): number {
  const alone = rows.filter(({ among, shape }) => among === null && shape !== "");
  const groups = Map.groupBy(alone, ({ threadId, tool, shape, cwd }) =>
    JSON.stringify([threadId, tool, shape, cwd]),
  );
  return [...groups.values()].reduce((sum, group) => {
    let waitedUntil = Number.NEGATIVE_INFINITY;
    let spared = 0;
    for (const { at, decidedAt } of group.toSorted((a, b) => a.at - b.at)) {
      if (at <= waitedUntil) spared += 1;
      waitedUntil = Math.max(waitedUntil, decidedAt);
    }
    return sum + spared;
  }, 0);
}
