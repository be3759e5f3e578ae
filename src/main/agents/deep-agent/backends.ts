/** Makes the backend of a workspace: its files, its shell, and the record of what each thread changed. */
import type { LsResult } from "deepagents";
import type { FileChangePlan, FileChangeRequest } from "../../files/file-change.ts";
import { FileError, StaleFileError } from "../../files/file-error.ts";
import type { RawFile, WorkspaceFiles } from "../../files/workspace-files.ts";
import { judging } from "../../rules/judging-thread.ts";
import { ShellError } from "../../shell/shell-error.ts";
import { describeLeftOut, isLeftOut } from "../../tools/leave-secrets-out.ts";
import { baseOfChange, isStillShown, readBase } from "../../tools/shown-base.ts";
import type { Effects } from "../source.ts";
import type {
  BackendParts,
  CommandEnd,
  FileChange,
  ReadGrant,
  WorkspaceBackend,
} from "./workspace-backend.ts";

/** `deepagents` is loaded with the first agent, not with the host. */
export async function createBackend(parts: Effects, workspace: string): Promise<WorkspaceBackend> {
  // The agent may run a command; by the time it does, the process for it is there.
  parts.shell.warmUp();
  judging.warmUp();
  const loaded = await import("./workspace-backend.ts");
  const files = parts.filesOf(workspace);
  return new loaded.WorkspaceBackend({
    id: "workspace",
    reads: {
      ls: (path, grant) =>
        attempt(grant, async () => ({ files: (await files.list(path, grant)).entries.map(toFileInfo) })),
      read: (path, offset, limit, grant) =>
        attempt(grant, async () => sliceLines(await files.read(path, grant), offset, limit)),
      readRaw: (path, grant) =>
        attempt(grant, async () => ({ data: toFileData(await files.readRaw(path, grant)) })),
      grep: ({ pattern, path, glob, maxCount }, grant) =>
        attempt(grant, async () => {
          const where = { path, glob, maxResults: maxCount, ...grant, leavesOut: isLeftOut(files.root) };
          const found = await files.grep(pattern, where);
          const matches = found.matches.map(({ path: at, line, text }) => ({ path: at, line, text }));
          if (found.leftOut === 0) return { matches, truncated: found.truncated };
          const note = describeLeftOut(found.leftOut);
          if (matches.length === 0) return { error: `No matches found. ${note}` };
          return { matches: [...matches, { path: note, line: 0, text: "" }], truncated: found.truncated };
        }),
      glob: (pattern, path, grant) =>
        attempt(grant, async () => {
          const found = await files.glob(patternIn(files.root, pattern), { path, ...grant });
          return { files: found.files.map(toFileInfo), truncated: found.truncated };
        }),
    },
    change: (change, how) => applyChange(parts, files, change, how),
    run(command, how) {
      const act = () => parts.whileUnderway(how.threadId, () => runCommand(parts, workspace, command, how));
      return how.mayChangeFiles ? parts.watchChanges(how.threadId, files.root, act) : act();
    },
  });
}

/** The glob tool's own description recommends patterns such as `/src/**`, meaning the workspace's `src`. */
function patternIn(root: string, pattern: string): string {
  return pattern.startsWith("/") && !pattern.startsWith(`${root}/`) ? pattern.replace(/^\/+/, "") : pattern;
}

/** What the backend protocol wants to hear of an error: a sentence, not an exception. */
async function attempt<T extends object>(
  grant: ReadGrant,
  act: () => Promise<T>,
): Promise<T | { error: string } | "stale"> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StaleFileError && grant.shownPath !== undefined) return "stale";
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
  parts: Effects,
  files: WorkspaceFiles,
  change: FileChange,
  { threadId, baseHash, mayLeave }: Parameters<BackendParts["change"]>[1],
) {
  const request: FileChangeRequest = change;
  const isShown = (plan: FileChangePlan) => {
    if (baseHash !== undefined && !isStillShown(baseHash, baseOfChange(plan)))
      throw new StaleFileError(change.path, "was changed since this was shown");
  };
  try {
    const done = await files.applyChange(request, isShown, {
      allowOutside: mayLeave,
      allowTargetOutside: mayLeave,
      // Where a person saw what it would do, it could be done.
      wasPossible: readBase(baseHash).paths.length > 0,
      observer: parts.tracker.observe(threadId, files.root),
    });
    const path = (done.to ?? done).relativePath;
    return { path, added: done.added, removed: done.removed, occurrences: done.count };
  } catch (error) {
    if (error instanceof StaleFileError && baseHash !== undefined) return "stale" as const;
    throw error;
  }
}

const mayStillRun = "[What the command started may still run: the system did not list its processes.]";
const endedWithIt =
  "[What was started with & has ended with this command. To keep a process, start it with nohup or setsid.]";

/** Whether a `&` stands in the command that is no part of `&&`, `&>`, `>&`, `<&`, `|&` and in no quotes. */
function startsInBackground(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, "");
  return /(?:^|[^&<>|])&(?![&>])/.test(bare);
}

async function runCommand(
  { shell, executions, commandTimeoutMs, unaskedOutput }: Effects,
  workspace: string,
  command: string,
  { executionId, threadId, mayChangeFiles, signal }: Parameters<BackendParts["run"]>[1],
): Promise<CommandEnd> {
  // The turn may have been stopped while the folder was looked at; then nothing is started.
  signal.throwIfAborted();
  const starting = shell.run({
    permit: { executionId },
    executionId,
    command,
    cwd: workspace,
    timeoutMs: commandTimeoutMs(),
    maxLogBytes: mayChangeFiles ? undefined : unaskedOutput.roomFor(threadId),
    signal,
  });
  const running = await starting.catch((error: unknown) => {
    if (error instanceof ShellError && error.code === "start-failed") return error;
    throw error;
  });
  if (running instanceof ShellError) {
    const nothing = { exitCode: 1, truncated: false, cancelled: false, bytes: 0 };
    return { ...nothing, output: running.message, notStarted: running.message };
  }
  executions.noteProcess(executionId, {
    pid: running.pid,
    processStarted: running.startTime,
    logPath: running.logPath,
  });
  const result = await running.done;
  if (!mayChangeFiles) unaskedOutput.note(threadId, result.bytes);
  const survivors = result.stillRunning.map((process) => process.pid);
  const isOver = survivors.length === 0 && !result.mayRunMore;
  const ended = isOver && startsInBackground(command) ? `\n${endedWithIt}` : "";
  const unknown = result.mayRunMore ? `\n${mayStillRun}` : ended;
  const note = survivors.length > 0 ? `\n[still running: ${survivors.join(", ")}]${unknown}` : unknown;
  return {
    output: result.output + note,
    exitCode: result.exitCode ?? (result.outcome === "timeout" ? 124 : 130),
    truncated: result.truncated,
    cancelled: result.outcome === "cancelled" || result.outcome === "killed",
    bytes: result.bytes,
  };
}
