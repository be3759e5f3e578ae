/** Every agent source, with what is kept for it in the data folder, by the name that stands in people's databases. */
import { createOuterAgentStore } from "../agent-files/outer-agent-store.ts";
import { createRemoteServerStore } from "../agent-files/remote-server-store.ts";
import { isSeatbelt } from "../sandbox/find-sandbox.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";
import { environmentOfPrograms } from "../shell/environment.ts";
import type { LateFacts } from "../shell/late-facts.ts";
import { builtInSource, type ThreadRow } from "../threads/thread-store.ts";
import { wayToGovern } from "./acp/governing.ts";
import { createKeptSessions } from "./acp/kept-session.ts";
import { createOuterAgents, outerSource } from "./acp/outer-agents.ts";
import { createDeepAgent, type DeepAgentParts } from "./deep-agent/deep-agent.ts";
import { serverSource } from "./servers/server-cards.ts";
import { createServerDesk, type ServerDesk } from "./servers/server-desk.ts";
import type { AgentSource, SourceServices } from "./source.ts";
import { createTerminalSource, terminalSource } from "./terminal/terminal-question.ts";
import type { Toolbox } from "./toolbox.ts";

/** Such a program takes hundreds of megabytes, and goes on with its session when it is needed again. */
const idleAgentMs = 15 * 60_000;

/** One that comes joins the suite that every source passes: the tests' engine has to have one of each name. */
export type SourceName =
  | typeof builtInSource
  | typeof terminalSource
  | typeof outerSource
  | typeof serverSource;

export type AgentSourceParts = Pick<LateFacts, "shellTitle" | "pathKnown"> & {
  dataDir: string;
  stores: Pick<DeepAgentParts, "models" | "keys" | "checkpointer" | "memoryLost"> & {
    settings: Pick<SettingsStore, "get">;
    workspaces: Pick<WorkspaceStore, "isTrusted">;
  };
  toolbox: Toolbox;
  sandbox: Sandbox;
  logError(error: unknown): unknown;
};

/** The sources themselves are made by `open`, with what the engine gives to each. */
export function createAgentSources(parts: AgentSourceParts) {
  const { dataDir, stores, logError } = parts;
  const servers = createRemoteServerStore(dataDir);
  const outerAgents = createOuterAgentStore(dataDir);
  const kept = createKeptSessions(dataDir);
  let desk: ServerDesk | undefined;
  const openServers = (services: SourceServices) => {
    desk = createServerDesk(services, {
      servers,
      keys: stores.keys,
      onError: (error) => void logError(error),
    });
    return desk.source;
  };
  /** Programs of others, which start with the first turn of a thread and in trusted folders only. */
  const outerParts = {
    dataDir,
    kept,
    agentOf: outerAgents.get,
    noteOffers: outerAgents.noteOffers,
    wayToGovern,
    isTrusted: stores.workspaces.isTrusted,
    sandbox: async () => {
      if (parts.sandbox.mode() === "off") return undefined;
      const probe = await parts.sandbox.ready();
      // What such a program needs is known for bubblewrap alone.
      return probe.usable && !isSeatbelt(probe.program) ? probe.program : undefined;
    },
    hidden: parts.sandbox.hidden,
    toolsBeside: parts.toolbox.toolsBeside,
    environment: () => environmentOfPrograms(process.env),
    pathKnown: parts.pathKnown,
    afterIdle(act: () => void) {
      const timer = setTimeout(act, idleAgentMs).unref();
      return () => clearTimeout(timer);
    },
  };
  return {
    servers,
    outerAgents,
    kept,
    open(services: SourceServices): Map<string, AgentSource> {
      const sources: Record<SourceName, AgentSource> = {
        [builtInSource]: createOwnAgent(parts, services),
        [terminalSource]: createTerminalSource(services),
        [outerSource]: createOuterAgents(outerParts, services),
        [serverSource]: openServers(services),
      };
      return new Map(Object.entries(sources));
    },
    /** What asks the remote servers. @throws before `open`. */
    serverDesk(): ServerDesk {
      if (!desk) throw new Error("The sources are made with the engine.");
      return desk;
    },
  };
}

/** The one source of agents that is built in. */
function createOwnAgent(
  { dataDir, stores, toolbox, sandbox, shellTitle }: AgentSourceParts,
  services: SourceServices,
): AgentSource {
  const parts = {
    ...stores,
    dataDir,
    settings: stores.settings.get,
    agentOf: (thread: ThreadRow) => toolbox.agentOf(thread.agentId),
    toolsOf: toolbox.toolsOf,
    contextOf: toolbox.contextOf,
    isLookedAt: toolbox.isLookedAt,
    shellTitle,
    mayConfine: sandbox.mayConfine,
  };
  return createDeepAgent(parts, services);
}
