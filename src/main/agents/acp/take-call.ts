/** Takes one call of our tools by a governed agent through the gate, as a call of the built-in agent, and gives its result. */
import { messageOf } from "../../../shared/message-of.ts";
import { type GatedCall, GateParked, type ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import { announceCall, finishCall } from "../../gate/record.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";
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
  /** Keys of calls that ended before the agent was cut off: made again at once, each has the end that it had. */
  unheard: Set<string>;
};

const mostNameChars = 200;

export type Asked = { tool: string; args: Record<string, unknown> };
export type Taken = { text: string; isError: boolean };

/**
 * @param withdrawn aborts when the agent gives up its call or is gone: then its card goes, and what runs is ended.
 * @throws TurnStopped when a person stops the turn instead, or it asks more than a turn may; else the signals' reasons
 */
export async function takeCall(
  { journal, run, drawing, tools, underway, unheard }: TakeParts,
  asked: Asked,
  withdrawn: AbortSignal,
): Promise<Taken> {
  const offered = tools.find(asked.tool);
  // Of a name that no tool has, so much as a person can read.
  const tool = offered?.tool ?? asked.tool.slice(0, mostNameChars);
  drawing.noteCall(asked.tool.slice(0, mostNameChars));
  if (isDeeperThan(asked.args, deepestArguments)) return refuseDeep(journal, drawing, tool);
  drawing.bounds.countQuestion(asked.args);
  const read = await tools.read(tool, asked.args);
  const args = "args" in read ? read.args : asked.args;
  const draft = drawing.toTaken(tool, args);
  if ("problem" in read) return cannotBeMade(journal, draft, read.problem);
  const key = keyOfWords(journal, draft, underway, unheard);
  // After a restart it is the same call, and the same item of the thread.
  const { itemId } = journal.approvals.latestOf(key) ?? journal.executions.latestOf(key) ?? draft;
  const call = { ...draft, key, itemId };
  const hadEnded = journal.executions.latestOf(key)?.state === "finished";
  const signal = AbortSignal.any([run.signal, withdrawn]);
  underway.add(call.key);
  try {
    const taken = await passOurs({ journal, tools, run: { ...run, signal } }, call);
    return hadEnded ? { ...taken, text: `${endedBefore}\n${taken.text}` } : taken;
  } catch (error) {
    if (!run.signal.aborted && !endsTheTurn(error)) takeBack(journal, call, "withdrawn");
    throw error;
  } finally {
    underway.delete(call.key);
  }
}

/**
 * Takes a call of one of our tools through the gate, and acts if that lets it.
 * @throws TurnStopped when it ends the turn, GateParked, what the database throws, or the reason of the run's signal
 */
export async function passOurs(
  { journal, run, tools }: Pick<TakeParts, "journal" | "run" | "tools">,
  bare: GatedCall,
): Promise<Taken> {
  const { argsSchema, face, rule } = tools.find(bare.tool) ?? bare;
  const call = { ...bare, argsSchema, face, rule };
  const act = (used: Asked["args"]): Promise<ToolOutput<string>> => tools.call(run, call.tool, used);
  try {
    // What it calls is ours to do, so a person may change it.
    const passed = await passGate({ journal, call, run: { ...run, mayEdit: true }, act });
    if (passed.kind === "text") return passed;
    const item = journal.log.item(call.threadId, call.itemId);
    const isError = item?.kind === "toolCall" && item.outcome !== undefined && item.outcome !== "ok";
    return { text: passed.original, isError };
  } catch (error) {
    if (run.signal.aborted || endsTheTurn(error)) throw error;
    const text = `The ${call.tool} call failed: ${messageOf(error)}`;
    finishCall(journal, call, { outcome: "failed", result: text });
    return { text, isError: true };
  }
}

/** Before the end that a call had: an agent that means it anew would take it for done. */
const endedBefore =
  "This ended before you were cut off, as follows, and was not done again. Call it once more if it is to be done again.";

/** What is so deep nothing here reads, compares or keeps. */
function refuseDeep(journal: Journal, drawing: TurnDrawing, tool: string): Taken {
  drawing.bounds.countQuestion({});
  return cannotBeMade(
    journal,
    drawing.toTaken(tool, {}),
    "These arguments are nested too deep for any tool.",
  );
}

function cannotBeMade(journal: Journal, call: GatedCall, result: string): Taken {
  announceCall(journal, call);
  finishCall(journal, call, { outcome: "failed", result });
  return { text: result, isError: true };
}

const endsTheTurn = (error: unknown) =>
  error instanceof TurnStopped || error instanceof GateParked || isDatabaseError(error);
