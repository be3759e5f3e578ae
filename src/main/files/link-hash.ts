/** Stands for a link where a file has the hash of its content: what a link leads to is told apart, and none is brought back. */
import { hashBytes } from "./stored-file.ts";

const mark = "link:";

/** @param target what the link says, whether anything is there or not */
export function hashOfLink(target: Uint8Array): string {
  return `${mark}${hashBytes(target)}`;
}

/** No content has such a hash. */
export function isLinkHash(hash: string): boolean {
  return hash.startsWith(mark);
}
