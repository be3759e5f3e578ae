/** Outer agents as a source: programs of others that act themselves and ask first when they want to. */
import { isDeepStrictEqual } from "node:util";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { findProgram } from "../../shell/find-program.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import { type AgentSource, fewAbilities, type SourceServices } from "../source.ts";
import type { AgentProgram } from "./agent-process.ts";
import { type GovernedAgent, openGovernedAgent } from "./governed-agent.ts";
import type { WayToGovern } from "./governing.ts";
import type { KeptSessions } from "./kept-session.ts";
import { type LiveAgent, startAgent } from "./live-agent.ts";
import { type Running, runOuterTurn, tellThread } from "./outer-turn.ts";
import { ActedPast } from "./tripwire.ts";
import { nobodyWaits } from "./unheard.ts";
import { untilAborted } from "./until-aborted.ts";

/** The name that stands in the rows of threads. */
export const outerSource = "outer";

export type OuterAgentParts = {
  dataDir: string;
  kept: KeptSessions;
  agentOf(id: string): OuterAgent | undefined;
  isTrusted(workspace: string): boolean;
  /** What the programs may see of the host's environment. */
  environment(): Record<string, string>;
  /** Resolves once that environment is what it is to be. */
  pathKnown: Promise<void>;
  /** How an agent's own tools are switched off; `undefined` where nobody knows how, and it only asks then. */
  wayToGovern(agent: OuterAgent): WayToGovern | undefined;
};

/** One process for each thread, started with its first turn and kept until a stop, the thread or the host ends. */
export function createOuterAgents(parts: OuterAgentParts, services: SourceServices): AgentSource {
  const { kept } = parts;
  const live = new Map<
    ThreadId,
    { program: AgentProgram; governed?: GovernedAgent; started: Promise<LiveAgent> }
  >();
  const guard = services.effects.shell;
  const wayFor = findWay(parts);

  async function end(threadId: ThreadId): Promise<void> {
    const known = live.get(threadId);
    const agent = await known?.started.catch(() => undefined);
    live.delete(threadId);
    await agent?.end();
    known?.governed?.close();
    if (kept.of(threadId).process) kept.note(threadId, { process: undefined });
  }

  /** @param signal ends the opening; nothing is left running then. */
  async function agentFor(thread: ThreadRow, agent: OuterAgent, signal: AbortSignal): Promise<Running> {
    const { id } = thread;
    await untilAborted(parts.pathKnown, signal);
    const environment = parts.environment();
    const program = toProgram(thread, agent, environment.PATH);
    const way = wayFor(thread, agent);
    const before = live.get(id);
    const known = await before?.started.catch(() => undefined);
    // Set up anew, in another folder, or not governed any more, it is another program.
    const isSame = isDeepStrictEqual(before?.program, program) && !before?.governed === !way;
    if (known && !known.isGone() && isSame) return { agent: known, governed: before?.governed };
    await end(id);
    signal.throwIfAborted();
    const governed = way && (await openGovernedAgent(way, parts.dataDir, services.effects, thread.workspace));
    const started = startAgent({
      program,
      environment,
      signal,
      guard,
      threadId: id,
      earlier: kept.of(id).sessionId,
      governing: governed?.governing,
      onStarted: (process) => kept.note(id, { process }),
    });
    live.set(id, { program, started, ...(governed && { governed }) });
    const opened = await started;
    const { sessionId, remembers } = opened.session;
    kept.note(id, { sessionId });
    if (!remembers) tellThread(services, id, forgetful(agent.name));
    return { agent: opened, governed };
  }

  return {
    can: fewAbilities,
    afterStart: nobodyWaits,
    actsItself(thread) {
      const agent = parts.agentOf(thread.agentId);
      const level = agent && wayFor(thread, agent) ? "governed" : "asking";
      return { agent: agent?.name ?? thread.agentId, level };
    },
    async run(work, run) {
      const { thread } = work;
      try {
        const agent = assertMayStart(parts, thread);
        const open = () => agentFor(thread, agent, run.signal);
        return await runOuterTurn(work, run, { agent, services, kept, open });
      } catch (error) {
        if (error instanceof ActedPast) kept.note(thread.id, { actedPast: true });
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

/** How a thread's agent is governed; a program of shell and curl brings it our tools. */
function findWay({ wayToGovern, environment, kept }: OuterAgentParts) {
  let hasCurl: boolean | undefined;
  return (thread: ThreadRow, agent: OuterAgent): WayToGovern | undefined => {
    const way = wayToGovern(agent);
    if (way === undefined || process.platform === "win32" || kept.of(thread.id).actedPast) return undefined;
    hasCurl ??= findProgram("curl", environment().PATH ?? "") !== undefined;
    return hasCurl ? way : undefined;
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

const forgetful = (name: string) =>
  `${name} could not go on with its earlier session, so it begins without knowing what was said in this thread.`;
