/** What a launcher sees of the host: it hands over wires and hears what waits for a person. */
import type { HostInfo } from "../../shared/contract/console.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";
import type { Unattended } from "./judge.ts";

/** Encrypts what must not lie on disk in the clear. `memory` means: nothing may be written at all. */
export type SecretBox = {
  storage: "keychain" | "memory";
  encrypt(plain: string): Promise<Uint8Array>;
  decrypt(bytes: Uint8Array): Promise<string>;
};

/** What waits now, for badge, tray and notifications. */
export type Attention = {
  waiting: number;
  /** Approvals that began to wait since the last report. */
  newest: { approvalId: ApprovalId; threadId: ThreadId; title: string; text: string }[];
  /** Approvals that no longer wait; their notifications are withdrawn. */
  withdrawn: ApprovalId[];
};

export type HostOptions = {
  dataDir: string;
  mode: HostInfo["mode"];
  version: string;
  /** A folder given at start, so that New thread needs no dialog. */
  workspace?: string;
  pickFolder?: () => Promise<string | null>;
  openLink?: (url: string) => Promise<boolean>;
  secretBox?: SecretBox;
  /** How a process of its own is started, for commands and for reading whole databases; by default as a child of plain Node. */
  forkShellHost?: ForkShellHost;
  /** Set where no person is there to ask. */
  unattended?: Unattended;
  now?: () => number;
  /** How long after the start both databases are read in full, in ms; default one minute. */
  checkDataAfterMs?: number;
};

export type Host = {
  info: HostInfo;
  /** Serves the contract on a wire until it closes. */
  connect(transport: Transport): void;
  onAttention(listener: (attention: Attention) => void): void;
  /** Ends runs and commands, leaves everything pending as it is, and gives the data directory free. */
  close(): Promise<void>;
};
