/** What acts on the world for agents: the files of each workspace, the shell, and the look at what commands change. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { runCommand } from "../agents/run-command.ts";
import type { Effects } from "../agents/source.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { createCommandWatch } from "../files/command-watch.ts";
import { createWorkspaceFiles, type WorkspaceFiles } from "../files/workspace-files.ts";
import { createUnaskedOutput } from "../gate/unasked-output.ts";
import { hiddenBy } from "../sandbox/hidden-places.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createShell } from "../shell/remote-shell.ts";
import type { Shell } from "../shell/shell.ts";
import type { ForkShellHost } from "../shell/shell-host-process.ts";
import type { Stores } from "./stores.ts";

export type EffectsParts = {
  dataDir: string;
  stores: Pick<Stores, "executions" | "settings" | "stepNotes" | "tracker">;
  /** What reads the commands. */
  commandShell: CommandShell;
  forkShellHost?: ForkShellHost;
  /** What confines commands. */
  sandbox: Sandbox;
  /** Resolves once this process has the PATH that commands are to be found in; none is started before. */
  pathKnown: Promise<void>;
  logError(error: unknown): string;
};

/** What was rehearsed is committed by the desk that undo and the queue stand behind. */
export type EngineEffects = Omit<Effects, "commitRehearsed"> & {
  shell: Shell;
  /** Resolves when no command of the thread is under way; once the signal has aborted, after a while at the latest. */
  commandsEnded(threadId: ThreadId, signal: AbortSignal): Promise<void>;
  /** Ends every command. */
  close(): Promise<void>;
};

/** Starts no process before the first command. */
export function createEffects(parts: EffectsParts): EngineEffects {
  const { executions, settings, stepNotes, tracker } = parts.stores;
  const files = new Map<string, WorkspaceFiles>();
  const filesOf = (workspace: string) => {
    const known = files.get(workspace) ?? createWorkspaceFiles(workspace);
    files.set(workspace, known);
    return known;
  };
  const shell = createShell({
    commandShell: parts.commandShell,
    logDir: join(parts.dataDir, "command-logs"),
    fork: parts.forkShellHost,
    ready: parts.pathKnown,
    sandbox: {
      ready: parts.sandbox.ready,
      home: homedir(),
      dataDir: parts.dataDir,
      hidden: () => hiddenBy(settings.get()),
    },
    assertPermit({ executionId }, width) {
      if (!executions.isStarted(executionId as ExecutionRow["id"], width))
        throw new Error("no execution row is started with this width");
    },
  });
  const commandTimeoutMs = () => settings.get().commandTimeoutMs;
  const running = { shell, executions, commandTimeoutMs, unaskedOutput: createUnaskedOutput() };
  const commands = createCommandsUnderway();
  const watch = createCommandWatch(tracker, parts.dataDir, parts.logError);
  const look = async (workspace: string) => watch.lookAhead(filesOf(workspace).root);
  return {
    filesOf,
    observeChanges: stepNotes.ofTool,
    shell,
    runCommand(command) {
      const { threadId, workspace, mayChangeFiles } = command;
      const run = () => commands.during(threadId, () => runCommand(running, command));
      const { root } = filesOf(workspace);
      return mayChangeFiles ? watch.around(threadId, root, run, stepNotes.ofCommand(command, root)) : run();
    },
    lookAhead: (workspace) => void look(workspace).catch(parts.logError),
    commandsEnded: commands.ended,
    async close() {
      await watch.close();
      await shell.disposeAll();
    },
  };
}

/** Which commands of each thread are alive, so that a run ends when its last process has and not before. */
type CommandsUnderway = {
  /** Counts `act` as under way until it has settled, whatever becomes of whoever waits for its result. */
  during<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /**
   * Resolves when no command of the thread is under way. Once the signal has aborted it waits for the time a command
   * gets to end and not longer: what no signal reaches must not keep the thread for ever.
   */
  ended(threadId: ThreadId, signal: AbortSignal): Promise<void>;
};

/** TERM, the shell's grace, KILL twice and the close of the log take less. */
const endWithinMs = 2_500;

/** Knows which commands of each thread are alive. @param limitMs how long `ended` waits after its signal. */
export function createCommandsUnderway(limitMs = endWithinMs): CommandsUnderway {
  const counts = new Map<ThreadId, number>();
  const waiters = new Set<() => void>();

  function count(threadId: ThreadId, by: 1 | -1): void {
    const now = (counts.get(threadId) ?? 0) + by;
    if (now === 0) counts.delete(threadId);
    else counts.set(threadId, now);
    for (const look of waiters) look();
  }

  return {
    async during(threadId, act) {
      count(threadId, 1);
      try {
        return await act();
      } finally {
        count(threadId, -1);
      }
    },
    async ended(threadId, signal) {
      if (!counts.has(threadId)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (!counts.has(threadId)) resolve();
      };
      let timer: NodeJS.Timeout | undefined;
      const limit = () => {
        timer = setTimeout(resolve, limitMs);
      };
      waiters.add(look);
      if (signal.aborted) limit();
      else signal.addEventListener("abort", limit, { once: true });
      await promise;
      waiters.delete(look);
      clearTimeout(timer);
      signal.removeEventListener("abort", limit);
    },
  };
}
