/** The programs of outer agents that run: one for each thread, started when it is needed, ended by a stop or when it is left alone. */
import { isDeepStrictEqual } from "node:util";
import type { StructuredTool } from "@langchain/core/tools";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { findProgram } from "../../shell/find-program.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import type { SourceServices } from "../source.ts";
import type { AgentProgram } from "./agent-process.ts";
import type { WayToGovern } from "./governing.ts";
import type { KeptSessions } from "./kept-session.ts";
import type { Running } from "./outer-turn.ts";
import type { SignIn } from "./sign-in.ts";
import { type Live, type Started, startRunning, type Way } from "./start-running.ts";
import { untilAborted } from "./until-aborted.ts";

export type OuterAgentParts = {
  dataDir: string;
  kept: KeptSessions;
  agentOf(id: string): OuterAgent | undefined;
  isTrusted(workspace: string): boolean;
  /** What the programs may see of the host's environment. */
  environment(): Record<string, string>;
  /** Resolves once that environment is what it is to be. */
  pathKnown: Promise<void>;
  /** Calls after a program was left alone for a while. @returns what calls that off */
  afterIdle(act: () => void): () => void;
  /** The web and the tools of these servers, for an agent that is governed. */
  toolsBeside(servers: readonly string[], thread: ThreadRow): Promise<StructuredTool[]>;
  sandbox: Started["sandbox"];
  hidden: Started["hidden"];
  noteOffers: Started["noteOffers"];
  /** How an agent's own tools are switched off; `undefined` where nobody knows how, and it only asks then. */
  wayToGovern(agent: OuterAgent): WayToGovern | undefined;
};

export type RunningAgents = Pick<Started, "wayFor" | "offeredTo"> & {
  /** Whether the program that runs for this thread is confined. */
  isConfined(threadId: ThreadId): boolean;
  /**
   * The one that runs for this thread, or a new one.
   * @param signIn who is asked where somebody has to sign in first
   * @param signal ends the opening; nothing is left running then
   */
  of(thread: ThreadRow, agent: OuterAgent, signIn: SignIn, signal: AbortSignal): Promise<Running>;
  /** Nothing is asked of it now: it ends after a while, where it can go on with its session later. */
  rest(threadId: ThreadId): void;
  end(threadId: ThreadId): Promise<void>;
  endAll(): Promise<void>;
};

/** Starts none. */
export function createRunningAgents(parts: OuterAgentParts, services: SourceServices): RunningAgents {
  const { kept } = parts;
  const live = new Map<ThreadId, Live>();
  const ending = new Map<ThreadId, Promise<void>>();
  const rests = createRests(parts.afterIdle);
  const wayFor = findWay(parts);
  function end(threadId: ThreadId): Promise<void> {
    rests.end(threadId);
    const known = live.get(threadId);
    live.delete(threadId);
    const before = ending.get(threadId);
    const ended = endOne(threadId, known, before).finally(() => {
      if (ending.get(threadId) === ended) ending.delete(threadId);
    });
    ending.set(threadId, ended);
    return ended;
  }

  async function endOne(threadId: ThreadId, known: Live | undefined, before: Promise<void> | undefined) {
    await before;
    const agent = await known?.started.catch(() => undefined);
    await agent?.end();
    known?.governed?.close();
    if (kept.of(threadId).process) kept.note(threadId, { process: undefined });
  }

  async function offeredTo(agent: OuterAgent, thread: ThreadRow): Promise<OfferedTools | undefined> {
    if (!wayFor(agent)) return undefined;
    // The agents' packages are loaded with the first that needs them.
    const { createOfferedTools } = await import("../deep-agent/offered-tools.ts");
    const more = await parts.toolsBeside(agent.mcpServers ?? [], thread);
    return createOfferedTools(services.effects, thread.workspace, more);
  }

  return {
    wayFor,
    isConfined: (threadId) => live.get(threadId)?.isConfined ?? false,
    offeredTo,
    async of(thread, agent, signIn, signal) {
      const { id } = thread;
      rests.end(id);
      await untilAborted(parts.pathKnown, signal);
      const environment = parts.environment();
      const program = toProgram(thread, agent, environment.PATH);
      const before = live.get(id);
      const known = await before?.started.catch(() => undefined);
      // Set up anew, in another folder, or not governed any more, it is another program.
      const isSame =
        isDeepStrictEqual(
          [before?.program, before?.servers, before?.options],
          [program, agent.mcpServers, agent.options],
        ) && !before?.governed === !wayFor(agent);
      if (before && known && !known.isGone() && isSame)
        return { agent: known, governed: before.governed, chosen: before.chosen };
      await end(id);
      signal.throwIfAborted();
      return startRunning(
        { ...parts, services, live, wayFor, offeredTo, end },
        thread,
        agent,
        { environment, program, signIn },
        signal,
      );
    },
    rest(threadId) {
      rests.end(threadId);
      void live.get(threadId)?.started.then(
        ({ session }) => {
          if (session.isKept) rests.begin(threadId, () => void end(threadId));
        },
        () => undefined,
      );
    },
    end,
    async endAll() {
      await Promise.all([...live.keys()].map(end));
      await Promise.all(ending.values());
    },
  };
}

/** What is called after a while, unless it is ended before. */
function createRests(afterIdle: OuterAgentParts["afterIdle"]) {
  const rests = new Map<ThreadId, () => void>();
  return {
    begin: (threadId: ThreadId, act: () => void) => void rests.set(threadId, afterIdle(act)),
    end(threadId: ThreadId): void {
      rests.get(threadId)?.();
      rests.delete(threadId);
    },
  };
}

/** How an agent is governed, and the curl that brings it our tools: by its whole path, since it starts in the agent's folder. */
function findWay({ wayToGovern, environment }: OuterAgentParts) {
  let curl: string | undefined;
  return (agent: OuterAgent): Way | undefined => {
    const way = wayToGovern(agent);
    if (way === undefined || process.platform === "win32") return undefined;
    curl ??= findProgram("curl", environment().PATH ?? "");
    return curl === undefined ? undefined : { way, curl };
  };
}

/** @throws TurnStopped when no folder but the thread's own might have it. */
function toProgram({ workspace: cwd }: ThreadRow, agent: OuterAgent, path: string | undefined): AgentProgram {
  const command = findProgram(agent.command, path ?? "");
  if (command !== undefined) return { command, args: agent.args, cwd };
  const why = "is not in the folders where your system finds programs. Name it by its whole path.";
  throw new TurnStopped("failed", `${agent.command} ${why}`);
}
