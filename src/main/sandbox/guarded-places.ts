/** What a confined command must not write, although it lies in its workspace, or not even see, although it lies in the home. */
import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { type IndexEntry, readGitIndex } from "../policy/git-index.ts";
import { environmentSecrets, findSecretFile } from "../policy/secret-names.ts";
import {
  findProtectedBelow,
  findProtectedName,
  isObeyedAnywhere,
  namesThatSteer,
} from "../policy/sensitive-names.ts";
import { stepsOf } from "./planted-in-git.ts";
import { entriesOf, fromEntries, inOneLook, oncePerLook, rememberedEntries } from "./remembered-entries.ts";
import {
  commandsOfGit,
  deepestRepository,
  isThere,
  kindOf,
  placesOfCommands,
  readShort,
} from "./repositories.ts";
import { walkFolders } from "./walk-folders.ts";

/** What agents and programs outside of the sandbox obey or run; git's own data is looked at as such. */
const steers = (name: string) => name !== ".git" && findProtectedName(name) !== undefined;

/** Of the workspace itself, the names that steer other programs, with whatever stands there. */
const steeringNames = (workspace: string) => [
  ...steeringIn(workspace),
  ...namesThatSteer((folder) => rememberedEntries(join(workspace, folder))),
];

const steeringIn = fromEntries((entries) => entries.map(({ name }) => name).filter(steers));

/** A mount each costs the kernel more than the one before. */
export const mostGuardedPlaces = 50;

/** Of the workspace itself, what is there of the names that steer other programs; behind a link what it leads to here. */
export function findSteering(workspace: string): string[] {
  const real = steeringNames(workspace)
    .flatMap((name) => realOf(join(workspace, name)) ?? [])
    // What contains the workspace, or lies outside of it, is no part of it to guard.
    .filter((path) => path !== workspace && isWithin(path, workspace) && isThere(path));
  return [...new Set(real)];
}

/** Of the folders below, the nearest first, what is obeyed wherever it lies. Of the workspace itself every name counts that steers anybody. */
const obeyedBelow = oncePerLook((workspace) =>
  [...walkFolders(workspace, (name, { path }) => !obeyedIn(path).includes(name))].flatMap(
    ({ below, path }) => (below === "" ? [] : obeyedIn(path).map((name) => `${below}/${name}`)),
  ),
);

const obeyedIn = fromEntries((entries, folder) =>
  entries.map(({ name }) => name).filter((name) => isObeyedAnywhere(name, basename(folder))),
);

/** The same as real paths, without what a link leads to elsewhere. @param most how many can be guarded; of more the nearest are */
export function findObeyed(workspace: string, most: number): string[] {
  const real = obeyedBelow(workspace)
    .map((below) => join(workspace, below))
    .filter((path) => isThere(path) && realOf(path) === path);
  return real.slice(0, Math.max(0, most));
}

/** By what something is known again. */
export type Mark = {
  /** Itself. */
  readonly own: string;
  /** Which folders lead to it in the workspace: one can be moved away, and another one be put in its place. */
  readonly ways: string;
  /** Where a link leads, or what a list of steps would run: both can be put in the place of what was there. */
  readonly to: string | undefined;
  /**
   * Of what makes git run something, in a folder that one command could move to where another one does not find it guarded:
   * what is in it, by what no command can set back.
   */
  readonly holds?: string | undefined;
  /** The same of what agents and shells obey, where a person may write as well. */
  readonly says?: string | undefined;
};

/** Where something stands. */
export type Steering = ReadonlyMap<string, Mark>;

/** The same names as `findSteering`, with whatever stands there, links too, and what makes git run something. */
export const listSteering = (workspace: string): Steering => inOneLook(() => readSteering(workspace));

function readSteering(workspace: string): Steering {
  const ofFolder = [...steeringNames(workspace), ...obeyedBelow(workspace)];
  const places = [
    ...ofFolder.map((below) => ({ path: firstLink(workspace, below), isOfGit: false })),
    ...placesOfCommands(workspace).map(({ root, below }) => ({
      path: firstLink(root, below),
      isOfGit: true,
    })),
  ];
  return new Map(
    places.flatMap(({ path, isOfGit }) => {
      const mark = markOf(workspace, path, isOfGit);
      return mark === undefined ? [] : [[path, mark]];
    }),
  );
}

/** Undefined where nothing is, or nothing is any more: another command of the folder may take it away meanwhile. */
function markOf(workspace: string, path: string, isOfGit: boolean): Mark | undefined {
  try {
    const mark = readMark(workspace, path);
    const isMovable = isWithin(path, workspace) && !["", ".git"].includes(topOf(workspace, path));
    if (!isMovable || mark.to !== undefined) return mark;
    return isOfGit ? { ...mark, holds: readHeld(path) } : { ...mark, says: readSaid(path) };
  } catch {
    return undefined;
  }
}

/** The folder of the workspace that it lies in; empty for what lies in none. */
const topOf = (workspace: string, path: string) =>
  path
    .slice(workspace.length + 1)
    .split("/")
    .slice(0, -1)[0] ?? "";

/** More are in no folder that git or an agent looks into for what it obeys. */
const mostHeld = 200;

