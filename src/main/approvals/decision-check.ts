/** Says why a decision does not count: it is not allowed here, comes too late, or was made about something else. */
import { z } from "zod";
import type { Decision } from "../../shared/contract/decisions.ts";
import { whyNotFitting } from "../../shared/contract/form-fields.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { ApprovalRow } from "./approval-row.ts";
import { shortenedDigest } from "./approval-view.ts";

/**
 * @param shownDigest what the person looked at; a rejection counts whatever was shown.
 * @returns a sentence, or `undefined` when the decision counts.
 */
export function whyNotDecided(row: ApprovalRow, shownDigest: string, decision: Decision): string | undefined {
  if (row.status === "decided") return "This was decided already.";
  if (row.status === "cancelled") return "This is not asked any more.";
  if (row.server?.standing.kind === "unseen")
    return `${row.server.name} does not answer now, so nothing can be told to it. Decide when it answers again.`;
  if (!row.allowed.includes(decision.type))
    return `“${decision.type}” is not one of the decisions allowed here: ${row.allowed.join(", ")}.`;
  if ("holdResponse" in decision && decision.holdResponse && !bringsResponse(row))
    return "Only what the web brings back can wait for you before the agent reads it.";
  const problem = decision.type === "edit" && checkArguments(decision.args, row.argsSchema);
  if (problem) return problem;
  const misfit = decision.type === "respond" && whyNoAnswer(row.subject, decision.answer);
  if (misfit) return misfit;
  if (shownDigest === shortenedDigest(row.digest) && decision.type !== "reject")
    return "Only a part of this was shown. Look at all of it first; what is too large to be shown can only be rejected.";
  if (row.digest !== shownDigest && decision.type !== "reject")
    return row.subject.kind === "file"
      ? "The file changed since this was shown. Look at the new change and decide again."
      : "This is not what was shown. Look at what is asked now and decide again.";
  if (row.verdict.verdict === "deny" && decision.type === "approve")
    return "A rule forbids this now. Reject it, or take the rule back first.";
  if (row.subject.kind === "file" && row.subject.stale && decision.type === "approve")
    return "The change no longer fits the file on disk. Reject it, so that the agent reads the file again.";
  return undefined;
}

/** Whether what comes back is handed over here, so that it can be kept. */
function bringsResponse({ askedBy, kind, tool }: ApprovalRow): boolean {
  return askedBy === "gate" && kind === "tool" && kindOf(tool) === "web";
}

/** @returns a sentence, or `undefined` when it is an answer to what was asked. */
function whyNoAnswer(subject: Subject, answer: unknown): string | undefined {
  if (subject.kind !== "question") return undefined;
  if (subject.only && !subject.choices?.some((choice) => choice.answer === answer))
    return "Only the answers that it offers are taken.";
  return subject.fields && whyNotFitting(subject.fields, answer);
}

/** @returns a sentence naming the field, or `undefined` when the arguments fit the schema. */
function checkArguments(
  args: Record<string, unknown>,
  schema: Record<string, unknown> | undefined,
): string | undefined {
  if (!schema) return undefined;
  const { $schema: _dialect, ...rest } = schema;
  const parsed = z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]).safeParse(args);
  if (parsed.success) return undefined;
  const issue = parsed.error.issues[0]!;
  return `The edited arguments do not fit: ${issue.path.join(".") || "arguments"}: ${issue.message}.`;
}
