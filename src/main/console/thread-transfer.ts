/** A thread as one file, its disk use, and pruning: what moves or shrinks a thread without running it. */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { LinearSqliteSaver } from "../storage/checkpointer/linear-sqlite-saver.ts";
import { readCheckpointTables, writeCheckpointTables } from "../threads/checkpoint-tables.ts";
import {
  closeOpenItems,
  readThreadFile,
  refuseFile,
  type ThreadFile,
  threadFileFormat,
  threadFileVersion,
} from "../threads/thread-file.ts";
import { builtInSource } from "../threads/thread-store.ts";
import type { ConsoleParts } from "./console-parts.ts";

/** @returns how many bytes each part of it takes. */
export async function diskUse(
  threadId: ThreadId,
  { threads, log, executions, undoBudget, checkpointer }: ConsoleParts,
): Promise<Output<"threads.diskUse">> {
  threads.get(threadId);
  const saver = await checkpointer();
  let logBytes = 0;
  for (const { logPath } of executions.ofThread(threadId)) if (logPath) logBytes += await sizeOf(logPath);
  const undo = await undoBudget.measure(threadId);
  return { checkpointBytes: saver.threadBytes(threadId), eventBytes: log.bytes(threadId), logBytes, undo };
}

/** Forgets where it could be forked. @throws ContractError `conflict` while it runs */
export async function pruneThread(
  { threadId, keepTurns, preview }: ParsedInput<"threads.prune">,
  { threads, actors, takeBacks, checkpointer }: ConsoleParts,
): Promise<Output<"threads.prune">> {
  threads.get(threadId);
  if (!preview && actors.isRunning(threadId))
    throw new ContractError("conflict", "The thread is running. Stop it or wait, then prune it.", {
      field: "threadId",
    });
  const saver = await checkpointer();
  // A conversation that was taken back can be brought forth again.
  const kept = takeBacks.checkpointsOf(threadId);
  const bookmarks = [...threads.newestBookmarks(threadId, keepTurns), ...kept];
  const policy = { keepLast: 1, keepCheckpointIds: bookmarks };
  const { checkpoints, bytes } = saver.pruneThread(threadId, policy, preview ? "preview" : "apply");
  if (!preview) await giveBackSpace(saver.db);
  return { checkpoints, bytes };
}

/** @returns where the file is written: in the data directory, by the thread's title. */
export async function exportThread(
  threadId: ThreadId,
  { threads, log, ledger, options, checkpointer }: ConsoleParts,
): Promise<{ path: string }> {
  const saver = await checkpointer();
  // Read without a pause in between, so that the file is one moment of the thread.
  const { title, agentId, model } = threads.get(threadId);
  const events = log.after(threadId, 0, Number.MAX_SAFE_INTEGER);
  const content = {
    format: threadFileFormat,
    version: threadFileVersion,
    thread: { title, agentId, model },
    events: events.map(({ at, data }) => ({ at, data })),
    turns: threads.pastTurns(threadId),
    ledger: ledger.ofThread(threadId),
    checkpoints: readCheckpointTables(saver.db, threadId),
  };
  const dir = join(options.dataDir, "exports");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const name = `${fileNameOf(title)}-${createHash("sha256").update(threadId).digest("hex").slice(0, 8)}.countersign.json`;
  const path = join(dir, name);
  // Under another name first: an earlier export stays whole when the disk is full.
  writeFileSync(`${path}.partial`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${path}.partial`, path);
  return { path };
}

/** Makes a thread of such a file. @throws ContractError that says what is wrong with it */
export async function importThread(
  { path, workspace }: ParsedInput<"threads.import">,
  parts: ConsoleParts,
): Promise<ThreadSummary> {
  const folder = await parts.openWorkspace(workspace);
  const file = readThreadFile(path);
  const saver = await parts.checkpointer();
  const id = `thread-${randomUUID()}` as ThreadId;
  // The memory first: without its thread nobody sees it, and when anything is refused it goes again.
  writeCheckpointTables(saver.db, id, file.checkpoints);
  try {
    await checkMemory(saver, id, file);
    writeThread(parts, id, folder, file);
  } catch (error) {
    await saver.deleteThread(id);
    throw error;
  }
  return parts.summaries.of(parts.threads.get(id));
}

/** The conversation, its turns and its ledger lines as one commit, so that nothing is ever half there. */
function writeThread(
  { threads, log, ledger, readings, database }: ConsoleParts,
  id: ThreadId,
  workspace: string,
  file: ThreadFile,
): void {
  database.transaction(() => {
    const { title, agentId, model } = file.thread;
    // An address in a file from elsewhere would be sent this machine's key.
    const ownModel = { provider: model.provider, model: model.model };
    const source = builtInSource;
    threads.create({
      id,
      title,
      titled: true,
      workspace,
      source,
      agentId,
      model: ownModel,
      forkedFrom: undefined,
    });
    for (const { at, data } of file.events) log.append(id, [data], at);
    log.append(id, closeOpenItems(file.events));
    log.append(id, [
      { type: "notice.added", itemId: `imported:${id}`, level: "info", text: noticeOf(model.baseUrl) },
    ]);
    readings.noteImported(id, `imported:${id}`);
    for (const turn of file.turns) threads.addPastTurn(id, turn);
    for (const entry of file.ledger) ledger.addImported(id, entry);
    // What it cost was paid where it ran.
    database.prepare("DELETE FROM token_use WHERE thread_id = ?").run(id);
    threads.update(id, { status: "done" });
  })();
}

/** Reads what the agent would go on from and what each fork would, as LangGraph will. */
async function checkMemory(saver: LinearSqliteSaver, id: ThreadId, { turns }: ThreadFile): Promise<void> {
  const read = async (field: string, checkpoint: string | undefined) => {
    const configurable = { thread_id: id, checkpoint_ns: "", checkpoint_id: checkpoint };
    try {
      // One that was pruned before the export is missing, and that is no fault.
      await saver.getTuple({ configurable });
    } catch (error) {
      const why = messageOf(error);
      throw refuseFile(`${field}: the agent's memory there cannot be read (${why.slice(0, 300)}).`);
    }
    await nextTurnOfLoop();
  };
  await read("checkpoints", undefined);
  for (const [i, { checkpointBefore }] of turns.entries())
    if (checkpointBefore !== null) await read(`turns.${i}.checkpointBefore`, checkpointBefore);
}

const pagesAtOnce = 2_000;

/** Shortens the file by what pruning freed, a piece at a time, so that nothing else waits long for its turn. */
async function giveBackSpace(db: LinearSqliteSaver["db"]): Promise<void> {
  if (db.pragma("auto_vacuum", { simple: true }) !== 2) return;
  while (Number(db.pragma("freelist_count", { simple: true })) > 0) {
    const before = db.pragma("freelist_count", { simple: true });
    db.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
    if (db.pragma("freelist_count", { simple: true }) === before) return;
    await nextTurnOfLoop();
  }
}

function noticeOf(baseUrl: string | undefined): string {
  const text =
    "This thread was imported from a file. What stands above happened where it was exported, not here.";
  return baseUrl === undefined
    ? text
    : `${text} The model's address ${baseUrl} was left out; set it in the settings if you trust it.`;
}

function fileNameOf(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "thread"
  );
}

/** Of a file that is gone nothing. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
