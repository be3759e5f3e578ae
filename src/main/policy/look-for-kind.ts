/** Looks into a file of this disk for what it is, without waiting for it and without following a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import {
  type FileKind,
  headBytes,
  kindOfBytes,
  labelAt,
  labelBytes,
  piecesOf,
  tailBytes,
} from "./file-kind.ts";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * What the file is. What is no file, or may not be read, is neither: nothing would be printed of it.
 *
 * @param path absolute and real
 */
export function lookForKind(path: string): FileKind | undefined {
  let file: number | undefined;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    file = openSync(path, flags);
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stat.size - at)));
      return bytes.subarray(0, bytes.length === 0 ? 0 : readSync(file!, bytes, 0, bytes.length, at));
    };
    const head = read(0, headBytes);
    if (stat.size <= headBytes) return kindOfBytes(piecesOf(head));
    return kindOfBytes({
      head,
      tail: read(Math.max(0, stat.size - tailBytes), tailBytes),
      label: read(labelAt, labelBytes),
    });
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
