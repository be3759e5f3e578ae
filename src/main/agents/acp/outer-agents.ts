/** Outer agents as a source: programs of others that act themselves and ask first when they want to. */
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import { type AgentSource, fewAbilities, type SourceServices } from "../source.ts";
import { asksToStart, askToStart, createKnownStarts } from "./ask-start.ts";
import { answerIsTold, mayStartLater, nobodyWaits, runsOnce } from "./card-notes.ts";
import { isUntried } from "./governing.ts";
import { runOuterTurn } from "./outer-turn.ts";
import { createRunningAgents, type OuterAgentParts } from "./running-agents.ts";
import type { SignIn } from "./sign-in.ts";
import { ActedPast } from "./tripwire.ts";

/** The name that stands in the rows of threads. */
export const outerSource = "outer";

/** One process for each thread, started with its first turn and kept until it is left alone, a stop, the thread or the host ends it. */
export function createOuterAgents(parts: OuterAgentParts, services: SourceServices): AgentSource {
  const { kept } = parts;
  const { journal } = services;
  const knownStarts = createKnownStarts(parts.dataDir);
  const running = createRunningAgents(parts, services);
  return {
    can: fewAbilities,
    afterStart(row) {
      if (asksToStart(row)) return mayStartLater;
      if (row.subject.kind === "question") return answerIsTold;
      return row.subject.kind === "outer" ? nobodyWaits : runsOnce;
    },
    actsItself(thread) {
      const agent = parts.agentOf(thread.agentId);
      const { actedPast, sessionId, version, mode } = kept.of(thread.id);
      const isGoverned = agent && running.wayFor(agent) && !actedPast;
      const held = running.isConfined(thread.id) ? "confined" : "governed";
      // Before its first session nothing is known of it.
      const isOther = isGoverned && sessionId !== undefined && isUntried(agent, version);
      return {
        agent: agent?.name ?? thread.agentId,
        level: isGoverned ? held : "asking",
        ...(version !== undefined && { version }),
        ...(mode !== undefined && { mode }),
        ...(isOther && { untried: true as const }),
      };
    },
    async run(work, run) {
      const { thread } = work;
      try {
        const agent = assertMayStart(parts, thread);
        const isGoverned = running.wayFor(agent) !== undefined;
        await askToStart({ journal, run, known: knownStarts }, work, agent, isGoverned);
        const open = (signIn: SignIn) => running.of(thread, agent, signIn, run.signal);
        const offered = () => running.offeredTo(agent, thread);
        const rest = await runOuterTurn(work, run, { agent, services, kept, offered, open });
        running.rest(thread.id);
        return rest;
      } catch (error) {
        if (error instanceof ActedPast) kept.note(thread.id, { actedPast: true });
        await running.end(thread.id);
        throw error;
      }
    },
    async forget(threadId) {
      await running.end(threadId);
      kept.forget(threadId);
    },
    close: running.endAll,
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
