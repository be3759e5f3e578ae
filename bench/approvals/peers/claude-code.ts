/**
 * Claude Code's permissions without any rule, after its documentation (code.claude.com/docs: permissions, permission
 * modes), read in August 2026. Its auto mode asks a second model and cannot be replayed.
 */
import { basename } from "node:path";
import { kindOf } from "../../../src/shared/tools/tools.ts";
import { asks, runs, type Side } from "../side.ts";
import type { Call } from "../trace.ts";
import type { BenchWorkspace } from "../workspace.ts";
import { insideOf, type Part, partsOf } from "./command-parts.ts";

const basis = "re-implemented from its documentation";

/** The documentation names these as its set of reading commands, and says that there are more. */
const reading = new Set(
  "ls cat echo pwd head tail grep find wc which diff stat du cd sort sed file true".split(" "),
);
/** Forms of git that only read; the documentation does not list them. */
const readingGit = new Set("status log diff show blame ls-files rev-parse describe shortlog grep".split(" "));
/** A pattern may become one of their flags that write or run something. */
const mayWrite = new Set(["find", "sort", "sed", "git"]);
/** What the mode that accepts edits also runs, inside of the workspace. */
const filing = new Set("mkdir touch rm rmdir mv cp sed".split(" "));
const protectedFolders = [".git", ".vscode", ".idea", ".husky", ".claude"];
const protectedFiles = new Set(
  ".gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .ripgreprc .mcp.json .claude.json".split(
    " ",
  ),
);

/** @param acceptsEdits its mode in which edits of files inside of the workspace run unasked */
export function claudeCode(place: BenchWorkspace, acceptsEdits: boolean): Side {
  const mayWriteTo = (path: unknown) =>
    acceptsEdits && typeof path === "string" && isPlainFile(insideOf(path, place));

  function isFreeCommand(command: string): boolean {
    const parts = partsOf(command, place);
    if (parts === undefined) return false;
    const names = parts.map(({ words }) => basename(words[0]!));
    if (names.includes("cd") && names.includes("git")) return false;
    return parts.every((part) => part.writes.every(mayWriteTo) && (isReading(part) || isFiling(part)));
  }

  function isFiling({ words }: Part): boolean {
    const [name, ...rest] = words;
    if (!acceptsEdits || !filing.has(name!)) return false;
    return rest.filter((word) => !word.startsWith("-")).every((word) => name === "sed" || mayWriteTo(word));
  }

  function isFree({ tool, args }: Call): boolean {
    const kind = kindOf(tool);
    if (kind === "command") return isFreeCommand(String(args.command));
    if (kind === "read") return insideOf(String(args.file_path ?? args.path ?? "."), place) !== undefined;
    if (kind === "change") return [args.file_path, args.new_path ?? args.file_path].every(mayWriteTo);
    return kind === "plan" || kind === "question" || kind === "delegate";
  }

  const mode = acceptsEdits ? "accepting edits" : "asking about edits";
  return {
    name: `Claude Code, ${mode}, no rules`,
    basis,
    judge: async (call) => (isFree(call) ? runs : asks(call)),
  };
}

function isReading({ words, hasPattern }: Part): boolean {
  const [name, ...rest] = words;
  const program = basename(name!);
  if (hasPattern && mayWrite.has(program)) return false;
  if (program === "git") return readingGit.has(rest[0] ?? "") && !rest.some((word) => /^--output/.test(word));
  if (program === "find") return !rest.some((word) => /^-(?:delete|exec|ok|fprint|fls)/.test(word));
  if (program === "sed") return rest.every((word) => !/^-[a-z]*i|^--in-place/.test(word));
  if (program === "sort") return rest.every((word) => !/^-[a-z]*o|^--(?:out|compress)/.test(word));
  return reading.has(program);
}

function isPlainFile(path: string | undefined): boolean {
  if (path === undefined || path === "") return false;
  const names = path.split("/");
  return !names.some((name) => protectedFolders.includes(name)) && !protectedFiles.has(basename(path));
}
