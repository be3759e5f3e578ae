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
import type { Heard } from "./connection.ts";
import { type GovernedAgent, openGovernedAgent } from "./governed-agent.ts";
import type { WayToGovern } from "./governing.ts";
import type { KeptSessions } from "./kept-session.ts";
import { type LiveAgent, startAgent } from "./live-agent.ts";
import { type Running, tellThread } from "./outer-turn.ts";
import { ActedPast } from "./tripwire.ts";
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
  /** How an agent's own tools are switched off; `undefined` where nobody knows how, and it only asks then. */
  wayToGovern(agent: OuterAgent): WayToGovern | undefined;
};

type Told = Parameters<Heard["onUpdate"]>[0];

type Live = {
  program: AgentProgram;
  /** The MCP servers whose tools it was given. */
  servers: OuterAgent["mcpServers"];
  governed?: GovernedAgent;
  started: Promise<LiveAgent>;
};

export type RunningAgents = {
  /** How an agent is governed now; `undefined` where it only asks. */
  wayFor(agent: OuterAgent): Way | undefined;
  /** Our tools, where this agent is given them. */
  offeredTo(agent: OuterAgent, thread: ThreadRow): Promise<OfferedTools | undefined>;
  /** The one that runs for this thread, or a new one. @param signal ends the opening; nothing is left running then */
  of(thread: ThreadRow, agent: OuterAgent, signal: AbortSignal): Promise<Running>;
  /** Nothing is asked of it now: it ends after a while, where it can go on with its session later. */
  rest(threadId: ThreadId): void;
  end(threadId: ThreadId): Promise<void>;
  endAll(): Promise<void>;
};

export type Way = { way: WayToGovern; curl: string };

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
    offeredTo,
    async of(thread, agent, signal) {
      const { id } = thread;
      rests.end(id);
      await untilAborted(parts.pathKnown, signal);
      const environment = parts.environment();
      const program = toProgram(thread, agent, environment.PATH);
      const before = live.get(id);
      const known = await before?.started.catch(() => undefined);
      // Set up anew, in another folder, or not governed any more, it is another program.
      const isSame =
        isDeepStrictEqual([before?.program, before?.servers], [program, agent.mcpServers]) &&
        !before?.governed === !wayFor(agent);
      if (known && !known.isGone() && isSame) return { agent: known, governed: before?.governed };
      await end(id);
      signal.throwIfAborted();
      return start(
        { ...parts, services, live, wayFor, offeredTo, end },
        thread,
        agent,
        { environment, program },
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

/** What a start needs of the room in which all programs are kept. */
type Started = Pick<OuterAgentParts, "dataDir" | "kept"> &
  Pick<RunningAgents, "wayFor" | "offeredTo" | "end"> & {
    services: SourceServices;
    live: Map<ThreadId, Live>;
  };

/** Nobody asked it for anything: what it does itself then is past our tools as well. */
function hearAtRest(
  { kept, services, end }: Started,
  { id }: ThreadRow,
  agent: OuterAgent,
  governed: GovernedAgent,
  told: Told,
): void {
  if (told.sessionUpdate !== "tool_call" && told.sessionUpdate !== "tool_call_update") return;
  if (governed.tripwire.judge(told) !== "past" || kept.of(id).actedPast) return;
  const { message: problem } = new ActedPast(agent.name, told.title ?? told.toolCallId);
  kept.note(id, { actedPast: true });
  tellThread(services, id, problem);
  services.journal.threads.update(id, { status: "failed", problem });
  void end(id);
}

/** A program that has just been started for a thread, and its session. */
async function start(
  scene: Started,
  thread: ThreadRow,
  agent: OuterAgent,
  { environment, program }: { environment: Record<string, string>; program: AgentProgram },
  signal: AbortSignal,
): Promise<Running> {
  const { dataDir, kept, services, live } = scene;
  const { id } = thread;
  const way = scene.wayFor(agent);
  const tools = await scene.offeredTo(agent, thread);
  const governed = way && tools && (await openGovernedAgent({ ...way, dataDir: dataDir }, tools));
  const started = startAgent({
    program,
    environment,
    signal,
    guard: services.effects.shell,
    threadId: id,
    earlier: kept.of(id).sessionId,
    governing: governed?.governing,
    atRest: (told) => governed && hearAtRest(scene, thread, agent, governed, told),
    onStarted: (process) => kept.note(id, { process }),
  });
  live.set(id, { program, servers: agent.mcpServers, started, ...(governed && { governed }) });
  const opened = await started;
  const { sessionId, remembers } = opened.session;
  kept.note(id, { sessionId });
  if (!remembers) tellThread(services, id, forgetful(agent.name));
  return { agent: opened, governed };
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

const forgetful = (name: string) =>
  `${name} could not go on with its earlier session, so it begins without knowing what was said in this thread.`;
