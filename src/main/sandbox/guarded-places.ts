/** What a confined command must not write, although it lies in its workspace, or not even see, although it lies in the home. */

import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Width } from "../../shared/contract/decisions.ts";
import { type IndexEntry, readGitIndex } from "../policy/git-index.ts";
import { environmentSecrets, findSecretFile } from "../policy/secret-names.ts";
import { steeringPlaces } from "../policy/steering-files.ts";

/** Agents and programs outside of the sandbox obey or run these. */
const steering = [
  ...steeringPlaces,
  ...[".husky", ".githooks", ".vscode", ".idea", ".zed", ".cursor", ".codex", ".gemini"],
  ...[
    ".mcp.json",
    ".gitmodules",
    ".gitattributes",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".envrc",
    ".github/workflows",
  ],
];
const credentials = [
  ...[
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker",
    ".password-store",
    ".config/gcloud",
    ".config/gh",
  ],
  ...[
    ".local/share/keyrings",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".git-credentials",
    ".bash_history",
    ".zsh_history",
  ],
];
/** Of a repository: what makes git run something, or read another folder. */
const commandsOfGit = ["hooks", "config", "config.worktree", "commondir", "info/attributes", "modules"];
/** Of a work tree's own part of a repository: what leads git to other settings, or away from here. */
const waysOfWorkTree = ["config.worktree", "commondir", "gitdir"];
const deepestRepository = 3;

/** A mount each costs the kernel more than the one before. */
export const mostGuardedPlaces = 50;

type Kind = "folder" | "file" | "other";

/** Follows no link; a link is `other`. `undefined` where nothing is. */
export function kindOf(path: string): Kind | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

const isThere = (path: string) => ["folder", "file"].includes(kindOf(path) ?? "");

/** `git` is where the repository is kept, if it is one that can be believed; `file` the file `.git` that leads to it. */
type Repository = {
  git?: string;
  file?: string;
  /** Of a work tree beside the repository's own: its part of it. */
  part?: string;
};

function repositoryAt(root: string): Repository[] {
  const own = join(root, ".git");
  if (kindOf(own) === "folder") return [{ git: own }];
  if (kindOf(own) !== "file") return [];
  const folder = resolve(root, /^gitdir: (.*)$/m.exec(readFileSync(own, "utf8"))?.[1] ?? ".git");
  const [back, common] = [join(folder, "gitdir"), join(folder, "commondir")];
  // Anybody can write such a file: only a repository that points back to it is one of this work tree.
  const isBelieved =
    existsSync(back) && existsSync(common) && resolve(readFileSync(back, "utf8").trim()) === own;
  if (!isBelieved) return [{ file: own }];
  const git = realpathSync(resolve(folder, readFileSync(common, "utf8").trim()));
  return [{ git, file: own, part: realpathSync(folder) }];
}

function repositoriesBelow(root: string, depth = deepestRepository): Repository[] {
  const own = repositoryAt(root);
  if (depth === 0) return own;
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules",
  );
  return [...own, ...folders.flatMap(({ name }) => repositoriesBelow(join(root, name), depth - 1))];
}

export type GuardedRepository = {
  /** What git itself writes; undefined for a file `.git` that leads to no repository of its own. */
  readonly git: string | undefined;
  /** The file that leads there, which nobody but a person changes. */
  readonly file: string | undefined;
  /** What of it makes git run something, and the parts of other work trees; only a person changes these either. */
  readonly commands: readonly string[];
  /** The part of this work tree, among those, and what of it stays as it is. */
  readonly part: { readonly folder: string; readonly ways: readonly string[] } | undefined;
};

/** The repositories of the workspace, some folders deep. */
export function findRepositories(workspace: string): GuardedRepository[] {
  return repositoriesBelow(workspace).map(({ git, file, part }) => ({
    git,
    file,
    commands:
      git === undefined ? [] : [...commandsOfGit, "worktrees"].map((each) => join(git, each)).filter(isThere),
    part: part === undefined ? undefined : { folder: part, ways: waysIn(part).filter(isThere) },
  }));
}

