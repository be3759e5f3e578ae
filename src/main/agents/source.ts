/** The port of an agent source: what stands behind a thread and works on its turns. The engine knows a source by this alone. */
import type { Acting } from "../../shared/contract/outer-agents.ts";
import type { Delta } from "../../shared/contract/thread-reading.ts";
import type { Abilities } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ChangeObserver } from "../files/change-observer.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { Journal } from "../gate/journal.ts";
import type { RunContext } from "../gate/run-context.ts";
import type { RehearsalName } from "../rehearsal/rehearse.ts";
import type { Shell } from "../shell/shell.ts";
import type { SessionMessage } from "../threads/deepagents/sessions.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { TurnRow } from "../threads/turn-store.ts";
import type { StepOrigin } from "../undo/step-journal.ts";
import type { CommandRunner } from "./command-runner.ts";
import type { ModelSlots } from "./model-slots.ts";
import type { Rest } from "./run-end.ts";

/** What a run is for: `begin` sends the turn's message, `continue` goes on from where the turn was left. */
export type Work = { thread: ThreadRow; turn: TurnRow; how: "begin" | "continue" };

export type AgentSource = {
  /** What can be done with its threads. Whether they can be forked is said by `fork`. */
  can: Omit<Abilities, "fork">;
  /** Set where agents act themselves, past this host, and what they promise to do before they do. */
  actsItself?(thread: ThreadRow): Acting;
  /** What a card says after a start that waited at its end, where nobody waits for it any more. */
  afterStart?(row: ApprovalRow): string;
  /** Why it knows nothing of what was said before this start; absent when it does. */
  memoryLost?: string;
  /**
   * Works on the turn until it is done or does nothing but wait. Every call passes the gate under `run`, whose signal
   * ends it. It may be cut off at any point: a source that can resume then goes on with the same calls under the same
   * keys, and any other never ends its run in order to wait.
   * @throws what the gate throws, and whatever it fails with; see `run-end.ts`.
   */
  run(work: Work, run: RunContext): Promise<Rest>;
  /** Loads what its first turn would wait for; absent where that is next to nothing. */
  warmUp?(): Promise<void>;
  /** Removes what it keeps of a thread; the rows of threads are not its own. */
  forget(threadId: ThreadId): Promise<void>;
  /** Gives a new thread what its agent knew elsewhere; a turn that was open there can go on. Absent where nothing can. */
  adopt?(thread: ThreadRow, said: readonly SessionMessage[]): Promise<void>;
  /** Ends what it keeps running between runs; no run goes on any more. */
  close?(): Promise<void>;
  /**
   * There where what asks works elsewhere, outside of any run: it delivers each decision by itself, when nothing can take
   * it back any more, and finds out after a start what became of what it had begun to deliver. What waits there outlives
   * each turn of ours, and a turn that a crash cut off goes on by itself: it only looks.
   */
  outside?: { deliver(row: ApprovalRow): void };
  /** Absent where nothing can go on from an earlier point. */
  fork?: {
    /** Whether it still knows what it knew at the checkpoint; `null` is before the first one. */
    has(threadId: ThreadId, checkpointId: string | null): Promise<boolean>;
    /** Gives `to` what `from` knew then. Doing it twice is as good as once. */
    copy(from: ThreadId, to: ThreadId, checkpointId: string | null): Promise<void>;
  };
  /** Absent where a thread cannot go back to an earlier point of its own. */
  takeBack?: {
    /** The checkpoint that it stands at; `null` before the first. */
    at(threadId: ThreadId): Promise<string | null>;
    /** Whether it still knows what it knew at the checkpoint; `null` is before the first one. */
    has(threadId: ThreadId, checkpointId: string | null): Promise<boolean>;
    /**
     * It knows from now on what it knew then, on the disk. Doing it twice with one mark is as good as once.
     * @throws when it went on since it stood at `from`
     */
    to(threadId: ThreadId, where: { checkpointId: string | null; from: string; mark: string }): Promise<void>;
    /** It knows again what it knew before `to` with this mark. As good as once, too. @throws when it went on since */
    undo(threadId: ThreadId, mark: string): Promise<void>;
  };
};

/** What can be done with the threads of an agent that only takes messages and goes on after a stop. */
export const fewAbilities: AgentSource["can"] = {
  chooseModel: false,
  chooseAgent: false,
  editArguments: false,
  subAgents: false,
  resume: true,
  export: false,
  messages: true,
};

/** All that can be done with the threads of a source. */
export function abilitiesOf({ can, fork }: AgentSource): Abilities {
  return { ...can, fork: fork !== undefined };
}

/** `why`: nothing was changed, in a sentence. */
export type CommitEnd =
  | {
      readonly committed: true;
      readonly output: string;
      readonly exitCode: number;
      readonly truncated: boolean;
    }
  | { readonly committed: false; readonly why: string };

/** What acts on the world for the tools of a source, and only inside of an execution. */
export type Effects = {
  filesOf(workspace: string): WorkspaceFiles;
  /** To be passed to every change that a tool makes to files. */
  observeChanges(origin: StepOrigin, root: string): ChangeObserver;
  /** What can be had of the shell without a command: no source starts one past `commands`. */
  shell: Pick<Shell, "warmUp" | "guard" | "unguard">;
  commands: Pick<CommandRunner, "run">;
  /** Puts what a rehearsal of the execution's command found into the folder; its end is on the disk with it. */
  commitRehearsed(origin: StepOrigin, name: RehearsalName): Promise<CommitEnd>;
  /** Looks at the workspace already, since a command may change it soon. */
  lookAhead(workspace: string): void;
};

/** What the engine gives to each source. */
export type SourceServices = {
  /** What the gate works on; a source hands it to the gate with each call. */
  journal: Journal;
  effects: Effects;
  /** A model call of any source takes one of these. */
  slots: ModelSlots;
  onDelta(threadId: ThreadId, delta: Delta): void;
  /** What a thread rests on, or what keeps its message back, stands elsewhere and went on: so does the thread. */
  goOn(threadId: ThreadId): void;
  /** Where the turn began, for forking at its message. */
  noteCheckpoint(turn: TurnRow, checkpointId: string | null): void;
};
