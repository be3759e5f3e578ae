/** Gives threads worktrees of their own, follows how these stand, and lets nothing be lost with them. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type Database from "better-sqlite3";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadWorktree } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import { passBarrier } from "../base/barriers.ts";
import type { FolderTrust } from "../rules/folder-trust.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";
import { type Change, type Changes, endsWork } from "../threads/changes.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import { CannotBeKeptError } from "../worktrees/keep-changes.ts";
import { isRepository, type MadeWorktree, makeWorktree } from "../worktrees/make-worktree.ts";
import { endUnfinished, removeWorktree } from "../worktrees/remove-worktree.ts";
import { safeGit } from "../worktrees/safe-git.ts";
import { findStanding, type Standing } from "../worktrees/worktree-standing.ts";
import type { Worktree, WorktreeStore } from "../worktrees/worktree-store.ts";

export type ThreadWorktrees = {
  /** What a window shows of it; undefined where there is none and none is offered. */
  of(thread: ThreadRow): ThreadWorktree | undefined;
  /** A thread was begun: it wants one where the person wanted one in this folder last. */
  offer(threadId: ThreadId): void;
  /** @throws ContractError when the thread has begun, or there can be none in its folder. */
  choose(threadId: ThreadId, wanted: boolean): void;
  /** Makes the one that the thread wants. @throws ContractError; the thread is as before then. */
  begin(threadId: ThreadId, title: string): Promise<void>;
  /** Before the thread goes. @returns what became of it, in a sentence. @throws ContractError when something would be lost. */
  end(threadId: ThreadId): Promise<string | undefined>;
  /** How it stands is asked anew. */
  refresh(threadId: ThreadId): void;
  /** Ends what an earlier start left. @returns sentences for the person. */
  recover(): Promise<string[]>;
  close(): void;
};

export type ThreadWorktreeParts = {
  dataDir: string;
  database: Database.Database;
  threads: ThreadStore;
  log: EventLog;
  workspaces: Pick<WorkspaceStore, "isTrusted">;
  folderTrust: Pick<FolderTrust, "carry" | "forget">;
  worktrees: WorktreeStore;
  changes: Changes;
};

/** How long after an event git is asked, so that a burst of them is one question. */
const settleMs = 250;

/** @returns one that follows the threads' events until it is closed. */
export function createThreadWorktrees(parts: ThreadWorktreeParts): ThreadWorktrees {
  const { threads, worktrees: store, workspaces } = parts;
  const making = { git: safeGit, store, folder: join(parts.dataDir, "worktrees") };
  // As threads name it.
  const folder = join(realpathSync(parts.dataDir), "worktrees");
  const standings = followStandings(parts);
  const underway = new Map<ThreadId, Promise<void>>();

  const isOffered = ({ status, workspace }: ThreadRow) =>
    status === "new" &&
    store.at(workspace) === undefined &&
    workspaces.isTrusted(workspace) &&
    isRepository(workspace);

  async function make(threadId: ThreadId, title: string): Promise<void> {
    const wanted = store.wanted(threadId);
    if (wanted === undefined) return;
    if (!isOffered(threads.get(threadId))) return store.unwant(threadId);
    await makeWorktree(wanted, title, making, (made, gitDir) => {
      passBarrier("worktree-made");
      settleIn(threadId, wanted, made, gitDir, parts);
    });
    standings.refresh(threads.get(threadId));
  }

  return {
    of(thread) {
      const isOurs = thread.workspace.startsWith(folder + sep);
      const own = isOurs ? store.at(thread.workspace) : undefined;
      if (own !== undefined) return { state: "own", origin: own.origin, ...standings.of(own) };
      if (!isOffered(thread)) return undefined;
      return { state: "offered", wanted: store.wanted(thread.id) !== undefined };
    },
    offer(threadId) {
      const thread = threads.get(threadId);
      if (isOffered(thread) && store.isChosen(thread.workspace))
        store.want(randomUUID(), threadId, thread.workspace);
    },
    choose(threadId, wanted) {
      const thread = threads.get(threadId);
      if (!isOffered(thread))
        throw new ContractError(
          "conflict",
          "Only a thread that has not begun, in the top folder of a repository that you trust, can get a worktree.",
        );
      parts.database.transaction(() => {
        store.choose(thread.workspace, wanted);
        store.unwant(threadId);
        if (wanted) store.want(randomUUID(), threadId, thread.workspace);
      })();
      parts.changes.tell({ kind: "thread", threadId });
    },
    async begin(threadId, title) {
      // Two messages at once wait for the same one.
      const work = underway.get(threadId) ?? make(threadId, title).finally(() => underway.delete(threadId));
      underway.set(threadId, work);
      await work;
    },
    end: createEnd((threadId) => underway.get(threadId), parts, making),
    async recover() {
      const ends = await endUnfinished(making);
      return ends.flatMap(({ worktree, kept, why }) => {
        if (why !== undefined) return `A worktree in ${worktree.path} could not be removed: ${why}`;
        parts.folderTrust.forget(worktree.path);
        return kept?.ref === undefined ? [] : sayKept(worktree, kept.ref, kept.files);
      });
    },
    refresh(threadId) {
      const thread = threads.find(threadId);
      if (thread) standings.refresh(thread);
    },
    close: standings.close,
  };
}

