/** The backend deep agents act through in one workspace: files confined to the workspace, commands in a pty, effects only under an execution. */
import type {
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  SandboxBackendProtocolV2,
  WriteResult,
} from "deepagents";
import type { ExecutionId, ThreadId } from "../../../shared/ids.ts";
import { currentExecution, requireExecution } from "../../gate/execution-context.ts";
import { judgedPath } from "../../gate/judged-read.ts";
import { currentRun, runSignal } from "./graph-run.ts";

/** What ran, as the shell reports it. */
export type CommandEnd = {
  output: string;
  exitCode: number | null;
  truncated: boolean;
  cancelled: boolean;
  bytes: number;
  /** Why it was not started at all; the rest then says nothing. */
  notStarted?: string;
};

/** What changed on disk, as the file layer reports it. */
export type ChangeEnd = { path: string; added: number; removed: number; occurrences: number } | "stale";

export type FileChange =
  | { operation: "write"; path: string; content: string }
  | { operation: "edit"; path: string; oldString: string; newString: string; replaceAll: boolean }
  | { operation: "delete"; path: string }
  | { operation: "move"; path: string; to: string };

export type GrepSearch = {
  pattern: string;
  path: string | null;
  glob: string | null;
  maxCount: number | null;
};

/** What a read may reach, and what ends it. */
export type ReadGrant = {
  /** A person saw that it leads outside of the workspace. */
  allowOutside: boolean;
  /** The one real path that was shown to a person, or judged when nobody was asked. */
  shownPath?: string;
  signal?: AbortSignal;
};

export type BackendParts = {
  id: string;
  /** Outside the workspace they are refused unless the grant says otherwise; `stale` when the path does not lead where was shown. */
  reads: {
    ls(path: string, grant: ReadGrant): Promise<LsResult | "stale">;
    read(path: string, offset: number, limit: number, grant: ReadGrant): Promise<ReadResult | "stale">;
    readRaw(path: string, grant: ReadGrant): Promise<ReadRawResult | "stale">;
    grep(search: GrepSearch, grant: ReadGrant): Promise<GrepResult | "stale">;
    glob(pattern: string, path: string | undefined, grant: ReadGrant): Promise<GlobResult | "stale">;
  };
  /** Applies a change; `baseHash` is what the person saw, `undefined` when nobody was shown a diff. */
  change(
    change: FileChange,
    how: { threadId: ThreadId; baseHash: string | undefined; mayLeave: boolean },
  ): Promise<ChangeEnd>;
  run(
    command: string,
    how: { threadId: ThreadId; executionId: ExecutionId; mayChangeFiles: boolean; signal: AbortSignal },
  ): Promise<CommandEnd>;
};

const staleText = "The file changed since it was shown, so nothing was written.";
const stalePathText = "The path leads somewhere else than when it was looked at, so nothing was read.";

/** @throws UngatedEffectError from every method with an effect when its call did not pass the gate (I2). */
export class WorkspaceBackend implements SandboxBackendProtocolV2 {
  readonly id: string;
  readonly #parts: BackendParts;

  constructor(parts: BackendParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  ls(path: string): Promise<LsResult> {
    return read((grant) => this.#parts.reads.ls(path, grant));
  }

  read(path: string, offset = 0, limit = 500): Promise<ReadResult> {
    return read((grant) => this.#parts.reads.read(path, offset, limit, grant));
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return read((grant) => this.#parts.reads.readRaw(path, grant));
  }

  grep(
    pattern: string,
    path: string | null = null,
    glob: string | null = null,
    maxCount: number | null = null,
  ): Promise<GrepResult> {
    return read((grant) => this.#parts.reads.grep({ pattern, path, glob, maxCount }, grant));
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return read((grant) => this.#parts.reads.glob(pattern, path, grant));
  }

  async write(path: string, content: string): Promise<WriteResult> {
    const end = await this.#change({ operation: "write", path, content });
    return typeof end === "string" ? { error: end } : { path: end.path, filesUpdate: null };
  }

  async edit(path: string, oldString: string, newString: string, replaceAll = false): Promise<EditResult> {
    const end = await this.#change({ operation: "edit", path, oldString, newString, replaceAll });
    return typeof end === "string"
      ? { error: end }
      : { path: end.path, occurrences: end.occurrences, filesUpdate: null };
  }

  async delete(path: string): Promise<DeleteResult> {
    const end = await this.#change({ operation: "delete", path });
    return typeof end === "string" ? { error: end } : { path: end.path, filesUpdate: null };
  }

  /** Not of the packages' protocol: the tool that moves files is our own. */
  async move(path: string, to: string): Promise<{ error: string } | { path: string }> {
    const end = await this.#change({ operation: "move", path, to });
    return typeof end === "string" ? { error: end } : { path: end.path };
  }

  async execute(command: string): Promise<ExecuteResponse> {
    const execution = requireExecution(`the command ${command}`);
    const { executionId, mayChangeFiles, signal } = execution;
    const { threadId } = currentRun();
    const end = await this.#parts.run(command, { threadId, executionId, mayChangeFiles, signal });
    execution.notStarted = end.notStarted;
    execution.receipt = {
      ...execution.receipt,
      exitCode: end.exitCode,
      bytes: end.bytes,
      truncated: end.truncated,
    };
    execution.cancelled = end.cancelled;
    return { output: end.output, exitCode: end.exitCode, truncated: end.truncated };
  }

  uploadFiles(files: [string, Uint8Array][]): FileUploadResponse[] {
    return files.map(([path]) => ({ path, error: "permission_denied" }));
  }

  /** Deep agents read memory and skills this way; only what any read may see is handed out. */
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return Promise.all(
      paths.map(async (path) => {
        const found = await this.#parts.reads.read(path, 0, Number.MAX_SAFE_INTEGER, {
          allowOutside: false,
        });
        const content = found === "stale" ? undefined : found.content;
        if (content === undefined) return { path, content: null, error: "file_not_found" as const };
        return { path, content: typeof content === "string" ? Buffer.from(content) : content, error: null };
      }),
    );
  }

  /** @returns what changed, or a sentence for the model that says why nothing did. */
  async #change(change: FileChange): Promise<Exclude<ChangeEnd, "stale"> | string> {
    const execution = requireExecution(`${change.operation} ${change.path}`);
    try {
      const end = await this.#parts.change(change, {
        threadId: currentRun().threadId,
        baseHash: execution.baseHash,
        mayLeave: execution.mayLeaveWorkspace,
      });
      if (end === "stale") {
        execution.stale = true;
        return staleText;
      }
      // A move changes no lines.
      const lines = change.operation === "move" ? {} : { added: end.added, removed: end.removed };
      execution.receipt = { ...execution.receipt, path: end.path, ...lines };
      return end;
    } catch (error) {
      execution.failed = true;
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Reads that were asked about (a file outside, a secret) run under an execution that says what was shown; others as judged. */
async function read<T extends { error?: string }>(
  act: (grant: ReadGrant) => Promise<T | "stale">,
): Promise<T | { error: string }> {
  const execution = currentExecution();
  const result = await act({
    allowOutside: execution?.mayLeaveWorkspace ?? false,
    shownPath: execution?.shownPath ?? judgedPath(),
    signal: runSignal(),
  });
  if (result !== "stale") return result;
  if (execution) execution.stale = true;
  return { error: stalePathText };
}
