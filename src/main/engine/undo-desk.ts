/** Takes back what threads did and said: with their agents' memories, their actors, and the lines that tell of it, also of what was brought home. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import { counted } from "../../shared/counted.ts";
import { takenBackItemId } from "../../shared/transcript/taken-back.ts";
import { visibleText } from "../base/visible-text.ts";
import type { ThreadActors } from "../threads/thread-actors.ts";
import { createConversation, createTakenTurnRows } from "../undo/conversation-back.ts";
import type { Rehearsed, TakeBack } from "../undo/take-back-store.ts";
import { createTakeBacks, type TakeBacks } from "../undo/take-backs.ts";
import { createRepositoryMover } from "../worktrees/move-repository.ts";
import { safeGit } from "../worktrees/safe-git.ts";
import type { Sources } from "./sources.ts";
import type { Stores } from "./stores.ts";

export type UndoDeskParts = {
  stores: Pick<
    Stores,
    "database" | "threads" | "log" | "ledger" | "approvals" | "undo" | "tracker" | "commitDurably"
  >;
  sources: Pick<Sources, "of">;
  actors: Pick<ThreadActors, "isRunning" | "atRest" | "stop">;
  /** Where worktrees lie. */
  worktrees: string;
  now(): number;
  /** Inside the commit by which what was rehearsed is in its folder. */
  onCommitted(rehearsed: Rehearsed): void;
};

/** @returns what the console takes back with, and a start recovers */
export function createUndoDesk(parts: UndoDeskParts): TakeBacks {
  const { stores, sources, actors, worktrees, now, onCommitted } = parts;
  const { database, threads, approvals, undo, tracker, commitDurably } = stores;
  const conversation = createConversation({
    threads,
    rows: createTakenTurnRows(database),
    memoryOf: (threadId) => sources.of(threads.get(threadId)).takeBack,
    isRunning: actors.isRunning,
    hasPending: (threadId) => approvals.pendingCount(threadId) > 0,
  });
  return createTakeBacks({
    ...undo,
    database,
    tracker,
    commitDurably,
    now,
    conversation,
    moveRepository: createRepositoryMover(safeGit, worktrees),
    atRest: actors.atRest,
    async endCutOff(threadId) {
      if (threads.currentTurn(threadId))
        await actors.stop(threadId, new Error("its conversation is taken back"));
    },
    onDone: (takeBack, way) =>
      takeBack.what.rehearsed ? onCommitted(takeBack.what.rehearsed) : tell(stores, takeBack, way),
  });
}

/** A line in the thread and one in the record. */
function tell(
  { threads, log, ledger }: Pick<Stores, "threads" | "log" | "ledger">,
  takeBack: TakeBack,
  way: "forth" | "back",
): void {
  const { id, threadId, what } = takeBack;
  const thread = threads.find(threadId);
  if (!thread) return;
  const files = counted(what.files.length, "file");
  if (what.home) log.append(threadId, [homeNotice(takeBack, way)]);
  else if (what.conversation) tellConversation(log, takeBack, way);
  else {
    const text =
      way === "forth"
        ? `You took ${files} back to before this thread's turn. The agent does not know of it.`
        : `You brought ${files} forth again. The agent does not know of it.`;
    log.append(threadId, [{ type: "notice.added", itemId: `undo:${id}:${way}`, level: "info", text }]);
  }
  const messages = what.conversation?.turns.length;
  const parts = [
    ...(what.files.length > 0 ? [files] : []),
    ...(messages === undefined ? [] : [counted(messages, "message")]),
  ];
  const subject = what.conversation
    ? what.files.length > 0
      ? "files and conversation"
      : "conversation"
    : "files";
  ledger.add({
    threadId,
    threadTitle: thread.title,
    agentPath: [],
    tool: what.home ? homeLedgerLine(way) : `${way === "forth" ? "undo" : "redo"} ${subject}`,
    originalArgs: {
      ...(what.home ?? { turn: what.turnId }),
      ...(messages !== undefined && { messages }),
      files: what.files.map(({ path }) => path),
    },
    cwd: what.root,
    verdict: {
      verdict: "ask",
      units: [{ text: parts.join(", "), verdict: "ask", reason: "A person asked for it." }],
    },
    decision: { type: "approve" },
    by: what.by ?? { kind: "person" },
  });
}

/** The page folds the turns away under this line, and unfolds them when they are back. */
function tellConversation(log: Stores["log"], { id, threadId, what }: TakeBack, way: "forth" | "back"): void {
  const itemId = takenBackItemId(id);
  const turns = [...(what.conversation?.turns ?? [])];
  log.append(threadId, [
    way === "forth"
      ? { type: "turns.takenBack", itemId, turns, files: what.files.length }
      : { type: "turns.broughtBack", itemId, turns },
  ]);
}

/** The name under which what was brought home stands in the record. */
function homeLedgerLine(way: "forth" | "back"): string {
  return way === "forth" ? "bring home" : "undo bring home";
}

/** Branches are named by agents, so nothing in a name may hide or turn what is said. */
export function homeNotice({ id, what }: TakeBack, way: "forth" | "back"): ThreadEventData {
  const { home, root, files } = what;
  const branch = visibleText(home?.branch ?? "the worktree");
  const target = visibleText(home?.target ?? "no branch");
  const folder = visibleText(root);
  const count = counted(files.length, "file");
  const done: Record<string, string> = {
    merge: `You merged ${branch} into ${target}. ${count} changed in ${folder}.`,
    rebase: `You rebased ${branch} onto ${target} and moved ${target} forward to it. ${count} changed in ${folder} and in the worktree.`,
    patch: `You applied the changes of ${branch} to ${count} in ${folder}, without a commit.`,
    keep: `You committed what was not committed on ${branch}.`,
  };
  const text =
    way === "forth"
      ? `${done[home?.way ?? ""] ?? ""} The agent does not know of it.`
      : `You undid what brought ${branch} home. Branches and files are as before that. The agent does not know of it.`;
  return { type: "notice.added", itemId: `home:${id}:${way}`, level: "info", text };
}
