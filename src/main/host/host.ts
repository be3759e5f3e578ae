/** What a launcher sees of the host: it hands over wires and hears what waits for a person. */
import type { CommandShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { Attention } from "../console/attention-feed.ts";
import type { DesktopState, LauncherServices } from "../console/for-launcher.ts";
import type { Unattended } from "../gate/unattended.ts";
import type { SandboxMode, SandboxParts } from "../sandbox/sandbox.ts";
import type { SecretBox } from "../settings/secret-box.ts";
import type { LoginPath } from "../shell/login-path.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";

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
