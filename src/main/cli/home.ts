/** `threads home`: what a thread's worktree would bring home and the ways to, one file of it, and doing it. */
import type { Output } from "../../shared/contract/contract.ts";
import { conflictSideSchema, homeWaySchema } from "../../shared/contract/home.ts";
import { counted } from "../../shared/counted.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { Client } from "../../shared/wire/client.ts";
import { visibleText } from "../base/visible-text.ts";
import { withConsole } from "./console-client.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  type ConsoleOptions,
  consoleExitCodes,
  print,
} from "./console-options.ts";
import { UsageError } from "./usage-error.ts";

export const homeOptions = [
  "way",
  "file",
  "put-back",
  "conflict",
  "take",
  "digest",
  "message",
  "yes",
  "undo",
] as const;

/** Without `--yes` or a digest nothing moves. @throws UsageError, ContractError */
export function bringHome(options: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const { words, values, dataDir, json } = options;
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  return withConsole(dataDir, async (client) => {
    if (values.undo !== undefined) {
      const done = await client.call("undo.reverse", { threadId, id: values.undo });
      print(io, json, done, `As before again: ${counted(done.files, "file")}.`);
    } else if (values.conflict !== undefined) {
      const shown = await client.call("home.conflict", { threadId, path: values.conflict });
      print(io, json, shown, describeConflict(shown));
    } else if (values.file !== undefined) await showFile(client, threadId, values.file, options, io);
    else await bring(client, threadId, options, io);
    return consoleExitCodes.done;
  });
}

