/** Runs git for this app itself: whatever a repository's settings say, no other program runs and nothing is fetched. */
import { type ExecFileException, execFile } from "node:child_process";
import { devNull } from "node:os";
import { delimiter } from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import { executionMarker, inheritedEnvironment } from "../shell/environment.ts";
import { fileOfProgram, findProgram, wholeFolders } from "../shell/find-program.ts";

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
  input?: string | Uint8Array;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** A name under which a git that outlived the app is found. */
  mark?: string;
  /** What else holds, whatever the repository says. */
  settings?: readonly Setting[];
  /** What git prints is bytes: each is one character of `out`. */
  bytes?: boolean;
};

type Setting = readonly [name: string, value: string];

const mostBytes = 64 * 1024 * 1024;
const patienceMs = 60_000;

/** Of the settings that start a program, or change what is read, those that are given here win over any file's. */
const always: readonly Setting[] = [
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.alternateRefsCommand", ""],
  ["submodule.recurse", "false"],
  ["protocol.allow", "never"],
  // It says of commits what they do not say themselves, and nothing of it is compared with them.
  ["core.commitGraph", "false"],
  // Names that another disk takes for git's own folder are no names of files.
  ["core.protectNTFS", "true"],
  ["core.protectHFS", "true"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["i18n.commitEncoding", "UTF-8"],
  ["core.quotePath", "false"],
  ["log.showSignature", "false"],
  ["advice.detachedHead", "false"],
  // Said of the file without grafts as well, it would stand where the reason of a failure does.
  ["advice.graftFileDeprecated", "false"],
];

/** What is set of each name that a repository makes up, so that no program of that name runs. */
const off: Readonly<Record<"filter" | "hook" | "merge", readonly Setting[]>> = {
  filter: [
    ["smudge", ""],
    ["clean", ""],
    ["process", ""],
    ["required", "false"],
  ],
  hook: [["enabled", "false"]],
  // The shell's own word: what a program of the repository would have merged is a conflict.
  merge: [["driver", "false"]],
};

/**
 * It is started by its whole path. Of a bare name Windows takes what lies in the folder that is asked about first, and so does every
 * system where PATH has an entry that is empty or begins nowhere.
 */
const gitName = fileOfProgram("git");

/** @returns the variables of git's world: none of the person's own that lead elsewhere. */
function environmentOf({ gitDir, commonDir, workTree, index }: GitPlace): Record<string, string> {
  return {
    ...inheritedEnvironment({ source: process.env, allow: [] }),
    PATH: wholeFolders(process.env.PATH ?? "").join(delimiter),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // A commit has the parents that it names, and no others.
    GIT_GRAFT_FILE: devNull,
    // None, whatever a setting says of one by its name.
    GIT_ALLOW_PROTOCOL: "",
    ...(gitDir && { GIT_DIR: gitDir }),
    ...(commonDir && { GIT_COMMON_DIR: commonDir }),
    ...(workTree && { GIT_WORK_TREE: workTree }),
    ...(index && { GIT_INDEX_FILE: index }),
  };
}

/** As variables: in an argument a name with `=` in it would be taken for another one. */
function variablesOf(settings: readonly Setting[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: `${settings.length}` };
  for (const [at, [name, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = name;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}

function whyOf({ killed, message }: ExecFileException, complaint: string, timeoutMs: number): string {
  const held = `it did not end within ${timeoutMs / 1000} seconds; a pipe in the place of a file may hold it up`;
  return killed ? held : complaint.trim() || message;
}

function start(
  place: GitPlace,
  args: readonly string[],
  settings: readonly Setting[],
  { input, timeoutMs = patienceMs, signal, mark, bytes }: GitOptions,
): Promise<GitAnswer> {
  const program = findProgram(gitName, process.env.PATH ?? "");
  if (program === undefined) return Promise.resolve({ ok: false, out: "", why: "git was not found in PATH" });
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      {
        cwd: place.cwd,
        env: { ...environmentOf(place), ...variablesOf(settings), ...(mark && { [executionMarker]: mark }) },
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        maxBuffer: mostBytes,
        encoding: bytes ? "latin1" : "utf8",
        signal,
        windowsHide: true,
      },
      (error, out, complaint) =>
        resolve({ ok: error === null, out, why: error === null ? "" : whyOf(error, complaint, timeoutMs) }),
    );
    // Git that ended early does not read on.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });
}

/** More settings than a program can be given are an answer too. */
const run = (...call: Parameters<typeof start>): Promise<GitAnswer> =>
  start(...call).catch((error: unknown) => ({ ok: false, out: "", why: messageOf(error) }));

/** What takes the programs away that the settings name for contents, merges and hooks, whatever they call them. */
function withoutPrograms(names: string): Setting[] {
  const found = new Set(
    names.split("\0").flatMap((key) => /^((?:filter|hook|merge)\..*)\.[^.]+$/is.exec(key)?.[1] ?? []),
  );
  return [...found].flatMap((name) =>
    off[name.slice(0, name.indexOf(".")) as keyof typeof off].map(
      ([key, value]): Setting => [`${name}.${key}`, value],
    ),
  );
}

/** What only reads objects, refs or an index as they are stored, or stores an object as it is given: no filter, merge or hook. */
const reading = new Set(
  "cat-file check-attr commit-tree diff-tree for-each-ref ls-files merge-base remote rev-list rev-parse symbolic-ref var".split(
    " ",
  ),
);
/** With these contents pass programs, or refs are written. */
const notReading = new Set(["--filters", "--textconv", "-p", "--patch", "-m", "-d", "--delete"]);

function onlyReads([name = "", ...rest]: readonly string[]): boolean {
  if (name === "commit-tree") return true;
  return reading.has(name) && !rest.some((each) => notReading.has(each));
}

/**
 * The border to git. Which programs the settings name is asked in the same place each time that one could run, since settings
 * can depend on the place; where that is not known nothing is asked.
 */
export const safeGit: SafeGit = async (place, args, options = {}) => {
  const { settings = [], timeoutMs, signal, mark } = options;
  if (onlyReads(args)) return run(place, args, [...always, ...settings], options);
  const listing = ["config", "--null", "--name-only", "--list"];
  const named = await run(place, listing, always, { timeoutMs, signal, mark });
  if (!named.ok) return { ...named, out: "" };
  // Of a name that is no text nothing could be taken away.
  if (named.out.includes("\uFFFD"))
    return { ok: false, out: "", why: "a setting has a name that is no text" };
  return run(place, args, [...always, ...settings, ...withoutPrograms(named.out)], options);
};

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
