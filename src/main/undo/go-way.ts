/** Goes one way with all files of a take-back, with a repository and with the conversation: all of it, or nothing. */
import { sep } from "node:path";
import type Database from "better-sqlite3";
import { ContractError } from "../../shared/contract/errors.ts";
import { messageOf } from "../../shared/message-of.ts";
import { passBarrier } from "../base/barriers.ts";
import type { ChangeTracker } from "../files/change-tracker.ts";
import { StaleFileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import { isInside } from "../paths/real-of.ts";
import type { CommitDurably } from "../storage/durable-commit.ts";
import type { Conversation } from "./conversation-back.ts";
import { lookNow } from "./look-now.ts";
import type { ComesBack } from "./plan-take-back.ts";
import { type FolderMove, makeFolders, removeFolders } from "./put-folder.ts";
import { clearWayTo, inOrder, putVersion } from "./put-version.ts";
import type { MoveRepository } from "./repository-move.ts";
import type { StepJournal } from "./step-journal.ts";
import type { Rehearsed, TakeBack, TakeBackStore } from "./take-back-store.ts";
import { isSameVersion, type MaybeFile } from "./version.ts";

/** `forth` takes back, `back` undoes that. */
type Way = "forth" | "back";

export type WayParts = {
  database: Database.Database;
  journal: StepJournal;
  store: TakeBackStore;
  blobs: OriginalBlobs;
  tracker: Pick<ChangeTracker, "observe">;
  conversation: Conversation;
  moveRepository: MoveRepository;
  commitDurably: CommitDurably;
  /** Writes the lines about it, in the transaction that ends it. */
  onDone(takeBack: TakeBack, way: Way): void;
};

/** The same changes the other way. */
export function reversed(files: readonly ComesBack[]): ComesBack[] {
  return files.map(({ path, from, to }) => ({ path, from: to, to: from }));
}

const reversedFolders = (folders: FolderMove | undefined): FolderMove | undefined =>
  folders && { gone: folders.made, made: folders.gone };

/** What the take-back does to the conversation; nothing where it is about files alone. */
export function talkOf({ id, threadId, what: { conversation } }: TakeBack) {
  return conversation && { id, threadId, conversation };
}

/**
 * Keeps what is about to go, and looks that what is to come is there: else nothing moves.
 * @param onLost hears of each file of which what it was is not there any more
 * @throws StaleFileError when a file is another by now, or what it was is not kept
 */
export async function keepContents(
  { blobs }: Pick<WayParts, "blobs">,
  what: Roots,
  files: readonly ComesBack[],
  onLost: (file: ComesBack) => void = () => undefined,
): Promise<void> {
  let lost: string | undefined;
  for (const { path, from, to } of files) {
    const workspace = createWorkspaceFiles(rootOf(what, path));
    if (from && from.hash !== to?.hash) {
      const hash = await blobs.put((await workspace.readRaw(path)).bytes, path);
      if (hash !== from.hash) throw new StaleFileError(path, "was changed meanwhile");
    }
    if (to && to.hash !== from?.hash && (await blobs.get(to.hash)) === null) {
      onLost({ path, from, to });
      lost ??= path;
    }
  }
  if (lost !== undefined)
    throw new StaleFileError(lost, "cannot come back, since what it was is not kept any more");
}

type Roots = Pick<TakeBack["what"], "root" | "otherRoots">;

const rootOf = ({ root, otherRoots = [] }: Roots, path: string): string =>
  [root, ...otherRoots].find((each) => isInside(each, path)) ?? root;

/**
 * Moves all files one way, and the conversation with them. What is there already is passed over, so that it can be gone
 * twice. Where one thing cannot move, all go the other way again.
 * @throws what kept it from moving; ContractError `unavailable` where not all could go the other way either
 * @param left the files that were neither as before nor as after when all went the other way: those are somebody's own
 */
export async function goWay(
  parts: WayParts,
  takeBack: TakeBack,
  way: Way,
  left: string[] = [],
): Promise<void> {
  const { database, store, conversation, moveRepository, commitDurably } = parts;
  const { id, what } = takeBack;
  const talk = talkOf(takeBack);
  passBarrier("undo-written");
  try {
    await moveAll(parts, takeBack, movesOf(takeBack, way), (path) => {
      throw new StaleFileError(path, "was changed meanwhile");
    });
    passBarrier("undo-files-moved");
    if (what.repository)
      await moveRepository(what.repository, way, (name) => {
        throw new StaleFileError(name, "was changed meanwhile");
      });
    if (talk) await conversation.move(talk, way);
    passBarrier("undo-conversation-moved");
    settle(parts, takeBack, way);
  } catch (cause) {
    await refuseWay(parts, takeBack, way, left).catch((error) => {
      writeWhenItCan(database, () => store.setState(id, way === "forth" ? "forthRefused" : "backRefused"));
      throw new ContractError(
        "unavailable",
        `${messageOf(cause)} Not all that had moved could be put back yet: ${messageOf(error)} It is put back as soon as that can be, at the latest with the next start.`,
      );
    });
    throw cause;
  }
  await commitDurably(() => undefined);
  passBarrier("undo-done");
}

/** Puts back what moved of a way that could not be gone to its end. @param left as `goWay` */
export async function refuseWay(
  parts: WayParts,
  takeBack: TakeBack,
  way: Way,
  left: string[] = [],
): Promise<void> {
  const { database, store, conversation, moveRepository } = parts;
  const { id, what } = takeBack;
  const other = way === "forth" ? "back" : "forth";
  const talk = talkOf(takeBack);
  if (talk) await conversation.move(talk, other);
  if (what.repository) await moveRepository(what.repository, other, (name) => void left.push(name));
  await moveAll(parts, takeBack, movesOf(takeBack, other), (path) => void left.push(path));
  writeWhenItCan(database, () => (way === "forth" ? store.remove(id) : store.setState(id, "done")));
}

function movesOf({ what }: TakeBack, way: Way): Moves {
  if (way === "forth") return { files: what.files, folders: what.folders };
  return { files: reversed(what.files), folders: reversedFolders(what.folders) };
}

const writeAgainMs = 250;

/**
 * A full disk may refuse this as it refused the end of the way: until it is written a start would take the way for cut off,
 * and go it, though the person was told that nothing was done.
 */
function writeWhenItCan(database: Database.Database, write: () => void): void {
  if (!database.open) return;
  try {
    write();
  } catch {
    setTimeout(() => writeWhenItCan(database, write), writeAgainMs).unref();
  }
}

/** What holds from now on, and the lines about it, as one commit. */
function settle(parts: WayParts, takeBack: TakeBack, way: Way): void {
  const { database, journal, store, conversation, onDone } = parts;
  const { id, threadId, what } = takeBack;
  database.transaction(() => {
    onDone(takeBack, way);
    const talk = talkOf(takeBack);
    if (talk) conversation.settle(talk, way);
    if (what.rehearsed) {
      noteCommitted(journal, takeBack, what.rehearsed);
      store.remove(id);
    } else if (way === "forth") {
      journal.takeBack(threadId, what.firstStep, what.lastStep, id);
      store.setState(id, "done");
    } else {
      journal.bringBack(id);
      store.remove(id);
    }
  })();
}

type Moves = { readonly files: readonly ComesBack[]; readonly folders: FolderMove | undefined };

async function moveAll(
  { blobs, tracker }: WayParts,
  { threadId, what }: TakeBack,
  { files, folders }: Moves,
  onForeign: (path: string) => void,
): Promise<void> {
  const putterOf = (root: string, path: string) => ({
    files: createWorkspaceFiles(root),
    blobs,
    // What comes home was the thread's in its worktree, and is the person's where it comes to.
    observer: what.home || isOfRepository(path) ? undefined : tracker.observe(threadId, root),
  });
  const wanted = new Set(files.flatMap(({ path, to }) => (to ? [path] : [])));
  let areFoldersMoved = false;
  const moveFolders = async () => {
    areFoldersMoved = true;
    if (!folders) return;
    await removeFolders(folders, onForeign);
    await makeFolders(folders, onForeign);
    passBarrier("undo-folders-moved");
  };
  for (const file of inOrder(files)) {
    if (file.to !== null && !areFoldersMoved) await moveFolders();
    const root = rootOf(what, file.path);
    const there = await versionAt(root, file);
    if (!isSameVersion(there, file.to)) {
      if (!isSameVersion(there, file.from)) onForeign(file.path);
      else await putVersion(putterOf(root, file.path), file);
      passBarrier("undo-file-moved");
    }
    if (file.to === null) await clearWayTo(root, file.path, wanted);
  }
  if (!areFoldersMoved) await moveFolders();
}

/** What git keeps of a repository is no change of the thread's, as where a command of it writes there itself. */
const isOfRepository = (path: string) => path.split(sep).includes(".git");

/** What was rehearsed is from now on the step of its command, and is taken back as such. */
function noteCommitted(journal: StepJournal, { threadId, what }: TakeBack, { executionId }: Rehearsed): void {
  const step = journal.begin({ threadId, turnId: what.turnId, executionId }, "command");
  const files = what.files
    .filter(({ path }) => !isOfRepository(path))
    .map(({ path, from, to }) => ({ path, before: from, kept: true, after: to, mark: null }));
  journal.found(step, files, true);
}

/** Of what is no file, a version that is none of those known. */
async function versionAt(root: string, { path, from }: ComesBack): Promise<MaybeFile> {
  const there = (await lookNow(root, [{ path, from, mark: null, fixed: undefined }])).get(path);
  if (there?.kind === "file") return there.version;
  return there?.kind === "nothing" ? null : { hash: "", mode: null };
}
