/** Draws a card that waits as it would be asked now: against the disk, and with the rules of now; and the difference that a file change shows. */

import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { VerdictName } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { readWidth } from "../../shared/width.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import type { Drawing } from "../approvals/redraw.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { widthOf } from "../policy/width-of.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import { explainUnable } from "../tools/file-card.ts";
import { planToolChange } from "../tools/kinds/change.ts";
import { isStillShown } from "../tools/shown-base.ts";
import type { Described } from "../tools/tool-behaviour.ts";
import type { ToolPolicy } from "../tools/tool-policy.ts";
import type { RouteStore } from "./route-store.ts";

/** What running it again would do to the world as it is now; empty for what leaves nothing to draw. */
export type RecoveryDrawing = {
  change?: Extract<Subject, { kind: "recovery" }>["change"];
  baseHash?: string;
  /** What a person should know before they run it again. */
  note?: string;
};

export type Drawings = {
  /** @returns `undefined` when nothing of the card depends on the disk, an address or a rule. */
  of(row: ApprovalRow, args: Record<string, unknown>): Promise<Drawing | undefined>;
  /** What running a file change again would do; empty for any other tool. */
  again(execution: Pick<ExecutionRow, "threadId" | "tool" | "args">): Promise<RecoveryDrawing>;
};

/** @param routes what was said of a call with these arguments when it was judged: the card may become stricter, never laxer. */
export function createDrawings(
  policy: ToolPolicy,
  threads: Pick<ThreadStore, "get">,
  routes: Pick<RouteStore, "askedVerdict">,
): Drawings {
  async function again({ threadId, tool, args }: Parameters<Drawings["again"]>[0]): Promise<RecoveryDrawing> {
    if (kindOf(tool) !== "change") return {};
    const thread = threads.get(threadId);
    const alwaysAsked = { verdict: "ask" as const, units: [] };
    const { subject, baseHash, unable } = await policy.describe(tool, args, thread, alwaysAsked);
    if (unable || subject.kind !== "file" || subject.operation === "read")
      return { baseHash, note: unable && explainUnable(unable.why) };
    const { operation, path, movedTo, added, removed } = subject;
    return { baseHash, change: { operation, path, movedTo, added, removed } };
  }

  async function ofRecovery(row: ApprovalRow): Promise<Drawing | undefined> {
    if (row.subject.kind !== "recovery" || kindOf(row.tool) !== "change") return undefined;
    const { change, baseHash, note } = await again(row);
    const subject = { ...row.subject, change };
    const { shape, verdict, width } = row;
    return {
      subject,
      shape,
      verdict,
      width,
      baseHash,
      description: describeRecovery(note),
      unable: undefined,
    };
  }

  async function ofCall(row: ApprovalRow, args: Record<string, unknown>): Promise<Drawing | undefined> {
    const { kind } = row.subject;
    const isEdited = args !== row.args;
    if (kind !== "file" && kind !== "command" && !(kind === "url" && isEdited)) return undefined;
    const thread = threads.get(row.threadId);
    const { verdict: now, shape: shapeNow } = await policy.judge(row.tool, args, thread, true);
    const asked = routes.askedVerdict(row.callKey, args);
    const verdict = asked && order.indexOf(asked.verdict) > order.indexOf(now.verdict) ? asked : now;
    const drawn = await policy.describe(row.tool, args, thread, asked ?? now, shapeNow);
    const { subject, shape, baseHash } = isEdited ? drawn : asStale(row, drawn);
    // Outside stays outside; what was confined is as wide as the edited words need, in the folders that it had.
    const width =
      isEdited && row.width !== undefined && row.width !== "outside"
        ? widthOf(verdict, readWidth(row.width).folders)
        : row.width;
    const description = noteCovered(row.description, verdict !== now && now.verdict === "covered");
    return { subject, shape, baseHash, description, verdict, width, unable: drawn.unable?.why };
  }

  return {
    again,
    of: (row, args) => (row.kind === "tool" ? ofCall(row, args) : ofRecovery(row)),
  };
}

/** What could be made when it was asked and cannot any more waits for a rejection; what never could is as it was. */
function asStale(row: ApprovalRow, drawn: Described): Pick<Described, "subject" | "shape" | "baseHash"> {
  const { subject } = row;
  // What a rehearsal found stays on the card; whether it still fits is looked at when it is committed.
  if (subject.kind === "command") return { ...drawn, subject, baseHash: row.baseHash ?? undefined };
  // Nothing that was shown is different, so whoever is about to decide need not look again.
  if (row.baseHash && drawn.baseHash && isStillShown(row.baseHash, drawn.baseHash))
    return { ...drawn, baseHash: row.baseHash };
  if (!drawn.unable || subject.kind !== "file") return drawn;
  return {
    subject: { ...subject, added: 0, removed: 0, stale: true },
    shape: row.shape,
    baseHash: undefined,
  };
}

/** @param note what is known besides, such as what the disk shows. */
export function describeRecovery(note: string | undefined): string {
  const unknown = "The app stopped while this ran, so nobody knows whether it finished.";
  return note ? `${unknown} ${note}` : unknown;
}

const order: VerdictName[] = ["safe", "covered", "new", "ask", "deny"];

const coveredNote = "A rule that was added since covers this. It still waits for your decision.";

function noteCovered(description: string | undefined, isCovered: boolean): string | undefined {
  const own = description?.split("\n").filter((line) => line !== coveredNote) ?? [];
  return [...own, ...(isCovered ? [coveredNote] : [])].join("\n") || undefined;
}

/** @returns nothing for a card that changes no file, for a move, and for what cannot be made as the disk is. */
export async function diffOfCard(row: ApprovalRow, files: WorkspaceFiles): Promise<FileDiff | undefined> {
  const { subject } = row;
  const isChange = subject.kind === "file" && subject.operation !== "read" && row.kind === "tool";
  if (!isChange && !(subject.kind === "recovery" && subject.change)) return undefined;
  const plan = await planToolChange(files, row, row.verdict).catch(() => undefined);
  // A move changes nothing in the file.
  if (!plan || plan.to) return undefined;
  const { relativePath: path, before, after } = plan;
  return { path, before, after, tooLarge: plan.tooLarge || plan.binary };
}