/** The worktree is there and the thread works in it: both at once, with what the person trusted. */
function settleIn(
  threadId: ThreadId,
  { id, origin }: { id: string; origin: string },
  { path, branch, base, missed }: MadeWorktree,
  gitDir: string,
  { database, worktrees, threads, folderTrust, log }: ThreadWorktreeParts,
): void {
  const left =
    missed === 0
      ? ""
      : ` ${missed} of what .worktreeinclude names did not come: too many, too large, or not readable.`;
  const text = `Works in a worktree of its own, on branch ${branch} from ${base.slice(0, 10)}, in ${path}. What was not committed in ${origin} is not in it.${left}`;
  database.transaction(() => {
    worktrees.made(id, gitDir);
    folderTrust.carry(origin, path);
    threads.update(threadId, { workspace: path });
    log.append(threadId, [{ type: "notice.added", itemId: `worktree:${id}`, level: "info", text }]);
  })();
}

/** Ends the worktrees of threads that go. @param begun the making of one that is under way */
function createEnd(
  begun: (threadId: ThreadId) => Promise<void> | undefined,
  parts: ThreadWorktreeParts,
  making: Parameters<typeof removeWorktree>[1],
): ThreadWorktrees["end"] {
  /** They work in no worktree any more, though they may still be listed. */
  const leaving = new Map<ThreadId, Promise<string | undefined>>();
  async function endThread(threadId: ThreadId): Promise<string | undefined> {
    try {
      const work = begun(threadId);
      // One that is still being made would be nobody's.
      if (work) await work.catch(() => undefined);
      return await endOfThread(threadId, parts, making, (id) => leaving.has(id));
    } catch (error) {
      leaving.delete(threadId);
      throw error;
    }
  }
  return (threadId) => {
    // Two windows may delete one thread at once.
    const end = leaving.get(threadId) ?? endThread(threadId);
    leaving.set(threadId, end);
    return end;
  };
}

async function endOfThread(
  threadId: ThreadId,
  { threads, worktrees: store, folderTrust }: ThreadWorktreeParts,
  making: Parameters<typeof removeWorktree>[1],
  isLeaving: (threadId: ThreadId) => boolean,
): Promise<string | undefined> {
  store.unwant(threadId);
  const worktree = store.at(threads.get(threadId).workspace);
  if (worktree === undefined) return undefined;
  const other = threads.inFolder(worktree.path).find(({ id }) => id !== threadId && !isLeaving(id));
  if (other) {
    store.giveTo(worktree.id, other.id);
    return undefined;
  }
  try {
    const { ref, files } = await removeWorktree(worktree, making);
    folderTrust.forget(worktree.path);
    return ref === undefined ? undefined : sayKept(worktree, ref, files);
  } catch (error) {
    const why = messageOf(error);
    if (!(error instanceof CannotBeKeptError))
      throw new ContractError(
        "unavailable",
        `The thread was not deleted, since what is not committed in ${worktree.path} could not be kept: ${why}`,
      );
    folderTrust.forget(worktree.path);
    store.remove(worktree.id);
    return `The worktree ${worktree.path} was left as it is: ${why}.`;
  }
}

const sayKept = ({ branch, origin }: Worktree, ref: string, files = 0) =>
  `What was not on a branch (${files === 1 ? "1 file" : files > 1 ? `${files} files` : "the work"} of ${branch}) is kept in ${origin} as ${ref}: git checkout ${ref} shows it.`;

/** How each worktree stands, asked again after what its threads do. */
function followStandings({ worktrees: store, threads, changes }: ThreadWorktreeParts) {
  const known = new Map<string, Standing>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const looking = new Set<string>();
  const again = new Set<string>();
  const closing = new AbortController();

  async function look(worktree: Worktree): Promise<void> {
    waiting.delete(worktree.id);
    looking.add(worktree.id);
    const standing = await findStanding(safeGit, worktree, closing.signal);
    looking.delete(worktree.id);
    if (again.delete(worktree.id)) ask(worktree);
    if (closing.signal.aborted || standing === undefined) return;
    if (JSON.stringify(known.get(worktree.id)) === JSON.stringify(standing)) return;
    known.set(worktree.id, standing);
    for (const { id } of threads.inFolder(worktree.path)) changes.tell({ kind: "thread", threadId: id });
  }
  function ask(worktree: Worktree): void {
    if (waiting.has(worktree.id) || closing.signal.aborted) return;
    if (looking.has(worktree.id)) return void again.add(worktree.id);
    const timer = setTimeout(() => void look(worktree), settleMs);
    timer.unref();
    waiting.set(worktree.id, timer);
  }
  function refresh({ workspace }: ThreadRow): void {
    const worktree = store.at(workspace);
    if (worktree !== undefined) ask(worktree);
  }
  const stop = changes.listen((change: Change) => {
    const thread = endsWork(change) ? threads.find(change.threadId) : undefined;
    if (thread) refresh(thread);
  });
  return {
    refresh,
    of(worktree: Worktree): Standing | { branch: string } {
      const standing = known.get(worktree.id);
      if (standing === undefined && !looking.has(worktree.id)) ask(worktree);
      return standing ?? { branch: worktree.branch };
    },
    close() {
      stop();
      closing.abort();
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
