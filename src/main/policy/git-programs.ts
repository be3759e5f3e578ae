/** Reads in git's settings files which programs git would hand contents to, and whether it fetches what it does not have. */

import { dirname, join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";
import { gitFolderOf, readGitIndex, submoduleMode } from "./git-index.ts";
import { everyGitProgram, type GitPrograms, noGitProgram } from "./policy-context.ts";

const systemFiles = [
  "/etc/gitconfig",
  "/usr/local/etc/gitconfig",
  "/opt/homebrew/etc/gitconfig",
  "C:/Program Files/Git/etc/gitconfig",
];
/** More are taken for files that name each other. */
const mostFiles = 50;
/** More repositories in repositories are not looked at. */
const mostRepositories = 50;
/** What git-lfs writes into the settings when it is set up, and nothing but that; it keeps what it is given, and tells of it. */
const ofLargeFiles = /^(?:git-lfs clean -- %f|git-lfs filter-process)$/;

type Found = { programs: GitPrograms; left: number };

/**
 * A file that is not there says nothing; one that may not be read is none to git either.
 * @throws for what is no file: whoever writes into a pipe says to git what they want
 */
function readText(path: string): string {
  try {
    return readNow(path).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
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
    if (/^filter\.(?:clean|process)$/.test(name) && !ofLargeFiles.test(value.trim()))
      found.programs.filtering = true;
    if (/^(?:remote\.(?:promisor|partialclonefilter)|extensions\.partialclone)$/.test(name))
      found.programs.fetching = true;
    if (/^include(?:if)?\.path$/.test(name)) look(includedBy(file, value.trim(), home), home, found);
  }
}

/** What the settings of one repository say: those for its files, and for this work tree. */
function lookAtRepository(root: string, home: string, found: Found): void {
  const folder = gitFolderOf(root);
  const common = resolve(folder, readText(join(folder, "commondir")).trim() || ".");
  for (const file of [join(common, "config"), join(folder, "config.worktree")]) look(file, home, found);
}

/** The folders of a repository's submodules and of theirs, in which git starts itself to compare them. */
function submodulesOf(root: string): string[] {
  const folders = [root];
  // The list grows while it is walked.
  for (const above of folders) {
    const index = readGitIndex(above);
    if (index === undefined || folders.length > mostRepositories)
      throw new Error("More than can be looked at.");
    for (const { name, mode } of index.entries) if (mode === submoduleMode) folders.push(join(above, name));
  }
  return folders.slice(1);
}

/**
 * What the settings of the system, the person, the repository and its submodules say.
 *
 * @param root the real path of the repository's own folder
 * @param home the person's, as the system writes it
 */
export function readGitPrograms(root: string, home: string): GitPrograms {
  const found: Found = { programs: { ...noGitProgram }, left: mostFiles };
  const below: Found = { programs: { ...noGitProgram }, left: mostFiles + 2 * mostRepositories };
  try {
    const own = [
      join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config"),
      join(home, ".gitconfig"),
    ];
    for (const file of [...systemFiles, ...own]) look(file, home, found);
    lookAtRepository(root, home, found);
    for (const folder of submodulesOf(root)) lookAtRepository(folder, home, below);
    if (found.left === 0 || below.left === 0) return everyGitProgram;
    const { showing, filtering, fetching } = below.programs;
    return {
      ...found.programs,
      showingBelow: showing,
      filtering: found.programs.filtering || filtering,
      fetching: found.programs.fetching || fetching,
    };
  } catch {
    return everyGitProgram;
  }
}
