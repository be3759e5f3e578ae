/** Reads in git's settings files which programs git would hand contents to, and whether it fetches what it does not have. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gitFolderOf } from "./git-index.ts";
import { everyGitProgram, type GitPrograms } from "./policy-context.ts";

const systemFiles = [
  "/etc/gitconfig",
  "/usr/local/etc/gitconfig",
  "/opt/homebrew/etc/gitconfig",
  "C:/Program Files/Git/etc/gitconfig",
];
/** More are taken for files that name each other. */
const mostFiles = 50;

type Found = { programs: GitPrograms; left: number };

/** A file that is not there says nothing; one that may not be read is none to git either. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The path of another settings file, which a setting names relative to its own. */
function includedBy(file: string, value: string, home: string): string {
  const path = value.replace(/\s*[#;].*$/, "").replace(/^"|"$/g, "");
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(dirname(file), path);
}

/** Conditions of settings are taken for met: whether they are depends on more than is looked at here. */
function look(file: string, home: string, found: Found): void {
  if (found.left === 0) return;
  found.left -= 1;
  let section = "";
  // A section and its first setting may share a line.
  for (const line of readText(file).replaceAll("]", "]\n").split(/\r?\n/)) {
    section = /^\s*\[\s*([\w-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key = "", value = ""] = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?$/i.exec(line) ?? [];
    const name = `${section}.${key.toLowerCase()}`;
    if (name === "merge.driver") found.programs.merging = true;
    if (/^diff\.(?:external|command|textconv)$/.test(name)) found.programs.showing = true;
    if (/^(?:remote\.(?:promisor|partialclonefilter)|extensions\.partialclone)$/.test(name))
      found.programs.fetching = true;
    if (/^include(?:if)?\.path$/.test(name)) look(includedBy(file, value.trim(), home), home, found);
  }
}

/**
 * What the settings of the system, the person and the repository say.
 *
 * @param root the real path of the repository's own folder
 * @param home the person's, as the system writes it
 */
export function readGitPrograms(root: string, home: string): GitPrograms {
  const found: Found = { programs: { merging: false, showing: false, fetching: false }, left: mostFiles };
  try {
    const folder = gitFolderOf(root);
    const common = resolve(folder, readText(join(folder, "commondir")).trim() || ".");
    const own = [
      join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config"),
      join(home, ".gitconfig"),
    ];
    const here = [join(common, "config"), join(folder, "config.worktree")];
    for (const file of [...systemFiles, ...own, ...here]) look(file, home, found);
    return found.left === 0 ? everyGitProgram : found.programs;
  } catch {
    return everyGitProgram;
  }
}
