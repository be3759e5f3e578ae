/** Looks at this disk for files of a secret name below a folder; with the other `look-for-*.ts`, `disk.ts` and the readers of git (`git-*.ts`) all the policy sees of it. */

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../base/read-now.ts";
import type { SecretSearch } from "./policy-context.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";

/** Names looked at before the answer is `unknown`; the host waits meanwhile. */
const mostNames = 4_000;
const mostGitFolders = 1_000;
/** What tools downloaded and made, which holds nobody's own secrets. */
const made = new Set(["node_modules", ".venv", "__pycache__", ".hg", ".svn"]);
const addressWithPassword = /:\/\/[^\s/@]+@/;
const gitCredentials = new RegExp(
  String.raw`${addressWithPassword.source}|\b(?:extraheader|password|token|secret)\b`,
  "i",
);
/** Settings of git, also those that others take in, and what it was told of addresses. */
const gitSettings = /^(?:config|credentials|fetch_head)|conf(?:ig)?$/i;

function namesIn(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  }
}

/** A git folder matters only when an address or a setting in it, or in those of its submodules and worktrees, carries a token. */
function findGitSecret(folder: string, { reads }: SecretSearch): string | "unknown" | undefined {
  const queue = [folder];
  for (const git of queue) {
    if (queue.length > mostGitFolders) return "unknown";
    const entries = namesIn(git) ?? [];
    for (const { name } of entries) {
      if (!gitSettings.test(name) || reads?.(name) === false) continue;
      if (says(join(git, name), gitCredentials)) return join(git, name);
    }
    // Where it was cloned from, in its first line.
    const log = join(git, "logs", "HEAD");
    if (reads?.("HEAD") !== false && says(log, addressWithPassword)) return log;
    const isGit = entries.some(({ name }) => name === "HEAD");
    const within = isGit ? ["modules", "worktrees"] : entries.map(({ name }) => name);
    for (const name of within)
      if (entries.some((entry) => entry.name === name && entry.isDirectory())) queue.push(join(git, name));
  }
  return undefined;
}

/** What is not there is as good as empty; what may not be read cannot be printed either. */
function says(path: string, text: RegExp): boolean {
  try {
    return text.test(readNow(path).toString());
  } catch {
    return false;
  }
}

/** Whether these are the names of what git keeps, wherever it lies: a bare repository. */
function isGitFolder(entries: readonly Dirent[]): boolean {
  return ["HEAD", "config", "objects"].every((name) => entries.some((entry) => entry.name === name));
}

type Walk = { search: SecretSearch; left: number; queue: { folder: string; depth: number }[] };

function lookAt(entry: Dirent, folder: string, depth: number, walk: Walk): string | undefined {
  const { hidden, reads, enters, follows, depth: deepest = Number.POSITIVE_INFINITY } = walk.search;
  if (!hidden && entry.name.startsWith(".")) return undefined;
  const path = join(folder, entry.name);
  if (entry.isSymbolicLink() && follows && reads?.(entry.name) !== false) return path;
  if (!entry.isDirectory())
    return reads?.(entry.name) === false ? undefined : findSecretFile(entry.name) && path;
  if (depth >= deepest || enters?.(entry.name) === false || made.has(entry.name)) return undefined;
  if (entry.name === ".git") return findGitSecret(path, walk.search);
  if (findSecretFolder(entry.name) !== undefined) return path;
  walk.queue.push({ folder: path, depth: depth + 1 });
  return undefined;
}

/**
 * The path of a secret that a search of the folder would come by, near before far; `unknown` when the folder is too
 * large or may not be read. Links are not followed, as no search does that is
 * ever safe; one that follows them gets the link itself.
 *
 * @param start an absolute real path of a folder; below anything else there is nothing
 */
export function findSecretBelow(start: string, search: SecretSearch): string | "unknown" | undefined {
  if (/[\\/]\.git$/.test(start)) return findGitSecret(start, search);
  const walk: Walk = { search, left: mostNames, queue: [{ folder: start, depth: 1 }] };
  for (let next = walk.queue.shift(); next !== undefined; next = walk.queue.shift()) {
    const entries = namesIn(next.folder);
    if (entries === undefined) return "unknown";
    walk.left -= entries.length;
    if (walk.left < 0) return "unknown";
    const bare = isGitFolder(entries) ? findGitSecret(next.folder, search) : undefined;
    if (bare !== undefined) return bare;
    for (const entry of entries) {
      const found = lookAt(entry, next.folder, next.depth, walk);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
