/** Says why a decision does not count: it is not allowed here, comes too late, or was made about something else. */
import { z } from "zod";
import type { Decision } from "../../shared/contract/decisions.ts";
import type { ApprovalRow } from "../approvals/approval-store.ts";

/**
 * @param shownDigest what the person looked at; a rejection counts whatever was shown.
 * @returns a sentence, or `undefined` when the decision counts.
 */
export function whyNotDecided(row: ApprovalRow, shownDigest: string, decision: Decision): string | undefined {
  if (row.status === "decided") return "This was decided already.";
  if (row.status === "cancelled") return "This is not asked any more.";
  if (!row.allowed.includes(decision.type))
    return `“${decision.type}” is not one of the decisions allowed here: ${row.allowed.join(", ")}.`;
  const problem = decision.type === "edit" && checkArguments(decision.args, row.argsSchema);
  if (problem) return problem;
  if (row.digest !== shownDigest && decision.type !== "reject")
    return "The file changed since this was shown. Look at the new change and decide again.";
  if (row.subject.kind === "file" && row.subject.stale && decision.type === "approve")
    return "The change no longer fits the file on disk. Reject it, so that the agent reads the file again.";
  return undefined;
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
