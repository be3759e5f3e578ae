/** Runs git for this app itself: whatever a repository's settings say, no other program runs and nothing is fetched. */
import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { executionMarker, inheritedEnvironment } from "../shell/environment.ts";

/** Where a repository's parts are known to lie. With them git follows neither the file `.git` nor what else could be changed. */
export type GitPlace = {
  /** The folder in which git runs. */
  cwd: string;
  /** The work tree's own part of the store. */
  gitDir?: string;
  /** The store that all work trees share. */
  commonDir?: string;
  workTree?: string;
  /** An index other than the work tree's own. */
  index?: string;
};

type GitAnswer = { ok: boolean; out: string; why: string };

/** Asks git one thing. Never rejects: `why` says what git complained about. */
export type SafeGit = (place: GitPlace, args: readonly string[], options?: GitOptions) => Promise<GitAnswer>;

export type GitOptions = {
  /** What git reads. */
  input?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** A name under which a git that outlived the app is found. */
  mark?: string;
  /** Programs that the settings name for contents, such as those of large files, which are left out. */
  filters?: readonly string[];
};

const mostBytes = 64 * 1024 * 1024;
const patienceMs = 60_000;

/** Of the settings that start a program, or change what is read, those that are given here win over any file's. */
const settings: readonly string[] = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.alternateRefsCommand=",
  "submodule.recurse=false",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.quotePath=false",
  "log.showSignature=false",
  "advice.detachedHead=false",
];

/** @returns the variables of git's world: none of the person's own that lead elsewhere. */
function environmentOf({ gitDir, commonDir, workTree, index }: GitPlace): Record<string, string> {
  return {
    ...inheritedEnvironment({ source: process.env, allow: [] }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...(gitDir && { GIT_DIR: gitDir }),
    ...(commonDir && { GIT_COMMON_DIR: commonDir }),
    ...(workTree && { GIT_WORK_TREE: workTree }),
    ...(index && { GIT_INDEX_FILE: index }),
  };
}

/** The border to git. */
export const safeGit: SafeGit = (
  place,
  args,
  { input, timeoutMs = patienceMs, signal, mark, filters = [] } = {},
) =>
  new Promise((resolve) => {
    const given = [...settings, ...filters].flatMap((setting) => ["-c", setting]);
    const child = execFile(
      "git",
      [...given, ...args],
      {
        cwd: place.cwd,
        env: { ...environmentOf(place), ...(mark && { [executionMarker]: mark }) },
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        maxBuffer: mostBytes,
        signal,
        windowsHide: true,
      },
      (error, out, complaint) =>
        resolve({ ok: error === null, out, why: error === null ? "" : complaint.trim() || error.message }),
    );
    // Git that ended early does not read on.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });

/** Settings under which no filter of contents runs: what is stored is what is written, byte for byte. */
export async function withoutFilters(git: SafeGit, place: GitPlace): Promise<string[]> {
  const { out } = await git(place, ["config", "--null", "--name-only", "--get-regexp", "^filter\\."]);
  const names = new Set(out.split("\0").flatMap((key) => /^filter\.(.+)\.[a-z]+$/is.exec(key)?.[1] ?? []));
  return [...names].flatMap((name) => [
    `filter.${name}.smudge=`,
    `filter.${name}.clean=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

/** @throws Error in git's own words. */
export async function mustGit(
  git: SafeGit,
  place: GitPlace,
  args: readonly string[],
  options?: GitOptions,
): Promise<string> {
  const { ok, out, why } = await git(place, args, options);
  if (ok) return out;
  throw new Error(`Git said: ${why.slice(0, 500)}`);
}
