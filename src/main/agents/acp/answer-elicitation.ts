/** Puts what an agent asks of a person by a form or an address into the queue, and gives it exactly one answer. */
import type { CreateElicitationRequest, CreateElicitationResponse } from "@agentclientprotocol/sdk";
import type { ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { AskParts } from "./ask-person.ts";
import { readElicitation } from "./elicitation-form.ts";
import { keyOfWords, takeBack } from "./key-of-words.ts";
import type { TakeParts } from "./take-call.ts";

export type ElicitationParts = AskParts &
  Pick<TakeParts, "unheard"> & {
    /** Tells the person what was asked and not put to them. */
    tellUnasked(why: string): void;
  };

/** Nobody said yes or no to it. */
export const noAnswer: CreateElicitationResponse = { action: "cancel" };

/**
 * No rule and no switch answers it: only an answer in the words of the person is one, and only where it fits what was asked.
 * @param withdrawn aborts when the agent takes it back or its turn is over: then its card goes.
 * @throws TurnStopped when a person stops the turn instead, or it asks more than a turn may
 */
export async function answerElicitation(
  parts: ElicitationParts,
  asked: CreateElicitationRequest,
  withdrawn: AbortSignal,
): Promise<CreateElicitationResponse> {
  const { drawing } = parts;
  drawing.bounds.countQuestion(asked);
  const read = readElicitation(asked);
  if ("unasked" in read) {
    drawing.bounds.countItem();
    parts.tellUnasked(read.unasked);
    return noAnswer;
  }
  const answer = await askQuestion(parts, read.args, withdrawn);
  if (answer === undefined) return noAnswer;
  if (answer.isError) return { action: "decline" };
  const content = read.toContent(read.args.fields === undefined ? answer.text : JSON.parse(answer.text));
  return content === undefined ? noAnswer : { action: "accept", content };
}

/**
 * Asks the person by a question in the queue.
 * @returns their words, as an error where they reject it; nothing where nobody is asked any more. @throws as `answerElicitation` does
 */
export async function askQuestion(
  { journal, run, drawing, underway, unheard }: AskParts & Pick<TakeParts, "unheard">,
  args: Record<string, unknown>,
  withdrawn: AbortSignal,
): Promise<{ text: string; isError: boolean } | undefined> {
  const draft = drawing.toTaken("ask_human", args);
  const key = keyOfWords(journal, draft, underway, unheard);
  // After a restart it is the same question, and the same item of the thread.
  const { itemId } = journal.approvals.latestOf(key) ?? draft;
  const call = { ...draft, key, itemId, rule: { allowedDecisions: ["respond" as const, "reject" as const] } };
  const signal = AbortSignal.any([run.signal, withdrawn]);
  underway.add(key);
  try {
    const passed = await passGate({ journal, call, run: { ...run, signal }, act });
    return passed.kind === "text" ? passed : { text: "", isError: true };
  } catch (error) {
    if (run.signal.aborted) return undefined;
    if (!withdrawn.aborted) throw error;
    takeBack(journal, call, "withdrawn");
    return undefined;
  } finally {
    underway.delete(key);
  }
}

/** An answer is all that comes of it; there is nothing to allow. */
const act = (): Promise<ToolOutput<string>> =>
  Promise.reject(new Error("A question is answered, and not run."));
