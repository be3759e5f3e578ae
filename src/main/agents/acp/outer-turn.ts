/** One turn of an outer agent: what it asks or calls goes to the gate, what it tells is drawn, until it says that it is done. */
import type {
  CreateElicitationRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import type { Rest } from "../run-end.ts";
import type { SourceServices, Work } from "../source.ts";
import { answerElicitation, type ElicitationParts } from "./answer-elicitation.ts";
import { answerRequest, refuseRequest } from "./ask-person.ts";
import type { GovernedAgent } from "./governed-agent.ts";
import type { KeptSessions } from "./kept-session.ts";
import type { LiveAgent } from "./live-agent.ts";
import { noteMode } from "./note-mode.ts";
import { type Chosen, leftBy } from "./session-options.ts";
import { askToSignIn, type SignIn } from "./sign-in.ts";
import { type Asked, type Taken, takeCall } from "./take-call.ts";
import { tellThread } from "./tell-thread.ts";
import { TurnDrawing } from "./turn-drawing.ts";
import { endedUnheard, endGrants, settleUnheard } from "./unheard.ts";

/** An agent that runs, and what we keep open for it where it is governed. */
export type Running = { agent: LiveAgent; governed: GovernedAgent | undefined; chosen: Chosen };

export type TurnParts = {
  agent: OuterAgent;
  services: SourceServices;
  kept: KeptSessions;
  /** Our tools, where the agent is given them. */
  offered(): Promise<OfferedTools | undefined>;
  open(signIn: SignIn): Promise<Running>;
};

/** @throws TurnStopped that says why it ended before it was done, or the reason of the run's signal */
export async function runOuterTurn(work: Work, run: RunContext, parts: TurnParts): Promise<Rest> {
  const { agent, services, kept, offered, open } = parts;
  const { thread, turn } = work;
  const { journal } = services;
  const isNew = kept.of(thread.id).promptedTurn !== turn.id;
  const ended = isNew ? { words: [], keys: [] } : endedUnheard(journal, turn);
  const settled = await settleUnheard(journal, turn, run, offered);
  const unheard = new Set([...ended.keys, ...settled.ended]);
  const asking = { journal, run, agent: agent.name, underway: new Set<string>(), unheard };
  const tellUnasked = (why: string) =>
    tellThread(services, thread.id, `${agent.name} asked you ${why}, so it was told that nobody answers.`);
  const first = new TurnDrawing(work, agent.name, services);
  // What is asked now is no sign that the agent has heard of what ended.
  const opening = { ...asking, unheard: new Set(unheard), drawing: first, tellUnasked };
  const running = await open({
    onSignIn: askToSignIn(opening),
    onElicitation: (asked, withdrawn) => answerElicitation(opening, asked, withdrawn),
  });
  // Once it acted past our tools nothing else is promised than of one that asks; it gets none of its own back for that.
  const isHeld = running.governed !== undefined && !kept.of(thread.id).actedPast;
  const drawing = new TurnDrawing(work, agent.name, services, running.governed?.tripwire, isHeld);
  kept.note(thread.id, { promptedTurn: turn.id });
  const hearMode = (told: Update) => noteMode({ kept, services, bounds: drawing.bounds }, thread.id, told);
  const ask = { ...asking, drawing, tellUnasked };
  const message = isNew
    ? { text: turn.text, attachments: turn.attachments }
    : { text: [...ended.words, ...settled.words, goOn].join("\n"), attachments: [] };
  try {
    await promptOnce({ ...running, ask, services, isHeld, hearMode }, message);
  } finally {
    if (!run.signal.aborted) endGrants(journal, settled.grants);
  }
  // Cards of before a restart may have been decided while it worked on, and nobody waited for those.
  const { approvals } = journal;
  const isOpen = approvals.pendingCount(thread.id) > 0 || approvals.unconsumed(thread.id).length > 0;
  return isOpen ? "waiting" : "done";
}

type Update = Parameters<TurnDrawing["hear"]>[0];

type Prompting = Running & {
  ask: ElicitationParts;
  services: SourceServices;
  isHeld: boolean;
  /** Hears whether it decides in another mode from now on what it asks about. */
  hearMode(told: Update): void;
};

/** One message to the agent, and all that it asks and calls until it has answered. @throws as `runOuterTurn` does */
async function promptOnce(
  { agent: opened, governed, chosen, ask, services, isHeld, hearMode }: Prompting,
  message: Parameters<LiveAgent["prompt"]>[1],
): Promise<void> {
  const { run, drawing, agent } = ask;
  const requests = keepOpen<RequestPermissionRequest, RequestPermissionResponse>(
    isHeld ? refuse : (asked, withdrawn) => answerRequest(ask, asked, withdrawn),
  );
  const calls = keepOpen<Asked, Taken>(take);
  const elicitations = keepOpen((asked: CreateElicitationRequest, withdrawn) =>
    answerElicitation(ask, asked, withdrawn),
  );
  const failing = new AbortController();
  const signal = AbortSignal.any([run.signal, failing.signal]);
  governed?.takeBy(calls.answer);
  const heard = {
    onUpdate(told: Update) {
      try {
        hearMode(told);
        const left = leftBy(told, chosen);
        if (left !== undefined) throw new TurnStopped("failed", left);
        drawing.hear(told);
      } catch (error) {
        end(error);
        throw error;
      }
    },
    onRequest: requests.answer,
    onElicitation: elicitations.answer,
    onSignIn: askToSignIn(ask),
  };
  try {
    const reason = await opened.prompt(heard, message, signal);
    drawing.close();
    if (reason !== "end_turn") tellThread(services, run.threadId, endedBy(reason));
  } finally {
    governed?.takeBy(undefined);
    // Closing the app ends no card: it is there after the next start.
    if (!run.signal.aborted) {
      await requests.takeBack();
      await elicitations.takeBack();
      await calls.takeBack();
    }
  }

  /** It is to use our tools, and a yes here would let it act past them. */
  async function refuse(asked: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    drawing.bounds.countItem();
    governed?.tripwire.noteRefused(asked.toolCall.toolCallId);
    tellThread(services, run.threadId, askedToAct(agent, asked.toolCall.title ?? ""));
    return refuseRequest(asked);
  }

  /** The turn is over now: an agent that is still told so has nothing begun or decided for it meanwhile. */
  function end(why: unknown): void {
    if (run.signal.aborted) return;
    failing.abort(why);
    void requests.takeBack();
    void elicitations.takeBack();
    void calls.takeBack();
  }

  async function take(asked: Asked, withdrawn: AbortSignal): Promise<Taken> {
    signal.throwIfAborted();
    try {
      return await takeCall({ ...ask, tools: governed!.tools }, asked, withdrawn);
    } catch (error) {
      // What ends the turn is no answer to one call.
      if (!withdrawn.aborted) end(error);
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

const endedBy = (reason: string) =>
  `The agent ended its turn: ${shortenText(reason, 200).replaceAll("_", " ")}.`;

const askedToAct = (agent: string, what: string) =>
  `${agent} asked to do something itself (${shortenText(what, 200)}) and was told no: in this thread the tools of this console act.`;
