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
import { messageOf } from "../../../shared/message-of.ts";
import { excerptOf } from "../../files/change-excerpt.ts";
import type { FileChangePlan, FileChangeRequest } from "../../files/file-change.ts";
import { FileError, StaleFileError } from "../../files/file-error.ts";
import type { OutsideGrant, WorkspaceFiles } from "../../files/workspace-files.ts";
import {
  currentExecution,
  type ExecutionContext,
  judgedPath,
  requireExecution,
} from "../../gate/run-context.ts";
import type { RehearsalName } from "../../rehearsal/rehearse.ts";
import { describeLeftOut, isLeftOut } from "../../tools/leave-secrets-out.ts";
import { baseOfChange, isStillShown, readBase } from "../../tools/shown-base.ts";
import type { StepOrigin } from "../../undo/step-journal.ts";
import type { Effects } from "../source.ts";
import type { ToldContext } from "../told-context.ts";
import { patternIn, sliceLines, toFileData, toFileInfo } from "./backend-answers.ts";
import { currentRun, runSignal } from "./graph-run.ts";

/** What changed on disk. */
type Changed = { path: string; occurrences: number };

const contextLines = 3;
const staleText = "The file changed since it was shown, so nothing was written.";
const stalePathText = "The path leads somewhere else than when it was looked at, so nothing was read.";

/** @throws UngatedEffectError from every method with an effect when its call did not pass the gate (I2). */
export class WorkspaceBackend implements SandboxBackendProtocolV2 {
  readonly id = "workspace";
  readonly #effects: Effects;
  readonly #workspace: string;
  readonly #files: WorkspaceFiles;
  readonly #isLookedAt: ToldContext["isLookedAt"];

  constructor(effects: Effects, workspace: string, isLookedAt: ToldContext["isLookedAt"] = () => false) {
    this.#effects = effects;
    this.#workspace = workspace;
    this.#files = effects.filesOf(workspace);
    this.#isLookedAt = isLookedAt;
  }

