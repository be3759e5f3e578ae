/** Reads one file to its end without ever waiting for what is no file, grows, or would have to be fetched first. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** To read and nothing else: through no link, and waiting for no pipe. */
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The least that a file of this size takes on any disk, unless its content is kept elsewhere. */
const smallFileBytes = 4_096;

/** A file of iCloud or OneDrive whose content would have to be fetched first, which may take for ever. */
export function isKeptElsewhere(stat: Stats, platform: NodeJS.Platform): boolean {
  return (platform === "darwin" || platform === "win32") && stat.blocks === 0 && stat.size > smallFileBytes;
}

/**
 * The file's content, or null when it is no regular file, may not be read, is not as large as it was said to be, or is
 * not on this disk.
 */
export function readWhole(
  path: string,
  size: number,
  platform: NodeJS.Platform = process.platform,
): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(path, readFlags);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== size || isKeptElsewhere(stat, platform)) return null;
    const bytes = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, bytes, filled, size - filled, filled);
      if (count === 0) return null;
      filled += count;
    }
    return bytes;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