function changed(path: string): string {
  const found = lstatSync(path, { bigint: true });
  return found.isDirectory() ? String(found.ino) : `${found.ino}:${found.ctimeNs}`;
}

const namesIn = (path: string) =>
  kindOf(path) === "folder"
    ? entriesOf(path)
        .map(({ name }) => name)
        .toSorted()
    : [];

/** Folders in it by their names alone: git itself writes in them. */
function readHeld(path: string): string {
  const held = namesIn(path).slice(0, mostHeld);
  return [changed(path), ...held.map((name) => `${name} ${changed(join(path, name))}`)].join("\n");
}

/** With all that is in its folders. */
function readSaid(path: string): string {
  const below = [""];
  for (let at = 0; at < Math.min(below.length, mostHeld); at += 1)
    below.push(...namesIn(join(path, below[at] ?? "")).map((name) => `${below[at]}/${name}`));
  return below
    .slice(0, mostHeld)
    .map((each) => `${each} ${changed(join(path, each))}`)
    .join("\n");
}

function readMark(workspace: string, path: string): Mark {
  const idOf = (each: string) => {
    const { dev, ino } = lstatSync(each);
    return `${dev}:${ino}`;
  };
  const ways: string[] = [];
  for (let way = dirname(path); isWithin(way, workspace) && way !== workspace; way = dirname(way))
    ways.push(idOf(way));
  return {
    own: idOf(path),
    ways: ways.join(" "),
    to: kindOf(path) === "link" ? readlinkSync(path) : stepsOf(path),
  };
}

/**
 * What stands there now and is not what was there before. What was there was mounted over, so that it is as it was wherever
 * it is now; a person may have put another file in its place meanwhile, a command could not, but for a link, or where another
 * command had moved the folder around it.
 * @param hadCompany whether another command could do that; where more is there than can be guarded, this one could too
 */
export function listNew(before: Steering, now: Steering, hadCompany = false): string[] {
  const isCompared = hadCompany || before.size > mostGuardedPlaces;
  const holdsOf = ({ holds, says }: Mark) => (isCompared ? (holds ?? says) : holds);
  const plain = [...before.values()].filter(({ to }) => to === undefined);
  const known = new Set(plain.map((mark) => `${mark.own} ${holdsOf(mark)}`));
  return [...now].flatMap(([path, mark]) => {
    const was = before.get(path);
    const isSame =
      was !== undefined && was.ways === mark.ways && was.to === mark.to && holdsOf(was) === holdsOf(mark);
    return isSame || (mark.to === undefined && known.has(`${mark.own} ${holdsOf(mark)}`)) ? [] : [path];
  });
}

/** The first link on the way, which is then what stands here and leads elsewhere; nothing behind one is looked at. */
function firstLink(root: string, below: string): string {
  const parts = below.split("/");
  const ways = parts.map((_, at) => join(root, ...parts.slice(0, at + 1)));
  return ways.find((way) => kindOf(way) === "link") ?? join(root, below);
}

/**
 * The files of the workspace that hold secrets of its environment, some folders deep. What git holds is no secret to whoever
 * reads the repository, and hidden it would look deleted to git.
 * @param forGit only those that git passes over: one that it would add and cannot read ends each `git add -A`
 * @param room how many there may be with those that lie deeper, the nearest first
 */
export function findOwnSecrets(workspace: string, forGit: boolean, room = 0): string[] {
  const found = [...walkFolders(workspace, () => true)].flatMap(({ below, path }) =>
    ownSecretsIn(path).map((name) => (below === "" ? name : `${below}/${name}`)),
  );
  if (found.length === 0) return found;
  const tracked = new Set(readIndex(workspace)?.map(({ name }) => name));
  const isIgnored = forGit ? readIgnored(workspace) : () => true;
  const own = found.filter((below) => !tracked.has(below) && isIgnored(basename(below)));
  const near = own.filter((below) => below.split("/").length <= deepestRepository + 1);
  return own.slice(0, Math.max(near.length, room)).map((below) => join(workspace, below));
}

/** By the workspace's own list alone, and its patterns of plain names; of any other it is not said. */
function readIgnored(workspace: string): (name: string) => boolean {
  const lines = (readShort(join(workspace, ".gitignore")) ?? "").split(/\r?\n/);
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

const ownSecretsIn = fromEntries((entries) =>
  entries.filter((entry) => entry.isFile() && isOwnSecret(entry.name)).map(({ name }) => name),
);

/** How far a command has to reach to write this path of its workspace, as far as its name tells. */
export function widthToWrite(below: string): "workspace" | "workspace and git" | "outside" {
  const [, inGit] = /(?:^|\/)\.git(?:\/(.*))?$/.exec(below) ?? [];
  const isAt = (name: string, path: string) => path === name || path.startsWith(`${name}/`);
  if (/(?:^|\/)\.git(?:\/|$)/.test(below))
    return commandsOfGit.some((part) => isAt(part, inGit ?? "")) ? "outside" : "workspace and git";
  const parts = below.split("/");
  const [top = "", next = ""] = parts;
  const isObeyed = parts.some((part, at) => isObeyedAnywhere(part, parts[at - 1]));
  const isSteering = steers(top) || findProtectedBelow(top, next) !== undefined || isObeyed;
  return isSteering ? "outside" : "workspace";
}
