/** A call whose effect started before a crash: it is never run again silently (I5), a person says what becomes of it. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { ExecutionId } from "../../shared/ids.ts";
import type { ApprovalRow, NewApproval } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { baseOfTool } from "../tools/shown-base.ts";
import { aboutExecution, fileQuestion, waitForDecision } from "./ask.ts";
import { type Decided, type EffectRoute, faceIn, type Passed } from "./call.ts";
import { describeRecovery, type RecoveryDrawing } from "./drawings.ts";
import { executeOrAsk } from "./execute.ts";
import type { Journal, Pass } from "./journal.ts";
import { TurnStopped } from "./run-context.ts";
import { refuse, rejectionText, respond, settle } from "./settle.ts";
import { describeNewFace, type ToolFace } from "./tool-face.ts";

/** One for each execution whose outcome is unknown. */
const recoveryKey = (callKey: string, executionId: ExecutionId) => `${callKey}#recovery:${executionId}`;

/** @throws GateParked, TurnStopped, or the abort reason of the run. */
export async function recoverCall<T>(
  pass: Pass<T>,
  route: EffectRoute,
  executionId: ExecutionId,
): Promise<Passed<T>> {
  const { journal, call } = pass;
  const answer = await askRecovery(pass, executionId);
  if (answer.decision.type === "respond") {
    const known = typeof answer.decision.answer === "string" ? answer.decision.answer : "";
    const result = known || "The app stopped while this ran. The person looked and marked it as done.";
    journal.executions.close(executionId, { outcome: "answered", result });
    return respond(pass, route, answer, result);
  }
  if (answer.decision.type === "reject")
    return stopTurn(pass, route, executionId, answer, answer.decision.message);
  const { args } = journal.executions.get(executionId)!;
  const judged = await journal.judge.again(call, args, journal.threads.get(call.threadId));
  if (judged.denied !== undefined) {
    journal.executions.close(executionId, { outcome: "denied", result: judged.denied });
    return refuse(pass, { verdict: judged.verdict, cwd: route.cwd }, judged.denied, answer);
  }
  const how = { args, by: answer.by, decided: answer, verdict: route.verdict, width: answer.width };
  const passed = await executeOrAsk(pass, route, how);
  if (passed.kind !== "stale") return passed;
  return recoverCall({ ...pass, call: { ...call, face: passed.face ?? call.face } }, route, executionId);
}

function stopTurn<T>(
  { journal, call }: Pass<T>,
  route: EffectRoute,
  executionId: ExecutionId,
  decided: Decided,
  message = "The app stopped while this ran, and the person does not want it run again.",
): never {
  const result = rejectionText(message);
  journal.executions.close(executionId, { outcome: "rejected", result });
  settle(journal, call, route, { ...decided, decided, outcome: "rejected", result });
  throw new TurnStopped("stopped", "You stopped the turn at a step whose outcome was unknown.");
}

/**
 * Asks what to do about an execution that a crash left unknown.
 * @throws GateParked, or the abort reason of the run.
 */
async function askRecovery<T>({ journal, call, run }: Pass<T>, executionId: ExecutionId): Promise<Decided> {
  const execution = journal.executions.get(executionId)!;
  const drawing = await journal.drawings.again(execution);
  const file = () => fileRecovery(journal, execution, drawing, call.face);
  return waitForDecision<never>(journal, recoveryKey(call.key, executionId), run, file);
}

/** Puts the question about an execution with an unknown outcome into the queue, also before its thread goes on. */
export function fileRecovery(
  journal: Journal,
  execution: ExecutionRow,
  drawing: RecoveryDrawing = {},
  face?: ToolFace,
): ApprovalRow {
  const { log, threads, routes } = journal;
  const item = log.item(execution.threadId, execution.itemId);
  const offered = faceIn(routes.find(execution.callKey));
  const now = face ?? offered;
  return fileQuestion(
    journal,
    toRecoveryQuestion(execution, {
      agentPath: item?.kind === "toolCall" ? item.agentPath : [],
      cwd: threads.find(execution.threadId)?.workspace ?? "",
      output: readOutputTail(execution),
      ...drawing,
      ...(now && { baseHash: baseOfTool(now.digest) }),
      ...(now && offered && now.digest !== offered.digest && { note: describeNewFace(offered, now) }),
    }),
  );
}

/** It started before a crash; run it again, take it for done, or stop? */
function toRecoveryQuestion(
  execution: ExecutionRow,
  known: RecoveryDrawing & { agentPath: string[]; cwd: string; output: string },
): NewApproval {
  const { id: executionId, threadId, tool, args, what, startedAt } = execution;
  const { cwd, output, change, baseHash, note } = known;
  const callKey = recoveryKey(execution.callKey, executionId);
  const width = execution.width ?? undefined;
  const reason = "it started before a crash and its outcome is unknown";
  return {
    ...aboutExecution(execution, known, reason),
    callKey,
    kind: "recovery",
    subject: { kind: "recovery", what, startedAt, output, executionId, change },
    description: describeRecovery(note),
    width,
    allowed: ["approve", "respond", "reject"],
    baseHash,
    digest: digestOf({ threadId, callKey, tool, args, cwd, baseHash, width }),
    shape: `recovery ${tool}`,
  };
}

const tailBytes = 4_000;

/** The last output of an execution that a crash cut off: text that a person can read; none when there is no log, or none that can be read. */
function readOutputTail({ logPath }: ExecutionRow): string {
  if (!logPath) return "";
  try {
    const file = openSync(logPath, "r");
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, tailBytes));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return stripVTControlCharacters(buffer.toString("utf8"));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
