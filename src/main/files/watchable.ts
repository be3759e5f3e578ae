/** Tells whether everything that happens to the files of a folder can be heard on this machine. */
import { readFileSync, statfsSync } from "node:fs";

/**
 * File systems on which whatever changes a file goes through this system's kernel, by the numbers statfs(2) gives them;
 * on all others, such as those of a network or of another program, somebody else may change them too.
 */
const ownFileSystems = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlay, as in containers
]);

/** All that is mounted, as the kernel tells it. @throws the system's error */
export function readMounts(): string {
  return readFileSync("/proc/self/mountinfo", "utf8");
}

/** What a path in that list is written as. */
function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 * Whether it lies on a file system of this system's own, with nothing mounted below it.
 * @param root a real path
 * @param mounts from `readMounts`
 */
export function isWatchable(root: string, mounts: string): boolean {
  const below = root.endsWith("/") ? root : `${root}/`;
  const places = mounts.split("\n").map((line) => unescapePath(line.split(" ")[4] ?? ""));
  if (places.some((place) => place.startsWith(below))) return false;
  try {
    return ownFileSystems.has(statfsSync(root).type);
  } catch {
    return false;
  }
}
