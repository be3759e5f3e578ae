/** The repositories of a workspace, as a confined command must find them: what git writes there, and what would make git run something. */

import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { readGitIndex } from "../policy/git-index.ts";
import { settingsForAll } from "../policy/git-programs.ts";
import { type GitSetting, readGitSettings } from "../policy/git-settings.ts";
import { findPlanted } from "./planted-in-git.ts";
import { fromEntries, oncePerLook } from "./remembered-entries.ts";
import { walkedIn } from "./walk-folders.ts";

/** Of a repository: what makes git run something, or read another folder. */
export const commandsOfGit = [
  ...["hooks", "config", "config.worktree", "commondir", "info/attributes", "modules"],
  // The old places of addresses that a fetch goes to.
  ...["remotes", "branches"],
];
/** Of a work tree's own part of a repository: what leads git to other settings, or away from here. */
const waysOfWorkTree = ["config.worktree", "commondir", "gitdir"];
/** So many folders below the workspace. */
export const deepestRepository = 3;
/** What git writes into these is short; longer ones are nobody's and would only hold up who reads them. */
const longestText = 64 * 1024;

type Kind = "folder" | "file" | "link" | "other";

/** Follows no link. `undefined` where nothing is, or nobody may look. */
export function kindOf(path: string): Kind | undefined {
  const found = lookAt(path);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return "link";
  return found.isFile() ? "file" : "other";
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A file or a folder, and no link to one. */
export const isThere = (path: string) => ["folder", "file"].includes(kindOf(path) ?? "");

/** A short file and no link; undefined for anything else. */
export function readShort(path: string): string | undefined {
  const found = lookAt(path);
  if (!found?.isFile() || found.size > longestText) return undefined;
  try {
    return readNow(path, "no link").toString();
  } catch {
    return undefined;
  }
}

/** `git` is where the repository is kept, if it is one that can be believed; `file` the file `.git` that leads to it. */
type Repository = {
  git?: string;
  file?: string;
  /** Of a work tree beside the repository's own: its part of it. */
  part?: string;
  /** The link `.git` that leads to it. */
  link?: string;
  /** It has no work tree around it, so that everything in it is also plain content of the workspace. */
  isBare?: boolean;
  /** The work tree. */
  root: string;
};

function repositoryAt(root: string): Repository[] {
  const own = join(root, ".git");
  const kind = kindOf(own);
  if (kind === "folder") return [{ root, git: own }];
  if (kind === "link") {
    const git = realOf(own);
    return git !== undefined && kindOf(git) === "folder" ? [{ root, git, link: own }] : [{ root, link: own }];
  }
  if (kind === "file") return [behindFile(root, own)];
  const isBare =
    kindOf(join(root, "HEAD")) === "file" &&
    ["objects", "refs"].every((name) => kindOf(join(root, name)) === "folder");
  return isBare ? [{ root, git: root, isBare }] : [];
}

/**
 * Anybody can write such a file. Only a repository that keeps a part for this very work tree is one of it, in the place
 * where git keeps them: whoever could make that there could write the repository anyway.
 */
function behindFile(root: string, own: string): Repository {
  const folder = /^gitdir: (.*)$/m.exec(readShort(own) ?? "")?.[1];
  const part = folder === undefined ? undefined : realOf(resolve(root, folder));
  if (part === undefined) return { root, file: own };
  const [back, common] = ["gitdir", "commondir"].map((name) => readShort(join(part, name))?.trim());
  const git = common === undefined ? undefined : realOf(resolve(part, common));
  const isBelieved =
    back !== undefined &&
    resolve(part, back) === own &&
    git === dirname(dirname(part)) &&
    kindOf(join(git, "objects")) === "folder";
  return isBelieved ? { root, git, file: own, part } : { root, file: own };
}

/** The repositories of a workspace: some folders deep, and those that its own one takes in, however deep they are. */
const repositoriesIn = oncePerLook((workspace): readonly Repository[] => {
  const found = repositoriesBelow(workspace);
  const known = new Set(found.map(({ root }) => root));
  const taken = takenIn(workspace).filter((root) => !known.has(root) && realOf(root) === root);
  return [...found, ...taken.flatMap(repositoryAt)];
});

const isTakenIn = 0o160000;

/** Git itself steps into these when it only looks at the one around them. */
function takenIn(root: string): string[] {
  try {
    const entries = readGitIndex(root)?.entries ?? [];
    return entries.filter(({ mode }) => mode === isTakenIn).map(({ name }) => join(root, name));
  } catch {
    return [];
  }
}

function repositoriesBelow(root: string, depth = deepestRepository): Repository[] {
  const own = namesOfOne(root).length > 0 ? repositoryAt(root) : [];
  if (depth === 0 || own.some(({ isBare }) => isBare)) return own;
  return [...own, ...walkedIn(root).flatMap(({ path }) => repositoriesBelow(path, depth - 1))];
}

/** Some disks do not tell small letters from large ones. */
const namesOfOne = fromEntries((entries) => entries.filter(({ name }) => /^(?:\.git|head)$/i.test(name)));

const waysIn = (part: string) => waysOfWorkTree.map((each) => join(part, each));

/** A file that takes in itself ends here too. */
const mostSettings = 20;

/**
 * Names a place that git obeys: `hookspath` from the work tree, `path`, another file of settings, from the `file` that says
 * it; `program` a file that some command among the values starts, or hands to what it starts.
 */
type Naming = { key: "hookspath" | "path" | "program"; value: string; file: string };

/** Filters, drivers, pagers and helpers are words for a shell, in which any may be such a file; more are no settings of a person. */
const mostPrograms = 20;
const pathsIn = (value: string) =>
  (value.match(/[~\w.@+-]*(?:\/[\w.@+-]+)+/g) ?? []).filter((each) => !each.startsWith("refs/"));

/** What these files name, and those that they take in. */
function namingsIn(files: readonly string[]): Naming[] {
  const all = [...files];
  const namings: Naming[] = [];
  for (let at = 0; at < Math.min(all.length, mostSettings); at += 1) {
    const file = all[at] ?? "";
    for (const { key, value } of settingsOf(readShort(realOf(file) ?? file) ?? "")) {
      const isPlace = key === "hookspath" || key === "path";
      const named = isPlace ? [value].filter((each) => each !== "") : pathsIn(value);
      for (const each of named) {
        const naming = {
          key: isPlace ? key : "program",
          value: each.replace(/^~(?=\/)/, homedir()),
          file,
        } as const;
        namings.push(naming);
        if (key === "path") all.push(resolve(dirname(file), naming.value));
      }
    }
  }
  return namings;
}

/** @param forAll what the settings name that hold in every repository: read once, and not for each */
function namedInSettings({ root, git }: Repository, forAll: readonly Naming[]): string[] {
  if (git === undefined) return [];
  const own = namingsIn(["config", "config.worktree"].map((name) => join(git, name)));
  const all = [...own, ...forAll];
  const places = all.flatMap(({ key, value, file }) =>
    key === "program" ? [] : [resolve(key === "path" ? dirname(file) : root, value)],
  );
  // From the top of the work tree, or behind words that lead there.
  const programs = all
    .flatMap(({ key, value }) => (key === "program" ? [resolve(root, value), join(root, value)] : []))
    .filter((path) => kindOf(path) === "file");
  return [...new Set([...places, ...programs.slice(0, mostPrograms)])];
}

/** Git obeys none of what it refuses to read. */
function settingsOf(text: string): GitSetting[] {
  try {
    return readGitSettings(text);
  } catch {
    return [];
  }
}

export type GuardedRepository = {
  /** What git itself writes; undefined for a file `.git` that leads to no repository of its own, and without a work tree. */
  readonly git: string | undefined;
  /** The file that leads there, which nobody but a person changes. */
  readonly file: string | undefined;
  /** What of it makes git run something, and the parts of other work trees; only a person changes these either. */
  readonly commands: readonly string[];
  /** The part of this work tree, among those, and what of it stays as it is. */
  readonly part: { readonly folder: string; readonly ways: readonly string[] } | undefined;
  /** What is plain content of the workspace otherwise, and makes git run something. */
  readonly content: readonly string[];
};

/** The repositories of the workspace, some folders deep; all paths are real ones. */
export function findRepositories(workspace: string): GuardedRepository[] {
  const forAll = namingsIn(settingsForAll(homedir()));
  return repositoriesIn(workspace).map((repository) => {
    const { git, file, part, isBare, link } = repository;
    const inGit = (names: readonly string[]) =>
      git === undefined ? [] : names.map((each) => join(git, each)).filter(isThere);
    const named = namedInSettings(repository, forAll)
      .flatMap((path) => realOf(path) ?? [])
      .filter((path) => path !== workspace && isWithin(path, workspace) && isThere(path));
    // Behind a link that leads out of the workspace nothing is opened.
    const isOpened = !isBare && (link === undefined || (git !== undefined && isWithin(git, workspace)));
    return {
      git: isOpened ? git : undefined,
      file,
      commands: isOpened ? inGit([...commandsOfGit, "worktrees"]) : [],
      part: part === undefined ? undefined : { folder: part, ways: waysIn(part).filter(isThere) },
      content: [...(isBare ? inGit(commandsOfGit) : []), ...named],
    };
  });
}

/** Where it would stand what makes git run something, or leads git elsewhere, whether it is there or not. */
export function placesOfCommands(workspace: string): { root: string; below: string }[] {
  const forAll = namingsIn(settingsForAll(homedir()));
  return repositoriesIn(workspace).flatMap((repository) => {
    const { root, git, part, file, link } = repository;
    const inside = (from: string, names: readonly string[]) => names.map((below) => ({ root: from, below }));
    const named = namedInSettings(repository, forAll).filter(
      (path) => isWithin(path, workspace) && path !== workspace,
    );
    const isOwn = git !== undefined && (link === undefined || isWithin(git, workspace));
    return [
      ...(isOwn ? inside(git, [...commandsOfGit, ...findPlanted(git)]) : []),
      ...(part === undefined ? [] : inside(part, [...waysOfWorkTree, ...findPlanted(part)])),
      ...(file === undefined && link === undefined ? [] : inside(root, [".git"])),
      ...named.map((path) => ({ root: workspace, below: path.slice(workspace.length + 1) })),
    ];
  });
}
