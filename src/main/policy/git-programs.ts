/** Reads in git's settings files which programs git would hand contents to, and whether it fetches what it does not have. */

import { dirname, join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";
import { readGitIndex, submoduleMode } from "./git-index.ts";
import { type OwnFolder, openOwnFolder } from "./git-own-folder.ts";
import { type GitSetting, readGitSettings } from "./git-settings.ts";
import { everyGitProgram, type GitPrograms, noGitProgram } from "./policy-context.ts";
import { asksForSignature } from "./profiles/git-reading.ts";

const systemFiles = [
  "/etc/gitconfig",
  "/usr/local/etc/gitconfig",
  "/opt/homebrew/etc/gitconfig",
  "C:/Program Files/Git/etc/gitconfig",
];
/** The system's files of settings and the person's, which hold in every repository. @param home the person's */
export const settingsForAll = (home: string): string[] => [
  ...systemFiles,
  join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config"),
  join(home, ".gitconfig"),
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

/** The path of another settings file, which a setting names relative to its own. @throws for a form that is not read here */
function includedBy(file: string, value: string, home: string): string {
  if (/^~(?!\/)|^%\(|[\t\n]/.test(value)) throw new Error(`${value} may be any file.`);
  return value.startsWith("~/") ? join(home, value.slice(2)) : resolve(dirname(file), value);
}

/** A format with which git has signatures checked, by a program that other settings name. */
const checksSignatures = ({ section, key, value }: GitSetting): boolean =>
  section === "pretty" || (section === "format" && key === "pretty")
    ? asksForSignature.test(value)
    : key === "sort" && value.includes("signature");

/**
 * Conditions of settings are taken for met: whether they are depends on more than is looked at here.
 *
 * @param own whose settings these are, where they are not the person's or the system's
 */
function look(file: string, home: string, found: Found, own?: OwnFolder): void {
  if (found.left === 0) return;
  found.left -= 1;
  const { programs } = found;
  for (const setting of readGitSettings(readText(file))) {
    const { section, key, value } = setting;
    const name = `${section}.${key}`;
    if (name === "merge.driver") programs.merging = true;
    if (/^diff\.(?:external|command|textconv)$/.test(name)) programs.showing = true;
    if (/^(?:filter|lfs)\.(?:clean|process)$/.test(name) && !ofLargeFiles.test(value))
      programs.filtering = true;
    if (/^(?:remote\.(?:promisor|partialclonefilter)|extensions\.partialclone)$/.test(name))
      programs.fetching = true;
    if (checksSignatures(setting)) programs.checking = true;
    if (own?.leadsAway(setting)) programs.elsewhere = true;
    if (!/^include(?:if)?\.path$/.test(name)) continue;
    const other = includedBy(file, value, home);
    if (own !== undefined && !own.holds(other)) programs.elsewhere = true;
    look(other, home, found, own);
  }
}

/** What the settings of one repository say, those for its files and for this work tree, and where its own folder leads. */
function lookAtRepository(root: string, home: string, found: Found): void {
  const own = openOwnFolder(root);
  for (const file of own.settings) look(file, home, found, own);
  if (own.isElsewhere()) found.programs.elsewhere = true;
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
    for (const file of settingsForAll(home)) look(file, home, found);
    lookAtRepository(root, home, found);
    for (const folder of submodulesOf(root)) lookAtRepository(folder, home, below);
    if (found.left === 0 || below.left === 0) return everyGitProgram;
    const { programs } = below;
    return {
      ...found.programs,
      showingBelow: programs.showing,
      filtering: found.programs.filtering || programs.filtering,
      fetching: found.programs.fetching || programs.fetching,
      elsewhere: found.programs.elsewhere || programs.elsewhere,
    };
  } catch {
    return everyGitProgram;
  }
}
