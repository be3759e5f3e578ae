/** Gives a file or a link another place: nothing there is replaced, and what it holds has a name at every moment. */
import { link, lstat, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { whileBusy } from "../base/while-busy.ts";
import { type ComputedChange, findAt } from "./file-change.ts";
import { type FileError, namingLeftover, StaleFileError, systemCode, toFileError } from "./file-error.ts";
import { type PinnedFolder, pinFolder, pinOrCreateFolder, withFolder } from "./pinned-folder.ts";
import { renameToNewName, temporaryName } from "./put-file.ts";
import type { Place } from "./real-path.ts";

/** One name in a folder that is held. */
type Entry = { folder: PinnedFolder; name: string };

const at = ({ folder, name }: Entry) => folder.at(name);
const shownPath = ({ folder, name }: Entry) => join(folder.path, name);

/**
 * A file gets the new name beside its old one and loses the old one after that, so that a crash leaves both; a link, or
 * a file where there are no hard links, is renamed over a name that was claimed empty.
 * @throws StaleFileError when it is not what was agreed to, or something took the new name; the system's error as it is.
 *   It is at its old place then, or the error names where it is.
 */
export async function moveEntry(change: ComputedChange, target: Place): Promise<void> {
  const { plan, place } = change;
  await withFolder(pinFolder(dirname(place.path)), (from) =>
    withFolder(pinOrCreateFolder(dirname(target.path)), async (to) => {
      const source = { folder: from, name: basename(place.path) };
      const goal = { folder: to, name: basename(target.path) };
      await from.verify();
      await to.verify();
      const isLinked = plan.found === "file" && (await giveSecondName(source, goal, target));
      if (isLinked) await dropOldName(change, source, goal);
      else await renameThere(change, source, goal, target);
      // The new name first: after a power failure there may be two, and never none.
      await to.sync();
      await from.sync();
    }),
  );
}

function takenMeanwhile(cause: unknown, { asked }: Place): unknown {
  return systemCode(cause) === "EEXIST"
    ? new StaleFileError(asked, "was created by something else meanwhile")
    : cause;
}

/** @returns false where the system makes no second name of this file. */
function giveSecondName(source: Entry, goal: Entry, target: Place): Promise<boolean> {
  return link(at(source), at(goal)).then(
    () => true,
    (cause) => {
      if (systemCode(cause) === "EEXIST") throw takenMeanwhile(cause, target);
      return false;
    },
  );
}

/** The old name is put aside, looked at once more, and removed only if it is what was agreed to and has the new name. */
async function dropOldName(change: ComputedChange, source: Entry, goal: Entry): Promise<void> {
  const { plan, place } = change;
  const aside = { folder: source.folder, name: temporaryName() };
  try {
    await whileBusy(place.path, () => rename(at(source), at(aside)));
  } catch (cause) {
    throw await withoutSecondName(goal, source, toFileError(cause, place.asked));
  }
  const moved = await findAt(aside.folder, { ...place, path: shownPath(aside) }, 0);
  if (moved.hash === plan.beforeHash && (await areOne(aside, goal))) {
    await whileBusy(place.path, () => unlink(at(aside)));
    return;
  }
  const stale = new StaleFileError(place.asked, "was changed since this was approved");
  throw await giveBack(aside, source, await withoutSecondName(goal, aside, stale));
}

async function areOne(one: Entry, other: Entry): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((entry) => lstat(at(entry), { bigint: true }).catch(() => undefined)),
  );
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Takes the new name away again, but only where the same file still has the other one. */
async function withoutSecondName(goal: Entry, other: Entry, failure: FileError) {
  const isRemoved =
    (await areOne(goal, other)) &&
    (await unlink(at(goal)).then(
      () => true,
      () => false,
    ));
  return isRemoved
    ? failure
    : namingLeftover(failure, `What was to be moved is now ${shownPath(goal)} as well.`);
}

/** What has the name by now keeps it; what was found is never put over it. */
async function giveBack(from: Entry, to: Entry, failure: FileError) {
  return renameToNewName(at(from), to.folder, to.name).then(
    () => failure,
    () => namingLeftover(failure, `What was found is now ${shownPath(from)}.`),
  );
}

async function renameThere(change: ComputedChange, source: Entry, goal: Entry, target: Place): Promise<void> {
  const { plan, place } = change;
  await renameToNewName(at(source), goal.folder, goal.name).catch((cause) => {
    throw takenMeanwhile(cause, target);
  });
  const moved = await findAt(goal.folder, target, 0);
  if (moved.hash === plan.beforeHash) return;
  throw await giveBack(goal, source, new StaleFileError(place.asked, "was changed since this was approved"));
}
