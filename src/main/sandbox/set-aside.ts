/** What a confined command newly made that steers agents or other programs is moved aside: when it ends, or when its host was found dead. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { listNew, listSteering, type Steering } from "./guarded-places.ts";
import { asideName } from "./made-confined.ts";

/** What was there before the command, in each folder that it may write in; the workspace is the first. */
export type Before = readonly { readonly folder: string; readonly steering: Steering }[];

/** Looks before a command begins, and notes it for whoever finds this process dead. */
export function noteBefore(file: string, folders: readonly string[]): Before {
  const before = folders.map((folder) => ({ folder, steering: listSteering(folder) }));
  const noted = before.map(({ folder, steering }) => ({ folder, steering: [...steering] }));
  writeFileSync(file, JSON.stringify(noted), { mode: 0o600 });
  return before;
}

/** Another command of the same folder may swap what was looked at just now. */
const mostLooks = 3;

/**
 * Moves aside what stands there now and did not before: a person says whether it is used.
 * @param hadCompany whether another command of the folder ran meanwhile
 * @returns the names of what was made: in the workspace as it says them, elsewhere whole
 */
export function setAside(before: Before, hadCompany = false): string[] {
  return before.flatMap(({ folder, steering }, at) =>
    setAsideIn(folder, steering, hadCompany).map((path) => (at === 0 ? relative(folder, path) : path)),
  );
}

function setAsideIn(folder: string, steering: Steering, hadCompany: boolean): string[] {
  const names: string[] = [];
  for (let look = 0; look < mostLooks; look += 1) {
    const made = listNew(steering, listSteering(folder), hadCompany);
    const moved = made.flatMap((path) => moveAside(path) ?? []);
    names.push(...moved);
    if (moved.length === made.length) break;
  }
  return names;
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A path that leads into a folder that is held open, whatever its names lead to by now. */
function heldFolder(held: number): string {
  if (process.platform === "linux") return `/proc/self/fd/${held}`;
  // macOS leads there by the numbers of the disk and of the folder, which nobody else has while it is held.
  const { dev, ino } = fstatSync(held, { bigint: true });
  return `/.vol/${dev}/${ino}`;
}

/** Out of the way of whoever would obey it. @returns where it is now; undefined where its folder leads elsewhere, or nobody may change it */
export const moveAside = (path: string) =>
  moveInFolder(path, (from) => {
    let number = 1;
    while (lstatSync(asideName(from, number), { throwIfNoEntry: false })) number += 1;
    return asideName(from, number);
  });

/**
 * Gives something another name in its folder as that is held open, so that no link that takes its place meanwhile leads the
 * move elsewhere.
 * @param nameFor the whole new name, for the whole name as it is reached; undefined where there is none to have
 * @returns where it is now; undefined where it was not moved
 */
export function moveInFolder(
  path: string,
  nameFor: (from: string) => string | undefined,
): string | undefined {
  let held: number | undefined;
  try {
    held = openSync(dirname(path), folderFlags);
    const folder = heldFolder(held);
    if (realpathSync.native(folder) !== dirname(path)) return undefined;
    const from = `${folder}/${basename(path)}`;
    const to = nameFor(from);
    if (to === undefined) return undefined;
    renameSync(from, to);
    return join(dirname(path), basename(to));
  } catch {
    return undefined;
  } finally {
    if (held !== undefined) closeSync(held);
  }
}
