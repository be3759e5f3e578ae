/** Takes one call of our tools by a governed agent through the gate, as a call of the built-in agent, and gives its result. */
import { messageOf } from "../../../shared/message-of.ts";
import { GateParked, type ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import { announceCall, finishCall } from "../../gate/record.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import { isDatabaseError } from "../../storage/storage-error.ts";
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import { keyOfWords, takeBack } from "./key-of-words.ts";
import type { TurnDrawing } from "./turn-drawing.ts";

export type TakeParts = {
  journal: Journal;
  run: RunContext;
  drawing: TurnDrawing;
  tools: OfferedTools;
  /** Keys of calls that are made right now. */
  underway: Set<string>;
};

export type Asked = { tool: string; args: Record<string, unknown> };
export type Taken = { text: string; isError: boolean };

/**
 * @param withdrawn aborts when the agent gives up its call or is gone: then its card goes, and what runs is ended.
 * @throws TurnStopped when a person stops the turn instead, or it asks more than a turn may; else the signals' reasons
 */
export async function takeCall(
  { journal, run, drawing, tools, underway }: TakeParts,
  asked: Asked,
  withdrawn: AbortSignal,
): Promise<Taken> {
  const { tool } = asked;
  drawing.bounds.countQuestion(asked.args);
  const read = await tools.read(tool, asked.args);
  const args = "args" in read ? read.args : asked.args;
  const argsSchema = tools.list.find(({ name }) => name === tool)?.argsSchema;
  const draft = { ...drawing.toTaken(tool, args), argsSchema };
  if ("problem" in read) {
    announceCall(journal, draft);
    finishCall(journal, draft, { outcome: "failed", result: read.problem });
    return { text: read.problem, isError: true };
  }
  const key = keyOfWords(journal, draft, underway);
  // After a restart it is the same call, and the same item of the thread.
  const { itemId } = journal.approvals.latestOf(key) ?? journal.executions.latestOf(key) ?? draft;
  const call = { ...draft, key, itemId };
  const signal = AbortSignal.any([run.signal, withdrawn]);
  const act = (used: Asked["args"]): Promise<ToolOutput<string>> =>
    tools.call({ ...run, signal }, tool, used);
  underway.add(call.key);
  try {
    // What it calls is ours to do, so a person may change it.
    const passed = await passGate({ journal, call, run: { ...run, mayEdit: true, signal }, act });
    if (passed.kind === "text") return passed;
    const item = journal.log.item(call.threadId, call.itemId);
    const isError = item?.kind === "toolCall" && item.outcome !== undefined && item.outcome !== "ok";
    return { text: passed.original, isError };
  } catch (error) {
    if (run.signal.aborted || endsTheTurn(error)) throw error;
    if (withdrawn.aborted) {
      takeBack(journal, call, false);
      throw error;
    }
    const text = `The ${tool} call failed: ${messageOf(error)}`;
    finishCall(journal, call, { outcome: "failed", result: text });
    return { text, isError: true };
  } finally {
    underway.delete(call.key);
  }
}

const endsTheTurn = (error: unknown) =>
  error instanceof TurnStopped || error instanceof GateParked || isDatabaseError(error);
