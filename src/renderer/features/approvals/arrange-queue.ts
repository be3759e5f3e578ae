/** Turns the waiting approvals into the rows of a view: filtered, sorted, grouped. Pure, so that it can be tested and kept fast. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Risk } from "../../../shared/contract/decisions.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";
import type { QueueFilters, QueueViewName } from "./queue-store.ts";
import { classOf } from "./verdict-class.ts";

export type QueueRow =
  | { kind: "heading"; key: string; label: string; count: number }
  /** `within`: below the group that it is one of. */
  | { kind: "card"; key: string; approval: Approval; within?: true }
  /** Several of one form, none of high risk, to be decided by one decision. */
  | { kind: "alike"; key: string; shape: string; approvals: readonly Approval[]; open: boolean }
  /** A thread that failed or was interrupted, and goes on only when the person says so. */
  | { kind: "halted"; key: string; thread: ThreadSummary };

const riskOrder: Record<Risk, number> = { high: 0, medium: 1, low: 2 };

/** What is looked at, in the order of the view; without the snoozed ones, or only those. */
export function chooseApprovals(
  pending: readonly Approval[],
  view: QueueViewName,
  filters: QueueFilters,
  nowMs: number,
): Approval[] {
  const wantsSnoozed = view === "snoozed";
  const chosen = pending.filter(
    (approval) => isSnoozed(approval, nowMs) === wantsSnoozed && matches(approval, filters, nowMs),
  );
  if (view !== "urgent") return chosen;
  const behind = crowdsOf(chosen);
  const isBehind = (one: Approval) => Number(behind.has(one));
  return chosen.sort(
    (a, b) =>
      isBehind(a) - isBehind(b) || riskOrder[a.risk] - riskOrder[b.risk] || a.requestedAt - b.requestedAt,
  );
}

/** So many cards of one server stand among the others at a time. */
const mostAmongOthers = 3;

/**
 * Whatever a server asks is of high risk, since nobody here judges it: without this a thousand questions of one server
 * would stand above all that agents here ask. What is behind moves up as the ones before it are decided.
 */
function crowdsOf(chosen: readonly Approval[]): ReadonlySet<Approval> {
  const ofServers = Map.groupBy(
    chosen.filter(({ server }) => server !== undefined),
    ({ server }) => server?.id,
  );
  const behind = [...ofServers.values()].flatMap((cards) =>
    cards.sort((a, b) => a.requestedAt - b.requestedAt).slice(mostAmongOthers),
  );
  return new Set(behind);
}

const noneOpen: ReadonlySet<string> = new Set();

export function arrangeRows(
  approvals: readonly Approval[],
  view: QueueViewName,
  openShapes: ReadonlySet<string> = noneOpen,
): QueueRow[] {
  if (view === "thread")
    return grouped(
      approvals,
      (one) => one.threadId,
      (one) => one.threadTitle,
    );
  if (view === "workspace")
    return grouped(
      approvals,
      (one) => one.workspace,
      (one) => one.workspace,
    );
  if (view === "shape") return byShape(approvals, openShapes);
  return approvals.map(card);
}

function card(approval: Approval): Extract<QueueRow, { kind: "card" }> {
  return { kind: "card", key: approval.id, approval };
}

function grouped(
  approvals: readonly Approval[],
  keyOf: (approval: Approval) => string,
  labelOf: (approval: Approval) => string,
): QueueRow[] {
  const rows: QueueRow[] = [];
  for (const [key, members] of Map.groupBy(approvals, keyOf)) {
    const first = members[0];
    if (!first) continue;
    rows.push({ kind: "heading", key: `heading:${key}`, label: labelOf(first), count: members.length });
    rows.push(...members.map(card));
  }
  return rows;
}

/**
 * Only what one line tells in full folds: a command of one unit, or an address. High risk ones always stand alone, and
 * so does whatever cannot simply be approved.
 */
function byShape(approvals: readonly Approval[], openShapes: ReadonlySet<string>): QueueRow[] {
  const rows: QueueRow[] = [];
  const groups = Map.groupBy(approvals, (one) =>
    isFoldable(one) ? `alike:${one.workspace}:${one.tool}:${one.shape}` : `alone:${one.id}`,
  );
  const bySize = [...groups].sort((a, b) => b[1].length - a[1].length);
  for (const [key, members] of bySize) {
    const first = members[0];
    if (!first) continue;
    if (members.length === 1) {
      rows.push(card(first));
      continue;
    }
    const open = openShapes.has(key);
    rows.push({ kind: "alike", key, shape: first.shape, approvals: members, open });
    if (open) rows.push(...members.map((one) => ({ ...card(one), within: true }) as const));
  }
  return rows;
}

function isFoldable({ risk, kind, subject, shape, verdict, allowedDecisions }: Approval): boolean {
  const oneUnit = subject.kind === "command" && verdict.units.length === 1;
  const toldByOneLine = oneUnit || subject.kind === "url";
  return (
    toldByOneLine &&
    classOf(verdict) === undefined &&
    shape !== "" &&
    risk !== "high" &&
    kind === "tool" &&
    allowedDecisions.includes("approve")
  );
}

function matches(approval: Approval, filters: QueueFilters, nowMs: number): boolean {
  if (filters.risk !== "any" && approval.risk !== filters.risk) return false;
  if (filters.tool !== "any" && approval.tool !== filters.tool) return false;
  if (filters.threadId !== "any" && approval.threadId !== filters.threadId) return false;
  if (filters.workspace !== "any" && approval.workspace !== filters.workspace) return false;
  if (filters.olderThan !== "any" && nowMs - approval.requestedAt < Number(filters.olderThan) * 60_000)
    return false;
  const search = filters.search.trim().toLowerCase();
  return search === "" || searchTextOf(approval).includes(search);
}

function searchTextOf(approval: Approval): string {
  return [
    aboutApproval(approval),
    approval.tool,
    approval.threadTitle,
    approval.workspace,
    approval.description,
    ...approval.agentPath,
  ]
    .join("\n")
    .toLowerCase();
}
