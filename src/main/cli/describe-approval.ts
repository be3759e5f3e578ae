/** An approval as a terminal shows it, whole: what is not here was not shown, and only its digest approves. */
import { createTwoFilesPatch } from "diff";
import type { Approval, ApprovalDetail } from "../../shared/contract/approvals.ts";
import { describeField, type FormField } from "../../shared/contract/form-fields.ts";
import type { ServerCard } from "../../shared/contract/remote-servers.ts";
import type { RehearsedCommand, Subject } from "../../shared/contract/subjects.ts";
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
    ...(approval.server ? describeServer(approval.server) : []),
    `Tool: ${visibleText(approval.tool)}`,
    "Asks for:",
    visibleLines(aboutApproval(approval), margin),
    ...(subject.kind === "command" ? [`In: ${visibleText(subject.cwd)}`] : []),
    ...(subject.kind === "command" && subject.rehearsed ? describeRehearsal(subject.rehearsed) : []),
    ...(subject.kind === "file" && subject.askedAs ? [`Asked as: ${visibleText(subject.askedAs)}`] : []),
    ...(subject.kind === "setAside" ? describeMade(subject) : []),
    ...(subject.kind === "response" ? describeResponse(subject) : []),
    ...(subject.kind === "question" ? [...describeChoices(subject), ...describeFields(subject)] : []),
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

/** What the object of the answer has. */
function describeFields({ fields = [] }: Extract<Subject, { kind: "question" }>): string[] {
  if (fields.length === 0) return [];
  const lines = fields.map((field) =>
    visibleLines(`${field.name}: ${writeField(field)}`.replaceAll("\n", " "), margin),
  );
  return ["Fields of the answer, to be given with --answer-json:", ...lines];
}

const writeField = (field: FormField) =>
  [field.title, field.about, describeField(field)].filter(Boolean).join(" – ");

/** Each is sent as it stands there. */
function describeChoices({ choices = [], only }: Extract<Subject, { kind: "question" }>): string[] {
  if (choices.length === 0) return [];
  const lines = choices.map(({ answer, about }) => (about === undefined ? answer : `${answer} (${about})`));
  return [
    only ? "Answers it takes:" : "Answers it offers:",
    ...lines.map((line) => visibleLines(line, margin)),
  ];
}

/** A yes puts these files where they were made. */
function describeMade({ files, whole }: Extract<Subject, { kind: "setAside" }>): string[] {
  return [
    ...files.flatMap(({ path, text, runs }) => [
      `It would be ${visibleText(path)}${runs ? ", which runs as a program" : ""}:`,
      visibleLines(text, margin),
    ]),
    ...(whole ? [] : ["This is not all of it, so it can only be left aside from here."]),
  ];
}

/** A yes gives the agent just this. */
function describeResponse({ text, failed }: Extract<Subject, { kind: "response" }>): string[] {
  return [failed ? "It failed, and brought back:" : "It brought back:", visibleLines(text, margin)];
}

/** A yes to what was found commits just that. */
function describeRehearsal(found: RehearsedCommand): string[] {
  if (!found.could) return [`It cannot be rehearsed. ${visibleText(found.why)}`];
  const { exitCode, output, refused, changes } = found;
  const lines = changes.map(({ what, folder, path }) => `${what} ${folder ? "folder " : ""}${path}`);
  return [
    `Rehearsed: it ended with exit code ${exitCode}. A yes puts exactly these changes into the folder and runs nothing:`,
    visibleLines(lines.join("\n") || "It would change no files.", margin),
    ...(refused.length > 0 ? ["It tried to reach:", visibleLines(refused.join("\n"), margin)] : []),
    "It printed:",
    visibleLines(output, margin),
  ];
}

/** Where an answer goes, what else it answers, and what became of one that was given before. */
function describeServer({
  name,
  url,
  graph,
  thread,
  among,
  dialect,
  limit,
  note,
  standing,
}: ServerCard): string[] {
  const dropped = dialect === "javascript" ? ", and with one rejection none of them may run" : "";
  const about = [
    standing.kind === "unseen"
      ? `It does not answer now, so nothing can be decided: ${standing.why}`
      : undefined,
    standing.kind === "unknown"
      ? "An answer was on its way to it, and nobody knows whether it arrived. It is not sent again."
      : undefined,
    limit,
    note,
    among > 1
      ? `It asks about ${among} actions together: nothing is sent before each has its decision${dropped}.`
      : undefined,
    "Its agent acts there, and may do more than is shown.",
  ];
  return [
    `Server: ${visibleText(name)} (${visibleText(url)}), graph ${visibleText(graph)}, thread ${visibleText(thread)}`,
    ...about.flatMap((text) => (text === undefined ? [] : [`  ${visibleText(text)}`])),
  ];
}

function describeDiff({ path, before, after, tooLarge }: NonNullable<ApprovalDetail["diff"]>): string {
  if (tooLarge) return `${path} is too large to compare.`;
  return createTwoFilesPatch(path, path, before ?? "", after ?? "");
}
