/** What answers the contract: an open host's stores and engine, and what windows may ask of the rest of it. */
import type { HostInfo } from "../../shared/contract/console.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { OuterAgentStore } from "../agent-files/outer-agent-store.ts";
import type { RemoteServerStore } from "../agent-files/remote-server-store.ts";
import type { ServerDesk } from "../agents/servers/server-desk.ts";
import type { Toolbox } from "../agents/toolbox.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import type { ConfinedSwitch } from "../rules/uncovered-commands.ts";
import type { DataInspector } from "../storage/data-inspector.ts";
import type { Changes } from "../threads/changes.ts";
import type { Summaries } from "./thread-summary.ts";

/** What of the host is neither a store nor the engine's. */
export type HostParts = {
  options: {
    dataDir: string;
    /** Whether nobody is there to ask. */
    unattended?: object;
    pickFolder?: (startAt: string) => Promise<string | null>;
    openLink?: (url: string) => Promise<boolean>;
    /** Where the deepagents CLI keeps its threads. */
    deepagentsFolder: string;
  };
  info: HostInfo;
  changes: Changes;
  toolbox: Toolbox;
  outerAgents: OuterAgentStore;
  remoteServers: RemoteServerStore;
  serverDesk: ServerDesk;
  /** Resolves once this process has the PATH that programs are to be found in. */
  pathKnown: Promise<void>;
  inspector: DataInspector;
  /** Notes the folder as a known one. @returns its real path. @throws ContractError naming what is wrong with it. */
  openWorkspace(path: string): Promise<string>;
  now: () => number;
};

export type ConsoleParts = Omit<Stores, keyof Engine> &
  Omit<Engine, "close"> &
  HostParts & { summaries: Summaries; confinedSwitch: ConfinedSwitch };

/** The answers to all calls whose names begin so. */
export type HandlersOf<Topic extends string> = Pick<Handlers, Extract<keyof Handlers, `${Topic}.${string}`>>;
