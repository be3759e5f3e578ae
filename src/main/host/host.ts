/** What a launcher sees of the host: it hands over wires and hears what waits for a person. */
import { randomUUID } from "node:crypto";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import { haltedStatuses, isHalted } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type Handlers, serveContract } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { ServerDesk } from "../agents/servers/server-desk.ts";
import type { TerminalDesk } from "../agents/terminal/terminal-desk.ts";
import type { HostLog } from "../base/log-file.ts";
import { type Attention, reportAttention } from "../console/attention-feed.ts";
import { createCommandLineDoor, forCommandLine } from "../console/command-line-door.ts";
import {
  type DesktopState,
  type LauncherServices,
  reportState,
  serveLauncher,
} from "../console/for-launcher.ts";
import { createHookDoor } from "../console/hook-door.ts";
import type { Engine } from "../engine/engine.ts";
import { nameStorageErrors } from "../engine/explain-error.ts";
import type { Stores } from "../engine/stores.ts";
import type { Unattended } from "../gate/unattended.ts";
import type { Sandbox, SandboxMode, SandboxParts } from "../sandbox/sandbox.ts";
import type { SecretBox } from "../settings/secret-box.ts";
import type { LoginPath } from "../shell/login-path.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";
import type { DataInspector } from "../storage/data-inspector.ts";
import type { Changes } from "../threads/changes.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { WarmUp } from "./warm-up.ts";

export type HostOptions = {
  dataDir: string;
  mode: HostInfo["mode"];
  version: string;
  /** A folder given at start, so that New thread needs no dialog. */
  workspace?: string;
  /** @param startAt where the dialog begins. */
  pickFolder?: (startAt: string) => Promise<string | null>;
  openLink?: (url: string) => Promise<boolean>;
  secretBox?: SecretBox;
  /** The PATH of the person's login shell, where the app was not started from a terminal; commands wait for it. */
  loginPath?: Promise<LoginPath>;
  /** How a process of its own is started, for commands and for reading whole databases; by default as a child of plain Node. */
  forkShellHost?: ForkShellHost;
  /** What reads the commands; by default the shell that is found. */
  commandShell?: CommandShell;
  /** What confines commands: instead of what the settings say, and of what the system has. */
  sandbox?: { mode?: SandboxMode; parts?: Pick<SandboxParts, "find" | "probe"> };
  /** Set where no person is there to ask. */
  unattended?: Unattended;
  /** Closes the data directory to other users and says whether it is; by default as this system does it. */
  makePrivate?: (dataDir: string) => boolean;
  now?: () => number;
  /** Where the deepagents CLI keeps its threads and its MCP servers, if not in the home. */
  deepagentsFolder?: string;
  /** How long after the start both databases are read in full, in ms; default one minute. */
  checkDataAfterMs?: number;
  /** How long after its first window what a first turn needs is loaded, in ms; with the first turn when absent. */
  warmUpAfterMs?: number;
};

export type Host = LauncherServices & {
  info: HostInfo;
  /** Serves the contract on a wire until it closes. */
  connect(transport: Transport): void;
  onAttention(listener: (attention: Attention) => void): void;
  /** Tells at once and after each change. */
  onState(listener: (state: DesktopState) => void): void;
  /** Ends runs and commands, leaves everything pending as it is, and gives the data directory free. */
  close(): Promise<void>;
};

/** What an open host consists of, for those who hand it on. */
export type Opened = {
  dataDir: string;
  info: HostInfo;
  stores: Stores;
  changes: Changes;
  engine: Engine;
  sandbox: Sandbox;
  inspector: DataInspector;
  terminalDesk: TerminalDesk;
  serverDesk: Pick<ServerDesk, "begin">;
  log: HostLog;
  warmUp: WarmUp;
  openWorkspace(path: string): Promise<string>;
};

/** Closes one thing that was opened. */
export type Closing = () => unknown;

/** What was opened last is closed first, and nothing twice. */
export async function closeAll(closings: Closing[]): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}

type Lifetime = {
  isUnattended: boolean;
  /** What listens or waits until the host closes. */
  ends: (() => void)[];
  closings: Closing[];
};

/** Opens the host to wires; until then nobody can ask it anything. */
export function openDoors(
  host: Opened,
  handlers: Handlers,
  { isUnattended, ends, closings }: Lifetime,
): Host {
  const { info, stores, changes, log } = host;
  const wires = new Set<Transport>();
  const served = nameStorageErrors(handlers);
  const attention = {
    pending: () => stores.approvals.pending(),
    halted: () => haltedThreads(stores.threads),
    titleOf: (row: { threadId: ThreadId }) => stores.threads.find(row.threadId)?.title ?? "",
    settings: stores.settings.get,
  };
  const connect = (transport: Transport, via?: "command line") => {
    wires.add(transport);
    transport.onClose(() => wires.delete(transport));
    serveContract(transport, via ? forCommandLine(served) : served, {
      clientId: randomUUID(),
      ...(via && { via }),
      onInternalError: log.error,
      checkItems: false,
    });
  };
  if (!isUnattended) closings.push(openSockets(host, (transport) => connect(transport, "command line")));
  return {
    info,
    connect(transport) {
      connect(transport);
      host.warmUp.windowOpened();
    },
    onAttention: (listener) => void ends.push(reportAttention(changes, attention, listener)),
    onState: (listener) => void ends.push(reportState(host, listener)),
    ...serveLauncher(host),
    async close() {
      for (const end of ends) end();
      for (const wire of wires) wire.close("The app is closing.");
      await closeAll(closings);
    },
  };
}

/** The doors for the command line and for hooks, open while the settings allow them. @returns what closes them. */
function openSockets(
  { stores, changes, info, dataDir, terminalDesk: desk, log }: Opened,
  connect: (transport: Transport) => void,
) {
  const onProblem = (sentence: string) => {
    info.warnings.push(sentence);
    changes.tell({ kind: "host" });
  };
  const commandLine = createCommandLineDoor(dataDir, connect, onProblem);
  const hooks = createHookDoor({ dataDir, desk, onProblem, onError: log.error });
  const update = () => {
    const settings = stores.settings.get();
    commandLine.update(settings.commandLine);
    hooks.update(settings.terminalAgents);
  };
  update();
  const stop = changes.listen(({ kind }) => kind === "settings" && update());
  return () => {
    stop();
    commandLine.close();
    hooks.close();
  };
}

/** Asked at every burst of changes, so that only threads that may count are read. */
function haltedThreads({ threadsWithStatus, get }: Stores["threads"]): ThreadRow[] {
  return threadsWithStatus(haltedStatuses).map(get).filter(isHalted);
}