const waysIn = (part: string) => waysOfWorkTree.map((each) => join(part, each));

/** Of the workspace itself, what is there of the names that steer other programs. */
export function findSteering(workspace: string): string[] {
  return steering.map((name) => join(workspace, name)).filter(isThere);
}

/** The same names as `findSteering`, with whatever stands there, links too, and what makes git run something. */
export function listSteering(workspace: string): string[] {
  const ofGit = repositoriesBelow(workspace).flatMap(({ git, part }) => [
    ...(git === undefined ? [] : commandsOfGit.map((each) => join(git, each))),
    ...(part === undefined ? [] : waysIn(part)),
  ]);
  return [...steering.map((name) => join(workspace, name)), ...ofGit].filter(
    (path) => kindOf(path) !== undefined,
  );
}

/**
 * The files of the workspace that hold secrets of its environment, some folders deep. What git holds is no secret to whoever
 * reads the repository, and hidden it would look deleted to git.
 * @param forGit only those that git passes over: one that it would add and cannot read ends each `git add -A`
 */
export function findOwnSecrets(workspace: string, forGit: boolean): string[] {
  const found = secretsBelow(workspace);
  if (found.length === 0) return found;
  const tracked = new Set(readIndex(workspace)?.map(({ name }) => join(workspace, name)));
  const isIgnored = forGit ? readIgnored(workspace) : () => true;
  return found.filter((path) => !tracked.has(path) && isIgnored(basename(path)));
}

/** By the workspace's own list alone, and its patterns of plain names; of any other it is not said. */
function readIgnored(workspace: string): (name: string) => boolean {
  const list = join(workspace, ".gitignore");
  const lines = kindOf(list) === "file" ? readFileSync(list, "utf8").split(/\r?\n/) : [];
  const patterns = lines.flatMap((line) => {
    const [, not, name] = /^(!?)([\w.*-]+)$/.exec(line.trim()) ?? [];
    // One with many stars takes an expression time without end.
    const source = name?.replaceAll(".", "\\.").replaceAll(/\*+/g, ".*");
    return source === undefined || source.split("*").length > 4
      ? []
      : [{ isIgnored: not === "", name: new RegExp(`^${source}$`) }];
  });
  return (name) => patterns.findLast((each) => each.name.test(name))?.isIgnored ?? false;
}

function readIndex(workspace: string): readonly IndexEntry[] | undefined {
  try {
    return readGitIndex(workspace)?.entries;
  } catch {
    return undefined;
  }
}

/**
 * Each of their names has one of these words; the table is looked up for those alone, since every file comes by here. A
 * `.envrc` is a program, which belongs to the repository and is guarded as such.
 */
const isOwnSecret = (name: string) =>
  /env|vars/i.test(name) && !/^\.envrc/i.test(name) && findSecretFile(name) === environmentSecrets;

function secretsBelow(folder: string, depth = deepestRepository): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return isOwnSecret(entry.name) ? [path] : [];
    const isLooked = entry.isDirectory() && depth > 0 && !/^(?:\.git|node_modules)$/.test(entry.name);
    return isLooked ? secretsBelow(path, depth - 1) : [];
  });
}

/** How far a command has to reach to write this path of its workspace, as far as its name tells. */
export function widthToWrite(below: string): Exclude<Width, "read-only"> {
  const [, inGit] = /(?:^|\/)\.git(?:\/(.*))?$/.exec(below) ?? [];
  const isAt = (name: string, path: string) => path === name || path.startsWith(`${name}/`);
  if (/(?:^|\/)\.git(?:\/|$)/.test(below))
    return commandsOfGit.some((part) => isAt(part, inGit ?? "")) ? "outside" : "workspace and git";
  return steering.some((name) => isAt(name, below)) ? "outside" : "workspace";
}

/** Where the person's credentials are kept, links followed. */
export function findCredentials(home: string): string[] {
  return credentials
    .map((name) => join(home, name))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
}
