/** Tells whether what a repository keeps of its own leads git to other files than those of the folder that was trusted. */

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";
import { isInside, realOf } from "../paths/real-of.ts";
import { commonFolderOf, gitFolderOf } from "./git-index.ts";
import type { GitSetting } from "./git-settings.ts";
import { findSecretFile } from "./secret-names.ts";

/** What a repository keeps of its own, in the folder `.git` or in another one to which a file of that name leads. */
export type OwnFolder = {
  /** Its files of settings. */
  readonly settings: readonly string[];
  /** Whether a file is one of this repository or of its work tree. */
  holds(file: string): boolean;
  /** Whether a setting names a file or a work tree that is not one of these. */
  leadsAway(setting: GitSetting): boolean;
  /** Whether the folder is another repository's, or something in it stands elsewhere. Asked after its settings. */
  isElsewhere(): boolean;
};

/** Where git keeps what `git status` tells: the folder itself, and what is not finished. Branches lie deeper. */
const told = ["", "info", "rebase-merge", "rebase-apply", "sequencer"];
/** In these a link is of use, and no reading opens them. */
const untold = new Set(["hooks", "lfs", "annex"]);

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function readLine(path: string): string | undefined {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile();
  return isFile ? readNow(path).toString().trim() : undefined;
}

function entriesIn(folder: string): Dirent[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
}

function linksIn(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isSymbolicLink() && !untold.has(entry.name))
    .map(({ name }) => join(folder, name));
}

/** Branches that stand in files of their own; git puts them into one file now and then. */
const mostBranches = 5_000;

/** @throws Error where there are more than are looked at */
function linksBelow(start: string): string[] {
  const folders = [start];
  const links: string[] = [];
  let left = mostBranches;
  // The list grows while it is walked.
  for (const folder of folders) {
    const entries = entriesIn(folder);
    left -= entries.length;
    if (left < 0) throw new Error("More branches than are looked at.");
    links.push(...linksIn(folder));
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
  }
  return links;
}

/**
 * Looks at a repository's own folder.
 *
 * @param root the real path of the folder that holds `.git`
 * @throws for what may not be read
 */
export function openOwnFolder(root: string): OwnFolder {
  const folder = gitFolderOf(root);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isFile()) throw new Error("Its file leads nowhere.");
  const common = commonFolderOf(folder);
  const real = { folder: realOf(folder) ?? folder, common: realOf(common) ?? common };
  const isGits = (path: string | undefined) => isInside(real.folder, path) || isInside(real.common, path);
  let isLedBack = false;
  return {
    settings: [join(common, "config"), join(folder, "config.worktree")],
    holds(file) {
      const path = realOf(file);
      return path === undefined || isInside(root, path) || isGits(path);
    },
    leadsAway({ section, key, value }) {
      if (section === "core" && key === "worktree") {
        isLedBack ||= realOf(resolve(folder, value)) === root;
        return realOf(resolve(folder, value)) !== root;
      }
      // Large files are kept there as they are looked at.
      if (section === "lfs" && key === "storage") return true;
      if (!/file$|blob$/.test(key)) return false;
      const path = resolve(root, value);
      const isPlain =
        lstatSync(path, { throwIfNoEntry: false })?.isFile() && findSecretFile(value) === undefined;
      return !isPlain || !isInside(root, realOf(path));
    },
    isElsewhere() {
      const back = readLine(join(folder, "gitdir"));
      const isOwn =
        isInside(root, real.folder) ||
        isLedBack ||
        (back !== undefined && resolve(back) === join(root, ".git"));
      // With the last one git takes versions for what others were made from, whatever these themselves say.
      if (!isOwn || !isInside(real.common, real.folder) || isThere(join(common, "info/grafts"))) return true;
      const links = [...new Set([folder, common])].flatMap((each) => [
        ...told.flatMap((name) => linksIn(join(each, name))),
        ...linksBelow(join(each, "refs")),
      ]);
      return links.some((link) => !isGits(realOf(link)));
    },
  };
}
