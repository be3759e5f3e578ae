/** What a launcher sees of the host: it hands over wires and hears what waits for a person. */
import type { CommandShell } from "../../shared/command-shell.ts";
import type { ShownApproval } from "../../shared/contract/approvals.ts";
import type { HostInfo, Settings } from "../../shared/contract/console.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { LoginPath } from "../shell/login-path.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";
import type { Unattended } from "./judge.ts";

/** The system's keychain. Its answers may stay away for as long as a person looks at a prompt, or for ever. */
export type SecretBox = {
  /** Whether bytes made by `seal` are really encrypted; some systems only disguise them. */
  isEncrypted(bytes: Uint8Array): boolean;
  /** Rejects where there is no keychain or it refuses. */
  seal(plain: string): Promise<Uint8Array>;
  /** Rejects when it refuses; `isOutdated` asks to seal the same text anew. */
  open(bytes: Uint8Array): Promise<{ plain: string; isOutdated: boolean }>;
};

/** What waits now, for badge, tray and notifications. */
export type Attention = {
  waiting: number;
  /** Approvals that began to wait since the last report. */
  newest: {
    approvalId: ApprovalId;
    threadId: ThreadId;
    title: string;
    text: string;
    /** Present where `text` is all there is to see and the risk is low: then it may be decided where it is shown. */
    decidable?: { digest: string };
  }[];
  /** Approvals that no longer wait; their notifications are withdrawn. */
  withdrawn: ApprovalId[];
};

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
  /** Set where no person is there to ask. */
  unattended?: Unattended;
  now?: () => number;
  /** How long after the start both databases are read in full, in ms; default one minute. */
  checkDataAfterMs?: number;
};

/** What the desktop follows of the host. */
export type DesktopState = {
  /** Whether a turn runs that does not wait for a person. */
  isWorking: boolean;
  theme: Settings["theme"];
};

export type Host = {
  info: HostInfo;
  /** Serves the contract on a wire until it closes. */
  connect(transport: Transport): void;
  onAttention(listener: (attention: Attention) => void): void;
  /** Tells at once and after each change. */
  onState(listener: (state: DesktopState) => void): void;
  /** Command lines that run now, as their approvals showed them. */
  runningCommands(): string[];
  /** Brings an approval before the person in every open window. */
  showApproval(id: ApprovalId): void;
  /** Decides what was shown as `decidable`. @returns false when it is not that any more: then it must be looked at. */
  decideShown(shown: ShownApproval, type: "approve" | "reject"): Promise<boolean>;
  /** The system shows no notifications of this app; the settings say so. */
  noteSilentSystem(): void;
  /** Takes a folder as the one for new threads; one that cannot be opened becomes a warning. */
  offerWorkspace(path: string): Promise<void>;
  /** @returns the id under which the error stands in the log, without its message. */
  logError(error: unknown): string;
  /** Ends runs and commands, leaves everything pending as it is, and gives the data directory free. */
  close(): Promise<void>;
};
