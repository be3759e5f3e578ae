/** What a file is at one moment, as far as two moments can be told apart by it. */
import { lstatSync } from "node:fs";
import { isLinkHash } from "../files/file-mark.ts";
import { unknownHash } from "../files/snapshot-messages.ts";

/** `hash` is of the content, unknown where that was not read; `mode` is null where nobody looked. */
export type Version = { readonly hash: string; readonly mode: number | null };

/** Null stands for no file. */
export type MaybeFile = Version | null;

/** Whether one is known to be the other; what was not read is the same as nothing. */
export function isSameVersion(one: MaybeFile, other: MaybeFile): boolean {
  if (one === null || other === null) return one === other;
  if (one.hash === unknownHash || one.hash !== other.hash) return false;
  return one.mode === null || other.mode === null || one.mode === other.mode;
}

/** Whether it is a link, of which only what it says is known. */
export function isLink(version: MaybeFile): boolean {
  return version !== null && isLinkHash(version.hash);
}

/** The permission bits of what is at a path; null where there is no file. */
export function modeAt(path: string): number | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.mode & 0o7777 : null;
}
