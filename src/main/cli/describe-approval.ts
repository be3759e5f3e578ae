/** An approval as a terminal shows it, whole: what is not here was not shown, and only its digest approves. */
import { createTwoFilesPatch } from "diff";
import type { Approval, ApprovalDetail } from "../../shared/contract/approvals.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import { visibleText } from "../base/visible-text.ts";
import { visibleLines } from "./for-terminals.ts";

const margin = "  | ";

/** One line: what a queue says of it. */
export function describeRow(approval: Approval): string {
  const { id, risk, threadTitle } = approval;
  const about = [...visibleText(aboutApproval(approval))];
  const cut = about.length > 100 ? `${about.slice(0, 99).join("")}…` : about.join("");
  return `${id}  ${risk.padEnd(6)}  ${visibleText(threadTitle)}: ${cut}`;
}

/** All of it. What agents and repositories wrote stands behind a margin. */
export function describeWhole({ approval, args, diff, value }: ApprovalDetail): string {
  const { id, digest, risk, width, verdict, allowedDecisions, workspace, subject } = approval;
  const parts = [
    `Approval ${id}`,
    `Thread: ${visibleText(approval.threadTitle)} (${approval.threadId})`,
    ...(approval.agentPath.length > 0 ? [`Agent: ${approval.agentPath.map(visibleText).join(" › ")}`] : []),
    `Workspace: ${visibleText(workspace)}`,
    `Tool: ${visibleText(approval.tool)}`,
    "Asks for:",
    visibleLines(aboutApproval(approval), margin),
    ...(subject.kind === "command" ? [`In: ${visibleText(subject.cwd)}`] : []),
    ...(subject.kind === "file" && subject.askedAs ? [`Asked as: ${visibleText(subject.askedAs)}`] : []),
    ...(width ? [`May reach: ${width}`] : []),
    `Risk: ${risk} (${verdict.verdict})`,
    ...verdict.units.map(({ reason, text }) => `  ${visibleText(reason)}: ${visibleText(text)}`),
    ...(approval.description ? ["Described as:", visibleLines(approval.description, margin)] : []),
    "Arguments:",
    visibleLines(JSON.stringify(args, null, 2), margin),
    ...(value === undefined ? [] : ["Asked with:", visibleLines(JSON.stringify(value, null, 2), margin)]),
    ...(diff ? ["Change:", visibleLines(describeDiff(diff), margin)] : []),
    `Allowed: ${allowedDecisions.join(", ")}`,
    `Digest: ${digest}`,
  ];
  if (approval.leftOut)
    parts.push(`${approval.leftOut} bytes are not shown, so it can only be rejected from here.`);
  return parts.join("\n");
}

function describeDiff({ path, before, after, tooLarge }: NonNullable<ApprovalDetail["diff"]>): string {
  if (tooLarge) return `${path} is too large to compare.`;
  return createTwoFilesPatch(path, path, before ?? "", after ?? "");
}
