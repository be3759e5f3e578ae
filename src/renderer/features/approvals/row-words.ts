/** What a row of the queue says: verb, object, and the whole of it in words for a screen reader. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { formatAge } from "../../base/words.ts";
import { spellOut } from "../../ui/reveal-characters.ts";
import type { QueueRow } from "./arrange-queue.ts";
import { bounded } from "./merge-units.ts";
import { strings } from "./strings.ts";
import { classOf } from "./verdict-class.ts";

/** A row has one line; the card has all of it. */
const longestObject = 160;

export function verbOf({ subject }: Approval): string {
  return subject.kind === "file" ? strings.rowVerbs[subject.operation] : strings.rowVerbs[subject.kind];
}

/** The first line of what it acts on, and how many there are. */
export function firstLineOf(approval: Approval): { first: string; count: number } {
  const { subject } = approval;
  return beginningOf(subject.kind === "file" ? subject.path : aboutApproval(approval));
}

/** The same in one text. */
export function objectOf(approval: Approval): string {
  return inOneLine(firstLineOf(approval));
}

/** The name of its card, which is heard and not read: what is longer stands in the card. */
export function nameOfCard(approval: Approval): string {
  return spellOut(inOneLine(beginningOf(aboutApproval(approval))));
}

function beginningOf(text: string): { first: string; count: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return { first: bounded(lines[0] ?? text, longestObject), count: lines.length };
}

function inOneLine({ first, count }: { first: string; count: number }): string {
  return count > 1 ? `${first} … ${strings.lines(count)}` : first;
}

/** Whose it is; requests that are alike may be of several threads. */
export function threadsOf(approvals: readonly Approval[]): string {
  const count = new Set(approvals.map(({ threadId }) => threadId)).size;
  return count > 1 ? strings.fromThreads(count) : (approvals[0]?.threadTitle ?? "");
}

/** Its risk in words; an answer runs nothing, so that a question says that it is one. */
export function riskWordOf({ risk, subject }: Approval): string {
  return subject.kind === "question" && risk !== "high" ? strings.question : strings.risks[risk];
}

/** Risk, deed, thread and age: what the eye gets from shape and columns. */
export function nameOfRow(row: Extract<QueueRow, { kind: "card" | "alike" }>, nowMs: number): string {
  const [approval] = row.kind === "card" ? [row.approval] : row.approvals;
  if (!approval) return "";
  const beyond = classOf(approval.verdict);
  const what = row.kind === "card" ? objectOf(approval) : row.shape;
  const parts = [
    riskWordOf(approval),
    `${verbOf(approval)} ${what}`,
    ...(row.kind === "alike" ? [strings.alikeShort(row.approvals.length)] : []),
    threadsOf(row.kind === "card" ? [row.approval] : row.approvals),
    strings.waits(formatAge(approval.requestedAt, nowMs)),
    ...(beyond ? [strings.classes[beyond]] : []),
  ];
  return parts.map(spellOut).join(", ");
}
