/** What acts on the world for agents: the files of each workspace, the shell, and the look at what commands change. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import { type CommandRunner, createCommandRunner } from "../agents/command-runner.ts";
import type { Effects } from "../agents/source.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { createCommandWatch } from "../files/command-watch.ts";
import { createWorkspaceFiles, type WorkspaceFiles } from "../files/workspace-files.ts";
import type { CommandAhead } from "../gate/journal.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { Shell } from "../shell/shell.ts";
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
  commands: CommandRunner;
  /** Looks at what a command that is about to begin needs to have looked at. */
  lookAheadOf(workspace: string, command: CommandAhead): void;
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
  const shell = new Shell({
    commandShell: parts.commandShell,
    logDir: join(parts.dataDir, "command-logs"),
    fork: parts.forkShellHost,
    ready: parts.pathKnown,
    sandbox: {
      ready: parts.sandbox.ready,
      home: homedir(),
      dataDir: parts.dataDir,
      hidden: parts.sandbox.hidden,
    },
    assertPermit({ executionId }, width) {
      if (!executions.isStarted(executionId as ExecutionRow["id"], width))
        throw new Error("no execution row is started with this width");
    },
  });
  const watch = createCommandWatch(tracker, parts.dataDir, parts.logError);
  const commands = createCommandRunner({
    shell,
    executions,
    commandTimeoutMs: () => settings.get().commandTimeoutMs,
    watch,
    rootOf: (workspace) => filesOf(workspace).root,
    noteStep: stepNotes.ofCommand,
  });
  const look = async (workspace: string) => watch.lookAhead(filesOf(workspace).root);
  const lookFor = async (workspace: string, { executionId, mayChangeFiles, width }: CommandAhead) => {
    if (width !== "outside") shell.lookAhead(executionId, filesOf(workspace).root, width);
    if (mayChangeFiles) await look(workspace);
  };
  return {
    filesOf,
    observeChanges: stepNotes.ofTool,
    shell,
    commands,
    lookAhead: (workspace) => void look(workspace).catch(parts.logError),
    lookAheadOf: (workspace, command) => void lookFor(workspace, command).catch(parts.logError),
    async close() {
      await watch.close();
      await shell.disposeAll();
    },
  };
}
