/** One turn of an outer agent: what it asks or calls goes to the gate, what it tells is drawn, until it says that it is done. */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { RunContext } from "../../gate/run-context.ts";
import type { Rest } from "../run-end.ts";
import type { SourceServices, Work } from "../source.ts";
import { answerRequest, refuseRequest } from "./ask-person.ts";
import type { GovernedAgent } from "./governed-agent.ts";
import type { KeptSessions } from "./kept-session.ts";
import type { LiveAgent } from "./live-agent.ts";
import { type Asked, type Taken, takeCall } from "./take-call.ts";
import { Tripwire } from "./tripwire.ts";
import { TurnDrawing } from "./turn-drawing.ts";
import { endGrants, settleUnheard } from "./unheard.ts";

/** An agent that runs, and what we keep open for it where it is governed. */
export type Running = { agent: LiveAgent; governed: GovernedAgent | undefined };

export type TurnParts = {
  agent: OuterAgent;
  services: SourceServices;
  kept: KeptSessions;
  open(): Promise<Running>;
};

/** @throws TurnStopped that says why it ended before it was done, or the reason of the run's signal */
export async function runOuterTurn(
  work: Work,
  run: RunContext,
  { agent, services, kept, open }: TurnParts,
): Promise<Rest> {
  const { thread, turn } = work;
  const { journal } = services;
  const { words, grants } = await settleUnheard(journal, turn, run);
  const { agent: opened, governed } = await open();
  const drawing = new TurnDrawing(work, agent.name, services, governed && new Tripwire());
  const isNew = kept.of(thread.id).promptedTurn !== turn.id;
  const text = isNew ? turn.text : [...words, goOn].join("\n");
  kept.note(thread.id, { promptedTurn: turn.id });
  const ask = { journal, run, drawing, agent: agent.name, underway: new Set<string>() };
  const requests = keepOpen<RequestPermissionRequest, RequestPermissionResponse>(
    governed ? refuse : (asked, withdrawn) => answerRequest(ask, asked, withdrawn),
  );
  const calls = keepOpen<Asked, Taken>(take);
  const failing = new AbortController();
  const signal = AbortSignal.any([run.signal, failing.signal]);
  governed?.takeBy(calls.answer);
  const heard = {
    onUpdate: (told: Parameters<TurnDrawing["hear"]>[0]) => drawing.hear(told),
    onRequest: requests.answer,
  };
  try {
    const reason = await opened.prompt(heard, { text, attachments: isNew ? turn.attachments : [] }, signal);
    drawing.close();
    if (reason !== "end_turn") tellThread(services, thread.id, endedBy(reason));
  } finally {
    governed?.takeBy(undefined);
    // Closing the app ends no card: it is there after the next start.
    if (!run.signal.aborted) {
      await requests.takeBack();
      await calls.takeBack();
      endGrants(journal, grants);
    }
  }
  return journal.approvals.pendingCount(thread.id) > 0 ? "waiting" : "done";

  /** It is to use our tools, and a yes here would let it act past them. */
  async function refuse(asked: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    drawing.bounds.countItem();
    tellThread(services, thread.id, askedToAct(agent.name, asked.toolCall.title ?? ""));
    return refuseRequest(asked);
  }

  async function take(asked: Asked, withdrawn: AbortSignal): Promise<Taken> {
    try {
      return await takeCall({ ...ask, tools: governed!.tools }, asked, withdrawn);
    } catch (error) {
      // What ends the turn is no answer to one call.
      if (!withdrawn.aborted) failing.abort(error);
      throw error;
    }
  }
}

/** What was asked during one prompt; what the agent left open when its turn was over is asked no more. */
function keepOpen<Question, Answer>(answer: (asked: Question, withdrawn: AbortSignal) => Promise<Answer>) {
  const over = new AbortController();
  const open = new Set<Promise<unknown>>();
  return {
    answer(asked: Question, withdrawn: AbortSignal): Promise<Answer> {
      const answered = answer(asked, AbortSignal.any([withdrawn, over.signal]));
      open.add(answered);
      return answered;
    },
    async takeBack(): Promise<void> {
      over.abort(new Error("The agent's turn is over."));
      await Promise.allSettled(open);
    },
  };
}

const goOn = "You were cut off. Go on with what you were asked to do.";

/** Tells the person, in the thread, what they have to know of its agent. */
export function tellThread({ journal: { log } }: SourceServices, threadId: ThreadId, text: string): void {
  const itemId = `outer-notice:${threadId}:${log.lastSeq(threadId)}`;
  log.append(threadId, [{ type: "notice.added", itemId, level: "warning", text }]);
}

const endedBy = (reason: string) =>
  `The agent ended its turn: ${shortenText(reason, 200).replaceAll("_", " ")}.`;

const askedToAct = (agent: string, what: string) =>
  `${agent} asked to do something itself (${shortenText(what, 200)}) and was told no: in this thread the tools of this console act.`;