  ls(path: string): Promise<LsResult> {
    return read(async (grant) => ({
      files: (await this.#files.list(path, grant)).entries.map(toFileInfo),
    }));
  }

  read(path: string, offset = 0, limit = 500): Promise<ReadResult> {
    return read(async (grant) => sliceLines(await this.#files.read(path, grant), offset, limit));
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return read(async (grant) => ({ data: toFileData(await this.#files.readRaw(path, grant)) }));
  }

  grep(
    pattern: string,
    path: string | null = null,
    glob: string | null = null,
    maxCount: number | null = null,
  ): Promise<GrepResult> {
    return read(async (grant): Promise<GrepResult> => {
      const where = { path, glob, maxResults: maxCount, ...grant, leavesOut: isLeftOut(this.#files.root) };
      const found = await this.#files.grep(pattern, where);
      const matches = found.matches.map(({ path: at, line, text }) => ({ path: at, line, text }));
      if (found.leftOut === 0) return { matches, truncated: found.truncated };
      const note = describeLeftOut(found.leftOut);
      if (matches.length === 0) return { error: `No matches found. ${note}` };
      return { matches: [...matches, { path: note, line: 0, text: "" }], truncated: found.truncated };
    });
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return read(async (grant) => {
      const found = await this.#files.glob(patternIn(this.#files.root, pattern), { path, ...grant });
      return { files: found.files.map(toFileInfo), truncated: found.truncated };
    });
  }

  async write(path: string, content: string): Promise<WriteResult> {
    const end = await this.#change({ operation: "write", path, content });
    return typeof end === "string" ? { error: end } : { path: end.path, filesUpdate: null };
  }

  async edit(path: string, oldString: string, newString: string, replaceAll = false): Promise<EditResult> {
    const end = await this.#change({ operation: "edit", path, oldString, newString, replaceAll });
    return typeof end === "string" ? { error: end } : { ...end, filesUpdate: null };
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
    const { executionId, mayChangeFiles, width, signal } = execution;
    const { threadId, turnId } = currentRun();
    const origin = { threadId, turnId, executionId };
    const { rehearsal } = readBase(execution.baseHash);
    if (rehearsal) return this.#commit(execution, origin, rehearsal);
    const how = { command, workspace: this.#workspace, mayChangeFiles, width, signal };
    const end = await this.#effects.commands.run({ ...origin, ...how });
    const { output, exitCode, bytes, truncated } = end;
    execution.notStarted = end.notStarted;
    execution.notConfined = end.notConfined ?? false;
    execution.refusals = end.refusals;
    execution.setAside = end.setAside ?? [];
    execution.receipt = { ...execution.receipt, exitCode, bytes, truncated };
    execution.cancelled = end.cancelled;
    return { output, exitCode, truncated };
  }

  /** A person saw what the command would change and said yes to that: nothing runs. */
  async #commit(
    execution: ExecutionContext,
    origin: StepOrigin,
    rehearsal: RehearsalName,
  ): Promise<ExecuteResponse> {
    const end = await this.#effects.commitRehearsed(origin, rehearsal);
    if (end.committed) {
      execution.ended = true;
      return { output: end.output, exitCode: end.exitCode, truncated: end.truncated };
    }
    execution.notStarted = end.why;
    return { output: end.why, exitCode: 1, truncated: false };
  }

  uploadFiles(files: [string, Uint8Array][]): FileUploadResponse[] {
    return files.map(([path]) => ({ path, error: "permission_denied" }));
  }

  /** Deep agents read skills this way, in the middle of a turn too; only what a person looked at is handed out. */
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return Promise.all(paths.map((path) => this.#download(path)));
  }

  async #download(path: string): Promise<FileDownloadResponse> {
    try {
      const { text } = await this.#files.read(path, { allowOutside: false });
      if (!this.#isLookedAt(this.#workspace, path, text))
        return { path, content: null, error: "permission_denied" };
      return { path, content: Buffer.from(text), error: null };
    } catch (error) {
      if (error instanceof FileError) return { path, content: null, error: "file_not_found" };
      throw error;
    }
  }

  /** Of a file that may hold secrets nothing is kept but the lines that were changed. */
  #excerpt({ before, after, path }: FileChangePlan) {
    return excerptOf(before, after, isLeftOut(this.#files.root)(path) ? 0 : contextLines);
  }

  /** @returns what changed, or a sentence for the model that says why nothing did. */
  async #change(change: FileChangeRequest): Promise<Changed | string> {
    const execution = requireExecution(`${change.operation} ${change.path}`);
    const { baseHash, executionId, mayLeaveWorkspace } = execution;
    const { threadId, turnId } = currentRun();
    const origin = { threadId, turnId, executionId };
    const isShown = (plan: FileChangePlan) => {
      if (baseHash !== undefined && !isStillShown(baseHash, baseOfChange(plan)))
        throw new StaleFileError(change.path, "was changed since this was shown");
    };
    try {
      const done = await this.#files.applyChange(change, isShown, {
        allowOutside: mayLeaveWorkspace,
        allowTargetOutside: mayLeaveWorkspace,
        // Where a person saw what it would do, it could be done.
        wasPossible: readBase(baseHash).paths.length > 0,
        observer: this.#effects.observeChanges(origin, this.#files.root),
      });
      const path = (done.to ?? done).relativePath;
      // A move changes no lines.
      const lines =
        change.operation === "move"
          ? {}
          : { added: done.added, removed: done.removed, excerpt: this.#excerpt(done) };
      execution.receipt = { ...execution.receipt, path, ...lines };
      return { path, occurrences: done.count };
    } catch (error) {
      if (error instanceof StaleFileError && baseHash !== undefined) {
        execution.stale = true;
        return staleText;
      }
      execution.failed = true;
      return messageOf(error);
    }
  }
}

/**
 * Reads that were asked about (a file outside, a secret) run under an execution that says what was shown; others as
 * judged. What the backend protocol wants to hear of an error is a sentence, not an exception.
 */
async function read<T extends object>(
  act: (grant: OutsideGrant) => Promise<T>,
): Promise<T | { error: string }> {
  const execution = currentExecution();
  const grant = {
    allowOutside: execution?.mayLeaveWorkspace ?? false,
    shownPath: execution?.shownPath ?? judgedPath(),
    signal: runSignal(),
  };
  try {
    return await act(grant);
  } catch (error) {
    if (error instanceof StaleFileError && grant.shownPath !== undefined) {
      if (execution) execution.stale = true;
      return { error: stalePathText };
    }
    if (error instanceof FileError) return { error: error.message };
    throw error;
  }
}
