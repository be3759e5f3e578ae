/** Copies the database of the deepagents CLI as it stood in one moment, into a folder of our own: nothing there is opened or written. */
import { existsSync, promises, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Why a database or a thread of it cannot be read, in a sentence. */
export class SessionsError extends Error {
  override name = "SessionsError";
}

/** Where the CLI keeps it, the newer place first. */
const places = [join(".state", "sessions.db"), "sessions.db"];
const mostDatabaseBytes = 512_000_000;
/** So often a copy is made anew when it was written to meanwhile. */
const mostCopies = 5;
/** The database, what is committed beside it, and what takes back a change that broke off. */
const parts = ["", "-wal", "-journal"];

/** The files that SQLite needs: opening them where they are would write beside the CLI's. @throws SessionsError */
export async function withCopy<T>(folder: string, act: (database: Database.Database) => T): Promise<T> {
  const path = places.map((place) => join(folder, place)).find((one) => existsSync(one));
  if (path === undefined) throw new SessionsError(`There is no database of the deepagents CLI in ${folder}.`);
  const copies = await mkdtemp(join(tmpdir(), "countersign-sessions-"));
  try {
    await copyWhole(path, join(copies, "sessions.db"));
    const database = new Database(join(copies, "sessions.db"));
    try {
      // No view or trigger that somebody put into the file is followed.
      database.pragma("trusted_schema = OFF");
      return act(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SessionsError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new SessionsError(
      code === "" || code.startsWith("SQLITE")
        ? `${path} cannot be read as a database of the deepagents CLI.`
        : `${path} cannot be copied to be read (${code}).`,
    );
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

/**
 * The file and its log as they stood in one moment: what the CLI moves from the one into the other between the two copies
 * would be in neither.
 */
async function copyWhole(path: string, to: string): Promise<void> {
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const before = stampOf(path);
    for (const end of parts) {
      await rm(`${to}${end}`, { force: true });
      const stat = statSync(`${path}${end}`, { throwIfNoEntry: false });
      if (!stat?.isFile()) continue;
      if (stat.size > mostDatabaseBytes)
        throw new SessionsError(`${path} is larger than what is read here (512 MB).`);
      await promises.copyFile(`${path}${end}`, `${to}${end}`);
    }
    if (stampOf(path) === before) return;
  }
  throw new SessionsError(
    `${path} is being written to all the time. Try again when the deepagents CLI rests.`,
  );
}

const stampOf = (path: string) =>
  parts
    .map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`)
    .join();
