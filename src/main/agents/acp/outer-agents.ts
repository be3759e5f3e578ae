/** Outer agents as a source: programs of others that act themselves and ask first when they want to. */
import { isDeepStrictEqual } from "node:util";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import type { Rest } from "../run-end.ts";
import { type AgentSource, fewAbilities, type SourceServices, type Work } from "../source.ts";
import type { AgentProgram } from "./agent-process.ts";
import { type AskParts, answerRequest } from "./ask-person.ts";
import { findProgram } from "./find-known.ts";
import type { KeptSessions } from "./kept-session.ts";
import { type LiveAgent, startAgent } from "./live-agent.ts";
import { TurnDrawing } from "./turn-drawing.ts";
import { endGrants, nobodyWaits, settleUnheard } from "./unheard.ts";
import { untilAborted } from "./until-aborted.ts";

/** The name that stands in the rows of threads. */
export const outerSource = "outer";

export type OuterAgentParts = {
  kept: KeptSessions;
  agentOf(id: string): OuterAgent | undefined;
  isTrusted(workspace: string): boolean;
  /** What the programs may see of the host's environment. */
  environment(): Record<string, string>;
  /** Resolves once that environment is what it is to be. */
  pathKnown: Promise<void>;
};

/** One process for each thread, started with its first turn and kept until a stop, the thread or the host ends. */
export function createOuterAgents(parts: OuterAgentParts, services: SourceServices): AgentSource {
  const { kept } = parts;
  const live = new Map<ThreadId, { program: AgentProgram; started: Promise<LiveAgent> }>();
  const guard = services.effects.shell;

  async function end(threadId: ThreadId): Promise<void> {
    const agent = await live.get(threadId)?.started.catch(() => undefined);
    live.delete(threadId);
    await agent?.end();
    if (kept.of(threadId).process) kept.note(threadId, { process: undefined });
  }

  /** @param signal ends the opening; nothing is left running then. */
  async function agentFor(thread: ThreadRow, agent: OuterAgent, signal: AbortSignal): Promise<LiveAgent> {
    const { id } = thread;
    await untilAborted(parts.pathKnown, signal);
    const environment = parts.environment();
    const program = toProgram(thread, agent, environment.PATH);
    const before = live.get(id);
    const known = await before?.started.catch(() => undefined);
    // Set up anew, or in another folder, it is another program.
    if (known && !known.isGone() && isDeepStrictEqual(before?.program, program)) return known;
    await end(id);
    signal.throwIfAborted();
    const started = startAgent({
      program,
      environment,
      signal,
      guard,
      threadId: id,
      earlier: kept.of(id).sessionId,
      onStarted: (process) => kept.note(id, { process }),
    });
    live.set(id, { program, started });
    const opened = await started;
    const { sessionId, remembers } = opened.session;
    kept.note(id, { sessionId });
    if (!remembers) tell(services, id, forgetful(agent.name));
    return opened;
  }

  return {
    can: fewAbilities,
    afterStart: nobodyWaits,
    actsItself: (thread) => ({
      agent: parts.agentOf(thread.agentId)?.name ?? thread.agentId,
      level: "asking",
    }),
    async run(work, run) {
      const { thread } = work;
      try {
        const agent = assertMayStart(parts, thread);
        const open = () => agentFor(thread, agent, run.signal);
        return await runTurn(work, run, { agent, services, kept, open });
      } catch (error) {
        await end(thread.id);
        throw error;
      }
    },
    async forget(threadId) {
      await end(threadId);
      kept.forget(threadId);
    },
    async close() {
      await Promise.all([...live.keys()].map(end));
    },
  };
}

/** @throws TurnStopped that says what to do. */
function assertMayStart({ agentOf, isTrusted }: OuterAgentParts, thread: ThreadRow): OuterAgent {
  const agent = agentOf(thread.agentId);
  if (agent === undefined)
    throw new TurnStopped(
      "failed",
      `The agent ${thread.agentId} of this thread is not set up here any more.`,
    );
  // What lies in a folder can make such a program run code before it asks anything.
  if (!isTrusted(thread.workspace))
    throw new TurnStopped(
      "failed",
      `${agent.name} was not started: files in a folder can make it run commands before it asks. Trust this folder first.`,
    );
  return agent;
}

/** @throws TurnStopped when no folder but the thread's own might have it. */
function toProgram({ workspace: cwd }: ThreadRow, agent: OuterAgent, path: string | undefined): AgentProgram {
  const command = findProgram(agent.command, path ?? "");
  if (command !== undefined) return { command, args: agent.args, cwd };
  const why = "is not in the folders where your system finds programs. Name it by its whole path.";
  throw new TurnStopped("failed", `${agent.command} ${why}`);
}

type TurnParts = {
  agent: OuterAgent;
  services: SourceServices;
  kept: KeptSessions;
  open(): Promise<LiveAgent>;
};

async function runTurn(
  work: Work,
  run: RunContext,
  { agent, services, kept, open }: TurnParts,
): Promise<Rest> {
  const { thread, turn } = work;
  const { journal } = services;
  const { words, grants } = await settleUnheard(journal, turn, run);
  const opened = await open();
  const drawing = new TurnDrawing(work, agent.name, services);
  const isNew = kept.of(thread.id).promptedTurn !== turn.id;
  const text = isNew ? turn.text : [...words, goOn].join("\n");
  kept.note(thread.id, { promptedTurn: turn.id });
  const ask = { journal, run, drawing, agent: agent.name, underway: new Set<string>() };
  const requests = createOpenRequests(ask);
  const heard = {
    onUpdate: (told: Parameters<TurnDrawing["hear"]>[0]) => drawing.hear(told),
    onRequest: requests.answer,
  };
  try {
    const reason = await opened.prompt(
      heard,
      { text, attachments: isNew ? turn.attachments : [] },
      run.signal,
    );
    drawing.close();
    if (reason !== "end_turn") tell(services, thread.id, endedBy(reason));
  } finally {
    // Closing the app ends no card: it is there after the next start.
    if (!run.signal.aborted) {
      await requests.takeBack();
      endGrants(journal, grants);
    }
  }
  return journal.approvals.pendingCount(thread.id) > 0 ? "waiting" : "done";
}

/** The requests of one prompt; what the agent left open when its turn was over is asked no more. */
function createOpenRequests(ask: AskParts) {
  const over = new AbortController();
  const open = new Set<Promise<unknown>>();
  return {
    answer(asked: RequestPermissionRequest, withdrawn: AbortSignal) {
      const answered = answerRequest(ask, asked, AbortSignal.any([withdrawn, over.signal]));
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

function tell({ journal: { log } }: SourceServices, threadId: ThreadId, text: string): void {
  const itemId = `outer-notice:${threadId}:${log.lastSeq(threadId)}`;
  log.append(threadId, [{ type: "notice.added", itemId, level: "warning", text }]);
}

const forgetful = (name: string) =>
  `${name} could not go on with its earlier session, so it begins without knowing what was said in this thread.`;

const endedBy = (reason: string) =>
  `The agent ended its turn: ${shortenText(reason, 200).replaceAll("_", " ")}.`;
