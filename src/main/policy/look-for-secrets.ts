/** Looks at this disk for files of a secret name below a folder; with the other `look-for-*.ts`, `disk.ts` and the readers of git (`git-*.ts`) all the policy sees of it. */

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../base/read-now.ts";
import type { SecretSearch } from "./policy-context.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";

/** Names looked at before the answer is `unknown`; the host waits meanwhile. */
const mostNames = 4_000;
/** What tools downloaded and made, which holds nobody's own secrets. */
const made = new Set(["node_modules", ".venv", "__pycache__", ".hg", ".svn"]);
const gitCredentials = /:\/\/[^\s/@]+@|\b(?:extraheader|password|token|secret)\b/i;

function namesIn(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  }
}

/** A git folder matters only when an address or a setting in it carries a token. */
function findGitSecret(folder: string, { reads }: SecretSearch): string | undefined {
  for (const name of ["config", "config.worktree", "credentials", "FETCH_HEAD"]) {
    if (reads?.(name) === false) continue;
    try {
      if (gitCredentials.test(readNow(join(folder, name)).toString())) return join(folder, name);
    } catch {
      // It is not there, which is as good as empty; what may not be read cannot be printed either.
    }
  }
  return undefined;
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
    for (const entry of entries) {
      const found = lookAt(entry, next.folder, next.depth, walk);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
