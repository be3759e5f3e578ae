/** Takes one request of an outer agent through the gate, and gives it exactly one answer. */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { canonicalJson } from "../../approvals/digest.ts";
import type { GatedCall, ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { keyOfWords, takeBack } from "./key-of-words.ts";
import { type Answers, answersAmong, toOuterCall } from "./merge-call.ts";
import type { DrawnCall, TurnDrawing } from "./turn-drawing.ts";
import { untilAborted } from "./until-aborted.ts";

export type AskParts = {
  journal: Journal;
  run: RunContext;
  drawing: TurnDrawing;
  agent: string;
  /** Keys of calls that are asked about right now. */
  underway: Set<string>;
};

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/**
 * What is allowed is on disk before the agent hears of it (I1, I3).
 * @throws TurnStopped when a person stops the turn instead, or it asks more than a turn may.
 */
export async function answerRequest(
  parts: AskParts,
  asked: RequestPermissionRequest,
  withdrawn: AbortSignal,
): Promise<RequestPermissionResponse> {
  const answers = answersAmong(asked.options);
  const call = parts.drawing.callOf(asked.toolCall);
  const { promise, resolve, reject } = Promise.withResolvers<RequestPermissionResponse>();
  askUntilUnchanged(parts, call, answers, withdrawn, resolve).then(
    // A yes has been answered when it was acted on; the rest of the way only says no.
    () => resolve(select(answers.no?.optionId)),
    (error: unknown) => (parts.run.signal.aborted || withdrawn.aborted ? resolve(cancelled) : reject(error)),
  );
  return promise;
}

function select(optionId: string | undefined): RequestPermissionResponse {
  return optionId === undefined ? cancelled : { outcome: { outcome: "selected", optionId } };
}

/** A call that the agent words anew while it waits is asked about anew: no yes is for other words than were shown. */
async function askUntilUnchanged(
  parts: AskParts,
  call: DrawnCall,
  answers: Answers,
  withdrawn: AbortSignal,
  answer: (response: RequestPermissionResponse) => void,
): Promise<void> {
  const { run, journal, agent } = parts;
  for (;;) {
    const shown = toOuterCall(agent, call.said, answers.yes?.name);
    const args = { ...shown };
    parts.drawing.bounds.countQuestion(args);
    const words = canonicalJson(args);
    const changed = new AbortController();
    call.onSaid = () => {
      if (call.allowed !== undefined) return;
      const now = canonicalJson(toOuterCall(agent, call.said, answers.yes?.name));
      if (call.isOver || now !== words) changed.abort(new Error("The agent words or ends this call anew."));
    };
    const signal = AbortSignal.any([run.signal, withdrawn, changed.signal]);
    const gated = toCall(parts, call, args);
    const act = async (): Promise<ToolOutput<void>> => {
      call.allowed = shown;
      answer(select(answers.yes?.optionId));
      const { ok, text } = await untilAborted(call.over, run.signal);
      return { text: text || "The agent says no more of it.", isError: !ok, original: undefined };
    };
    parts.underway.add(gated.key);
    try {
      await passGate({ journal, call: gated, run: { ...run, signal }, act });
      return;
    } catch (error) {
      if (run.signal.aborted || call.allowed !== undefined) throw error;
      if (changed.signal.aborted || withdrawn.aborted)
        takeBack(journal, gated, call.isOver ? "ended" : changed.signal.aborted ? "changed" : "withdrawn");
      // It waits for no answer to what it says is over.
      if (call.isOver) return answer(cancelled);
      if (!changed.signal.aborted) throw error;
    } finally {
      parts.underway.delete(gated.key);
    }
  }
}

function toCall(
  { drawing, journal, underway }: AskParts,
  call: DrawnCall,
  args: Record<string, unknown>,
): GatedCall {
  const draft = drawing.toGated(call, "", args);
  const mayAllow = args.yes !== undefined;
  return {
    ...draft,
    key: keyOfWords(journal, draft, underway),
    rule: { allowedDecisions: mayAllow ? ["approve", "reject"] : ["reject"] },
  };
}

/** The answer to who asks to act itself where it is to use our tools: a no, and no card. */
export function refuseRequest({ options }: RequestPermissionRequest): RequestPermissionResponse {
  return select(answersAmong(options).no?.optionId);
}
