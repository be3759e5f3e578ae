/** Makes a change that was planned: exactly that one, whole or not at all, and only if the disk is still as it was. */
import { lstat, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { whileBusy } from "../base/while-busy.ts";
import type { ChangeObserver, OriginalFile } from "./change-observer.ts";
import {
  type ChangeLimits,
  type ComputedChange,
  computeChange,
  type FileChangePlan,
  type FileChangeRequest,
  findAt,
  meansLink,
  type OutsideReach,
} from "./file-change.ts";
import { namingLeftover, StaleFileError, systemCode, toFileError } from "./file-error.ts";
import { inFileTurn } from "./file-turns.ts";
import { readTreeFiles } from "./folder-originals.ts";
import { moveEntry } from "./move-entry.ts";
import { noteOwnStep } from "./own-steps.ts";
import { type PinnedFolder, pinFolder, pinOrCreateFolder, withFolder } from "./pinned-folder.ts";
import { putFile, temporaryName } from "./put-file.ts";
import { locate, type Place } from "./real-path.ts";

/** The part of a plan that binds: a change is refused when any of it differs from what was approved. */
export type ApprovedChange = Pick<FileChangePlan, "path" | "beforeHash" | "afterHash"> & {
  to?: Pick<Place, "path"> | null;
};

/** Looks at what would be done, with the file held still, and throws to keep it from being done. */
export type Agree = (plan: FileChangePlan) => void;

type ApplyOptions = OutsideReach & {
  readonly limits: ChangeLimits;
  readonly observer?: ChangeObserver;
  /** Permission bits to give the file instead of those it has. */
  readonly mode?: number;
  /** It could be made when it was looked at, so what keeps it from being made now came since. */
  readonly wasPossible?: boolean;
};

function checkApproved(shown: string, plan: FileChangePlan, approved: ApprovedChange): void {
  if (plan.path !== approved.path || plan.to?.path !== approved.to?.path)
    throw new StaleFileError(shown, "now leads to another file than was approved");
  if (plan.beforeHash !== approved.beforeHash)
    throw new StaleFileError(shown, "was changed since this was approved");
  if (plan.afterHash !== approved.afterHash) {
    throw new StaleFileError(shown, "would become something else than was approved");
  }
}

async function originalsOf(change: ComputedChange, limits: ChangeLimits): Promise<OriginalFile[]> {
  const { plan, stored, place } = change;
  if (plan.found === "link") return [];
  if (plan.found === "folder") return readTreeFiles(place.path, limits.maxFileBytes);
  const { hash = null, bytes = null, mode = null } = stored ?? {};
  const original = { path: plan.path, hash, bytes, mode };
  return plan.to ? [original, { path: plan.to.path, hash: null, bytes: null, mode: null }] : [original];
}

/** Whether more than these files is there: the folders that they lie in come back with them, and nothing else does. */
function holdsUntold({ plan }: ComputedChange, originals: readonly OriginalFile[]): boolean {
  if (plan.found !== "folder") return plan.found === "link";
  const folders = new Set([plan.path]);
  for (const { path } of originals)
    for (let folder = dirname(path); folder.length > plan.path.length; folder = dirname(folder))
      folders.add(folder);
  return plan.count !== originals.length + folders.size;
}

/** Gives the entry its name again, unless that name is taken. Tells whether it has it. */
async function putBack(folder: PinnedFolder, aside: string, name: string): Promise<boolean> {
  const isTaken = await lstat(folder.at(name)).then(
    () => true,
    (cause) => systemCode(cause) !== "ENOENT",
  );
  if (isTaken) return false;
  return whileBusy(join(folder.path, name), () => rename(folder.at(aside), folder.at(name))).then(
    () => true,
    () => false,
  );
}

/** What to say of an entry that could not be removed, or not whole: it is where it was, or it has a name that is told. */
async function giveBack(folder: PinnedFolder, aside: string, name: string, cause: unknown): Promise<Error> {
  const path = join(folder.path, name);
  const failure = toFileError(cause, path);
  if (await putBack(folder, aside, name))
    return namingLeftover(failure, "What could not be deleted is still there under its name.");
  return namingLeftover(failure, `What could not be deleted is now ${join(folder.path, aside)}.`);
}

/** Deleting moves the entry aside first, looks once more at what was moved, and puts it back when it is something else. */
async function removeEntry(folder: PinnedFolder, change: ComputedChange): Promise<void> {
  const { plan, place } = change;
  const name = basename(place.path);
  const aside = temporaryName();
  await whileBusy(place.path, () => rename(folder.at(name), folder.at(aside)));
  const moved = await findAt(folder, { ...place, path: join(dirname(place.path), aside) }, 0);
  if (moved.hash !== plan.beforeHash) {
    const stale = new StaleFileError(place.asked, "was changed since this was approved");
    if (await putBack(folder, aside, name)) throw stale;
    throw namingLeftover(stale, `What was found is now ${join(folder.path, aside)}.`);
  }
  const isFolder = plan.found === "folder";
  await whileBusy(place.path, () =>
    isFolder ? rm(folder.at(aside), { recursive: true }) : unlink(folder.at(aside)),
  ).catch(async (cause) => {
    throw await giveBack(folder, aside, name, cause);
  });
  await folder.sync();
}

async function writeEntry(
  folder: PinnedFolder,
  change: ComputedChange,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  const { place, plan, stored } = change;
  const confirm = async () => {
    const now = await findAt(folder, place, 0);
    if (now.hash !== plan.beforeHash)
      throw new StaleFileError(place.asked, "was changed since this was approved");
    await folder.verify();
  };
  const owner = stored && { uid: stored.uid, gid: stored.gid };
  await putFile(folder, basename(place.path), bytes, { mode: mode ?? stored?.mode, owner, confirm });
}

async function carryOut(change: ComputedChange, options: ApplyOptions): Promise<void> {
  const { plan, place, bytes } = change;
  if (plan.to) return moveEntry(change, plan.to);
  const parent = dirname(place.path);
  const opened = bytes === null ? pinFolder(parent) : pinOrCreateFolder(parent);
  await withFolder(opened, (folder) =>
    bytes === null ? removeEntry(folder, change) : writeEntry(folder, change, bytes, options.mode),
  );
}

/** Something that was there when this was approved and is not there now, or came since, is a change like any other. */
function asStale(cause: unknown, shown: string): Error {
  const failure = toFileError(cause, shown);
  const since = ["not-found", "no-match", "exists"].includes(failure.code);
  return since ? new StaleFileError(failure.path, "was changed since this was approved") : failure;
}

/**
 * Makes the change, with the file held from the last look to the rename. `approved` is a plan that was made before, or
 * agrees to the plan as it is now. Content is compared at the effect: a replacement is written beside the file, synced,
 * and renamed over it only if the file still has the hash that was agreed to.
 * @throws StaleFileError when path, old content or new content differ; what `approved` throws; FileError when the change
 *   cannot be made or the system refuses. Nothing is changed then.
 */
export function applyApproved(
  root: string,
  request: FileChangeRequest,
  approved: ApprovedChange | Agree,
  options: ApplyOptions,
): Promise<FileChangePlan> {
  const bindsPlan = typeof approved !== "function" || options.wasPossible === true;
  return inFileTurn(
    () => locateAll(root, request, options),
    async (places) => {
      const change = await computeChange(root, request, options.limits, options).catch((cause) => {
        throw bindsPlan ? asStale(cause, request.path) : cause;
      });
      const { path, to } = change.plan;
      if (path !== places[0]?.path || to?.path !== places[1]?.path)
        throw new StaleFileError(request.path, "now leads to another file");
      if (typeof approved === "function") approved(change.plan);
      else checkApproved(request.path, change.plan, approved);
      // Known before it is there: a card that is drawn in the middle of the effect sees a change of the app itself.
      const forget = stepsOf(change.plan).map((step) => noteOwnStep(step.path, step.before, step.after));
      await makeChange(change, request, options).catch((cause) => {
        for (const one of forget) one();
        throw cause;
      });
      return change.plan;
    },
  );
}

/** Every place that a change lays its hand on: a move has two. */
async function locateAll(root: string, request: FileChangeRequest, reach: OutsideReach): Promise<Place[]> {
  const { allowOutside, allowTargetOutside } = reach;
  const place = await locate(root, request.path, { allowOutside, keepLink: meansLink(request) });
  if (request.to === undefined) return [place];
  return [place, await locate(root, request.to, { allowOutside: allowTargetOutside, keepLink: true })];
}

type Step = { path: string; before: string | null; after: string | null; movedFrom?: string };

/** What became of each place; the new one of a move first, which is where its history goes on. */
function stepsOf({ path, to, beforeHash: before, afterHash: after }: FileChangePlan): Step[] {
  if (!to) return [{ path, before, after }];
  return [
    { path: to.path, before: null, after, movedFrom: path },
    { path, before, after: null },
  ];
}

async function makeChange(
  change: ComputedChange,
  request: FileChangeRequest,
  options: ApplyOptions,
): Promise<void> {
  const { limits, observer } = options;
  const originals = observer ? await originalsOf(change, limits) : [];
  for (const original of originals) await observer?.beforeChange(original);
  if (holdsUntold(change, originals)) await observer?.beforeUntold?.(change.plan.path);
  await carryOut(change, options).catch((cause) => {
    throw asStale(cause, request.path);
  });
  if (change.plan.to && originals.length > 0) {
    for (const { path, after, movedFrom } of stepsOf(change.plan))
      await observer?.afterChange(path, after, movedFrom);
    return;
  }
  for (const { path } of originals) await observer?.afterChange(path, change.plan.afterHash);
}