/** Shows the changes of one file, or puts it, or one of them, back in the worktree. */
async function showFile(
  client: Client,
  threadId: ThreadId,
  path: string,
  { values, flags, json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<void> {
  const part = values["put-back"];
  const hunk = part === undefined || part === "all" ? undefined : readNumber(part);
  const shown = await client.call("home.file", { threadId, path });
  const version = values.digest ?? (flags.yes ? shown.version : undefined);
  if (part === undefined || version === undefined) {
    if (part === undefined && version !== undefined)
      throw new UsageError("Say what is put back with --put-back.");
    return print(io, json, shown, describeFile(shown));
  }
  const done = await client.call("home.putBack", { threadId, path, version, hunk });
  print(io, json, done, `Put back: ${counted(done.files, "file")}. To undo it: --undo ${done.id}`);
}

/** As they are numbered where they are shown, from 1. */
function readNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--put-back is all, or the number of one change.");
  return Number(text) - 1;
}

async function bring(
  client: Client,
  threadId: ThreadId,
  { flags, values, takes, json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<void> {
  const way = values.way === undefined ? undefined : readWay(values.way);
  const answers = takes.map(readAnswer);
  const preview = await client.call("home.preview", { threadId, answers });
  const digest = values.digest ?? (flags.yes ? preview.digest : undefined);
  if (way === undefined || digest === undefined) {
    if (way === undefined && digest !== undefined) throw new UsageError("Give the way with --way.");
    return print(io, json, preview, describePreview(preview));
  }
  const message = values.message ?? preview.message;
  const done = await client.call("home.bring", { threadId, way, digest, message, answers });
  print(io, json, done, `Done: ${counted(done.files, "file")}. To undo it: --undo ${done.id}`);
}

function readWay(text: string) {
  const way = homeWaySchema.safeParse(text);
  if (!way.success) throw new UsageError(`--way is one of ${homeWaySchema.options.join(", ")}.`);
  return way.data;
}

/** Whose version a file in conflict gets. */
function readAnswer(text: string) {
  const at = text.indexOf("=");
  const side = conflictSideSchema.safeParse(text.slice(0, at));
  const path = text.slice(at + 1);
  if (at < 0 || !side.success || path === "")
    throw new UsageError("--take is folder=PATH or thread=PATH, once for each file in conflict.");
  return { path, side: side.data };
}

type Preview = Output<"home.preview">;

/** What there is to bring home, and what each way would do or what stands against it. */
function describePreview(preview: Preview): string {
  const { branch, target, folder, ahead, behind, uncommitted, files, filesCount, ways, last } = preview;
  const side = (name: string | undefined) => visibleText(name ?? "no branch");
  const closed = (names: readonly string[], count: number) => [
    ...names.map((name) => `    ${visibleText(name)}`),
    ...(count > names.length ? [`    and ${count - names.length} more`] : []),
  ];
  return [
    `From ${side(branch)} to ${side(target)} in ${visibleText(folder)}: ${ahead} ahead, ${behind} behind, ${counted(uncommitted, "file")} not committed`,
    `Changes: ${counted(filesCount, "file")}`,
    ...files.map(describeChange),
    ...(filesCount > files.length ? [`  and ${filesCount - files.length} more`] : []),
    ...describeConflicts(preview.conflicts),
    "Ways:",
    ...homeWaySchema.options.flatMap((way) => {
      const state = ways[way];
      return "why" in state
        ? [`  ${way}: closed, ${state.why}`, ...closed(state.names, state.namesCount)]
        : [`  ${way}: ${counted(state.files, "file")} of the folder`];
    }),
    "What is committed here is not signed, and none of your git's hooks run.",
    ...("command" in preview.pullRequest
      ? [`Pull request: ${visibleText(preview.pullRequest.command)}`]
      : []),
    ...(last ? [`Brought home last (${last.way}); to undo it: --undo ${last.id}`] : []),
    `Nothing has moved. To do exactly this: --way WAY --digest ${preview.digest}`,
  ].join("\n");
}

function describeChange({ path, state, movedFrom, lines, modeChanged, committed }: Preview["files"][number]) {
  return [
    `  ${visibleText(path)}  ${state}`,
    ...(movedFrom === undefined ? [] : [`from ${visibleText(movedFrom)}`]),
    ...(lines ? [`+${lines.added} -${lines.removed}`] : []),
    ...(modeChanged ? ["permission or kind changed"] : []),
    ...(committed ? [] : ["not committed"]),
  ].join("  ");
}

function describeConflicts(conflicts: Preview["conflicts"]): string[] {
  if (conflicts.length === 0) return [];
  const isOpen = conflicts.some(({ answerable, answer }) => answerable && answer === undefined);
  return [
    `Conflicts: ${counted(conflicts.length, "file")}`,
    ...conflicts.map(({ path, answerable, answer }) => {
      const said = answer === undefined ? "no answer" : `the ${answer}'s version`;
      return `  ${visibleText(path)}  ${answerable ? said : "not to be answered here"}`;
    }),
    ...(isOpen
      ? ["  To answer: --take folder=PATH or --take thread=PATH for each; --conflict PATH shows both"]
      : []),
  ];
}

const linesOf = (mark: string, text: string): string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark}${visibleText(line)}`);

/** Its changes, each with the number by which it is put back. */
function describeFile({ why, hunks, version }: Output<"home.file">): string {
  const changes = hunks.flatMap(({ before, after, beforeLine, afterLine }, at) => [
    `@@ -${beforeLine} +${afterLine} @@ ${at + 1}`,
    ...linesOf("-", before),
    ...linesOf("+", after),
  ]);
  const said = why === undefined ? "The text is the same." : `No text is shown: ${why}.`;
  return [
    ...(changes.length === 0 ? [said] : changes),
    `Nothing has moved. To put it back in the worktree: --put-back ${changes.length === 0 ? "all" : "all|NUMBER"} --digest ${version}`,
  ].join("\n");
}

/** Both versions, whole. */
function describeConflict(shown: Output<"home.conflict">): string {
  if ("why" in shown) return `No text is shown: ${shown.why}.`;
  return [
    "The folder's version:",
    ...linesOf("  ", shown.folder),
    "The thread's version:",
    ...linesOf("  ", shown.thread),
  ].join("\n");
}
