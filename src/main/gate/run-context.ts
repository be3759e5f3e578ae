/** What the gate knows of the run of a turn while it lasts, and what a call in it may do: the permit of its execution, without which backends refuse to act (I2), or the one path that was judged safe to read. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Width } from "../../shared/contract/decisions.ts";
import type { Receipt } from "../../shared/contract/thread-events.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { LoopPlace } from "../base/loop-place.ts";
import type { Refusals } from "../sandbox/find-refusals.ts";
import type { ToolFace } from "./tool-face.ts";

export type RunContext = {
  threadId: ThreadId;
  turnId: TurnId;
  /** Absolute real path of the thread's workspace. */
  workspace: string;
  /** Whether a call may run with other arguments than its agent chose. */
  mayEdit: boolean;
  signal: AbortSignal;
  /** For a run whose steps are taken here: its place among those of other threads. */
  loop: LoopPlace;
  /** Model calls and effects going on right now, not counting calls that hand work on and waiting gates. */
  busy: number;
  /** Called when `busy` fell to zero. */
  onQuiet(): void;
  /** How often the very same call was refused in this turn, by tool and arguments. */
  refusals: Map<string, number>;
};

/** Ends a turn with a sentence for the person. */
export class TurnStopped extends Error {
  override name = "TurnStopped";
  readonly outcome: "stopped" | "failed";
  constructor(outcome: "stopped" | "failed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Counts an activity as busy while it lasts. */
export async function countAsBusy<T>(run: RunContext, act: () => Promise<T>): Promise<T> {
  run.busy += 1;
  try {
    return await act();
  } finally {
    run.busy -= 1;
    if (run.busy === 0) run.onQuiet();
  }
}

/** Ends a run since a person wants it to end, and not since the app does. */
export class StoppedByPerson extends Error {
  override name = "StoppedByPerson";
}

/** A permit: what began, and what it may reach. */
export type Started = {
  executionId: ExecutionId;
  args: Record<string, unknown>;
  /** What of the world was shown; `undefined` when nobody was asked. */
  baseHash: string | undefined;
  /** A person saw that the path they said yes to is outside of the workspace. */
  mayLeaveWorkspace: boolean;
  /** A person saw that the address leads to this machine or its own network. */
  mayReachOwnNetwork: boolean;
  /** For a read that was asked about: the real path that was shown, and that alone is read. */
  shownPath: string | undefined;
  /** For a server's tool: the digest of its face as it was shown or offered. */
  toolDigest: string | undefined;
  /** False when the policy knows that it only reads. */
  mayChangeFiles: boolean;
  /** For a command: how far it may reach. */
  width: Width | undefined;
};

export type ExecutionContext = Started & {
  signal: AbortSignal;
  /** Filled by the backend that acts. */
  receipt: Partial<Receipt>;
  /** Set by the backend when the effect was ended by the person. */
  cancelled: boolean;
  /** Set when the effect did not come about; the tool's own message may not be marked as an error. */
  failed: boolean;
  /** Set when the file, the path or the tool was not what had been shown; nothing was done. */
  stale: boolean;
  /** Set by the backend when the end of it is on the disk already, in one commit with its effect. */
  ended: boolean;
  /** Set when nothing was started, with the reason: an approval is not used up by that. */
  notStarted: string | undefined;
  /** Set with `notStarted` when it was to be confined and could not be. */
  notConfined: boolean;
  /** What it looks like the sandbox refused a command that ran and failed. */
  refusals: Refusals | undefined;
  /** What a confined command newly made that was moved aside, by the names it has now. */
  setAside: readonly string[];
  /** Set with `stale` when a server's tool changed: what it is now. */
  faceNow: ToolFace | undefined;
};

const storage = new AsyncLocalStorage<ExecutionContext>();

/** Everything that `act` calls, however late, finds the context by `currentExecution`. */
export function runInExecution<T>(context: ExecutionContext, act: () => Promise<T>): Promise<T> {
  return storage.run(context, act);
}

/** The execution this call runs under, if it runs under one. */
export function currentExecution(): ExecutionContext | undefined {
  return storage.getStore();
}

const judged = new AsyncLocalStorage<string | undefined>();

/**
 * Lets a read nobody was asked about read what was judged, and no other file in its place.
 * @param path the real path that was judged; `undefined` when the call reads no file
 */
export function runAsJudged<T>(path: string | undefined, act: () => Promise<T>): Promise<T> {
  return judged.run(path, act);
}

/** The one real path that a read nobody was asked about may lead to. */
export function judgedPath(): string | undefined {
  return judged.getStore();
}

/** @throws UngatedEffectError when a tool reached a backend without having passed the gate; the effect must not happen then. */
export function requireExecution(what: string): ExecutionContext {
  const context = currentExecution();
  if (!context) throw new UngatedEffectError(what);
  return context;
}

export class UngatedEffectError extends Error {
  override name = "UngatedEffectError";
  constructor(what: string) {
    super(`Refused: ${what} did not pass the approval gate.`);
  }
}
