/** A disk of a few kilobytes or megabytes, or files that may not grow, for tests of what happens then. */
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import type { TestContext } from "vitest";

/**
 * Puts an empty small disk at a folder. Where none can be mounted the test is left out, and the reason is said.
 *
 * @param options of the mount, such as `size=4m` or `size=1m,ro`
 * @returns what takes it away again
 */
export function mountSmallDisk(at: string, options: string, test: TestContext): () => void {
  const why = mount(at, options);
  if (why !== undefined) {
    // Nothing else makes a disk full, and only root may mount one: without it there is nothing to prove, and no failure.
    // The run holds these skips against scripts/testing/allowed-skips.json, which names them with this reason.
    console.log(`Skipped: ${why}.`);
    test.skip(why);
  }
  return () => void execFileSync("umount", [at]);
}

/**
 * From now on whatever is written to a database makes its write-ahead log longer. A log whose pages have been moved keeps its
 * length, and what is written next finds room in it: a full disk would refuse it or not, as the host had time to move them.
 *
 * @param write makes the host write to this database; it is called until the room in the log is used up
 * @returns what ends it; call it before the disk is taken away
 */
export async function growLog(path: string, write: () => Promise<unknown>): Promise<() => void> {
  // While somebody reads, the log does not begin anew.
  const reader = new Database(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM sqlite_schema").get();
  const sizeOf = () => statSync(`${path}-wal`).size;
  const before = sizeOf();
  do await write();
  while (sizeOf() === before);
  return () => void reader.close();
}

/** Keeps every file that this process writes to from growing beyond so many bytes. Without the program for it the test is left out. */
export function limitFileSize(bytes: string, test: TestContext): void {
  try {
    execFileSync("prlimit", [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`], { stdio: "pipe" });
  } catch (error) {
    const why = `no limit of file sizes could be set: ${String(error).split("\n")[0]}`;
    console.log(`Skipped: ${why}.`);
    test.skip(why);
  }
}

function mount(at: string, options: string): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "mounting a small disk needs Linux and root";
  try {
    mkdirSync(at, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", at], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no small disk could be mounted: ${String(error).split("\n")[0]}`;
  }
}
