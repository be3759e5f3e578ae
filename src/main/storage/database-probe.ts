/** A process of its own that reads whole databases, since no thread could be ended in the middle of such a read. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { setPriority } from "node:os";
import Database from "better-sqlite3";
import { messageOf } from "../../shared/message-of.ts";
import { copyDatabase } from "./copy-database.ts";
import type { CheckedFile, DatabaseCheck, ProbeJob, ProbeNews } from "./probe-messages.ts";

/** What a utility process of Electron has in place of `process.send`. */
type ParentPort = {
  once(event: "message", listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
};

const { parentPort } = process as typeof process & { parentPort?: ParentPort };
const maxFindings = 5;
const busyTimeoutMs = 10_000;

function tell(news: ProbeNews): void {
  if (parentPort) parentPort.postMessage(news);
  else process.send?.(news, undefined, undefined, () => undefined);
}

function openReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
}

/** @returns what is wrong, in SQLite's words. @throws what kept the file from being read at all. */
function findDamage(path: string): string[] {
  try {
    const database = openReadOnly(path);
    try {
      const rows = database.pragma(`quick_check(${maxFindings})`) as { quick_check: string }[];
      return rows.map((row) => row.quick_check).filter((finding) => finding !== "ok");
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [error.message];
  }
}

function isDamage(error: unknown): error is Error {
  const code = codeOf(error);
  return error instanceof Error && (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function isSound(path: string): boolean {
  try {
    return findDamage(path).length === 0;
  } catch {
    return false;
  }
}

function checkFile({ name, path, backups }: CheckedFile): DatabaseCheck {
  const bytes = sizeOf(path);
  if (bytes === undefined) return { name, state: "absent", bytes: 0, findings: [] };
  try {
    const findings = findDamage(path);
    if (findings.length === 0) return { name, state: "sound", bytes, findings };
    return { name, state: "damaged", bytes, findings, soundBackup: backups.find(isSound) };
  } catch (error) {
    const why = messageOf(error);
    return { name, state: "unread", bytes, findings: [why] };
  }
}

/** With what is written and waits in its log. */
function sizeOf(path: string): number | undefined {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size;
  const own = size(path);
  return own === undefined ? undefined : own + (size(`${path}-wal`) ?? 0);
}

function copy(from: string, to: string): void {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const database = openReadOnly(from);
  try {
    copyDatabase(database, partial);
  } finally {
    database.close();
  }
  const file = openSync(partial, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, to);
}

function work(job: ProbeJob): void {
  try {
    if (job.kind === "copy") {
      for (const { from, to } of job.copies) if (existsSync(from)) copy(from, to);
      tell({ kind: "copied" });
      return;
    }
    const checks = job.files.map((file, i) => {
      const { name, path } = file;
      tell({ kind: "checking", name, bytes: sizeOf(path) ?? 0, step: i + 1, of: job.files.length });
      return checkFile(file);
    });
    tell({ kind: "checked", checks });
  } catch (error) {
    const message = messageOf(error);
    tell({ kind: "failed", code: codeOf(error), message });
  }
}

try {
  // Agents and the window go first.
  setPriority(10);
} catch {
  // Then it competes with them, for as long as it takes.
}
process.once("disconnect", () => process.exit());
if (parentPort) parentPort.once("message", ({ data }) => work(data as ProbeJob));
else process.once("message", (job) => work(job as ProbeJob));
