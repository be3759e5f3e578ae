/** Makes the backend of a workspace: its files, its shell, and the record of what each thread changed. */
import type { LsResult, SandboxBackendProtocolV2 } from "deepagents";
import type { ThreadId } from "../../shared/ids.ts";
import type { BackendParts, CommandEnd, FileChange } from "../agents/workspace-backend.ts";
import type { ExecutionStore } from "../approvals/execution-store.ts";
import type { ChangeTracker } from "../files/change-tracker.ts";
import type { FileChangeRequest } from "../files/file-change.ts";
import { FileError, StaleFileError } from "../files/file-error.ts";
import type { RawFile, WorkspaceFiles } from "../files/workspace-files.ts";
import type { Shell } from "../shell/shell.ts";
import { baseOf } from "./tool-policy.ts";

export type BackendsParts = {
  filesOf(workspace: string): WorkspaceFiles;
  tracker: ChangeTracker;
  shell: Shell;
  executions: ExecutionStore;
  commandTimeoutMs(): number;
  /** Counts the command in `act` as the thread's while its process lives. */
  whileUnderway<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Runs the command in `act` and remembers for the thread which files it changed. */
  watchChanges<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
};

/** `deepagents` is loaded with the first agent, not with the host. */
export async function createBackend(
  parts: BackendsParts,
  workspace: string,
): Promise<SandboxBackendProtocolV2> {
  // The agent may run a command; by the time it does, the process for it is there.
  parts.shell.warmUp();
  const { WorkspaceBackend } = await import("../agents/workspace-backend.ts");
  const files = parts.filesOf(workspace);
  return new WorkspaceBackend({
    id: "workspace",
    reads: {
      ls: (path, allowOutside) =>
        attempt(async () => ({ files: (await files.list(path, { allowOutside })).entries.map(toFileInfo) })),
      read: (path, offset, limit, allowOutside) =>
        attempt(async () => sliceLines(await files.read(path, { allowOutside }), offset, limit)),
      readRaw: (path, allowOutside) =>
        attempt(async () => ({ data: toFileData(await files.readRaw(path, { allowOutside })) })),
      grep: ({ pattern, path, glob, maxCount }, allowOutside) =>
        attempt(async () => {
          const found = await files.grep(pattern, { path, glob, maxResults: maxCount, allowOutside });
          return {
            matches: found.matches.map(({ path: at, line, text }) => ({ path: at, line, text })),
            truncated: found.truncated,
          };
        }),
      glob: (pattern, path, allowOutside) =>
        attempt(async () => {
          const found = await files.glob(patternIn(files.root, pattern), { path, allowOutside });
          return { files: found.files.map(toFileInfo), truncated: found.truncated };
        }),
    },
    change: (change, how) => applyChange(parts, files, change, how),
    run(command, how) {
      const act = () => parts.whileUnderway(how.threadId, () => runCommand(parts, workspace, command, how));
      return how.mayChangeFiles ? parts.watchChanges(how.threadId, act) : act();
    },
  });
}

/** The glob tool's own description recommends patterns such as `/src/**`, meaning the workspace's `src`. */
function patternIn(root: string, pattern: string): string {
  return pattern.startsWith("/") && !pattern.startsWith(`${root}/`) ? pattern.replace(/^\/+/, "") : pattern;
}

/** What the backend protocol wants to hear of an error: a sentence, not an exception. */
async function attempt<T extends object>(act: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FileError) return { error: error.message };
    throw error;
  }
}

/** A search finds files only, and so says no kind. */
type Listed = { relativePath: string; kind?: string; size: number; modifiedAt: number };

function toFileInfo(entry: Listed): NonNullable<LsResult["files"]>[number] {
  const isFolder = entry.kind === "folder";
  return {
    path: isFolder ? `${entry.relativePath}/` : entry.relativePath,
    is_dir: isFolder,
    size: entry.size,
    modified_at: new Date(entry.modifiedAt).toISOString(),
  };
}

function toFileData(file: RawFile) {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  return {
    content: file.text ?? new Uint8Array(file.bytes),
    mimeType: file.text === null ? "application/octet-stream" : "text/plain",
    created_at: at(file.createdAt),
    modified_at: at(file.modifiedAt),
  };
}

function sliceLines(file: RawFile & { text: string }, offset: number, limit: number) {
  const lines = file.text.split("\n");
  const shown = lines.slice(offset, offset + limit);
  return {
    content: shown.join("\n"),
    mimeType: "text/plain",
    totalLines: lines.length,
    startLine: offset + 1,
    endLine: offset + shown.length,
  };
}

async function applyChange(
  parts: BackendsParts,
  files: WorkspaceFiles,
  change: FileChange,
  { threadId, baseHash, mayLeave }: Parameters<BackendParts["change"]>[1],
) {
  const request: FileChangeRequest = change;
  const grant = { allowOutside: mayLeave };
  try {
    const plan = await files.planChange(request, grant);
    // What the person saw was a diff of this very file with this very content.
    if (baseHash !== undefined && baseHash !== baseOf(plan)) return "stale" as const;
    const done = await files.applyChange(request, plan, {
      ...grant,
      observer: parts.tracker.observe(threadId, files.root),
    });
    return { path: done.relativePath, added: done.added, removed: done.removed, occurrences: done.count };
  } catch (error) {
    if (error instanceof StaleFileError && baseHash !== undefined) return "stale" as const;
    throw error;
  }
}

async function runCommand(
  { shell, executions, commandTimeoutMs }: BackendsParts,
  workspace: string,
  command: string,
  { executionId, signal }: Parameters<BackendParts["run"]>[1],
): Promise<CommandEnd> {
  // The turn may have been stopped while the folder was looked at; then nothing is started.
  signal.throwIfAborted();
  const running = await shell.run({
    permit: { executionId },
    executionId,
    command,
    cwd: workspace,
    timeoutMs: commandTimeoutMs(),
    signal,
  });
  executions.noteProcess(executionId, {
    pid: running.pid,
    processStarted: running.startTime,
    logPath: running.logPath,
  });
  const result = await running.done;
  const survivors = result.stillRunning.map((process) => process.pid);
  const note = survivors.length > 0 ? `\n[still running: ${survivors.join(", ")}]` : "";
  return {
    output: result.output + note,
    exitCode: result.exitCode ?? (result.outcome === "timeout" ? 124 : 130),
    truncated: result.truncated,
    cancelled: result.outcome === "cancelled" || result.outcome === "killed",
    bytes: result.bytes,
  };
}
