/** Tells whether a file is still the one that was looked at, without reading it, and a link from a file. */
import type { Stats } from "node:fs";
import { hashBytes } from "./stored-file.ts";

/** File systems tell times in steps; within a step two versions look alike. */
const clockStepMs = 50;

/** Times are in ms since the epoch, as exact as the system tells them. */
export type FileTimes = {
  readonly size: number;
  readonly modifiedAt: number;
  /** When content or attributes changed; unlike the other time, a program cannot choose it. */
  readonly alteredAt: number;
  readonly inode: number;
};

/** Whether it was altered so shortly before it was looked at that a later change may leave the same times. */
export function isFresh(alteredAt: number, lookedAt: number): boolean {
  return lookedAt - alteredAt < clockStepMs;
}

/** Another text as soon as the file is another one. */
export function markOf({ size, modifiedAt, alteredAt, inode }: FileTimes): string {
  return `${size}:${modifiedAt}:${alteredAt}:${inode}`;
}

/** What of a file's status tells that it was written to; times in ms since 1970, size in bytes. */
export function timesOf({ size, mtimeMs, ctimeMs, ino }: Stats): FileTimes {
  return { size, modifiedAt: mtimeMs, alteredAt: ctimeMs, inode: ino };
}

const mark = "link:";

/** @param target what the link says, whether anything is there or not */
export function hashOfLink(target: Uint8Array): string {
  return `${mark}${hashBytes(target)}`;
}

/** No content has such a hash. */
export function isLinkHash(hash: string): boolean {
  return hash.startsWith(mark);
}
