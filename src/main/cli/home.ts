/** `threads home`: what a thread's worktree would bring home and the ways to, one file of it, and doing it. */
import type { Output } from "../../shared/contract/contract.ts";
import { homeWaySchema } from "../../shared/contract/home.ts";
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

export const homeOptions = ["way", "file", "digest", "message", "yes", "undo"] as const;

type Preview = Output<"home.preview">;
type Shown = Output<"home.file">;

/** Without a way, and `--yes` or a digest, nothing moves. @throws UsageError, ContractError */
export function bringHome(options: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const { words, values, dataDir, json } = options;
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  return withConsole(dataDir, async (client) => {
    if (values.undo !== undefined) {
      const done = await client.call("undo.reverse", { threadId, id: values.undo });
      print(io, json, done, `As before again: ${counted(done.files, "file")}.`);
    } else if (values.file !== undefined) {
      const shown = await client.call("home.file", { threadId, path: values.file });
      print(io, json, shown, describeFile(shown));
    } else await bring(client, threadId, options, io);
    return consoleExitCodes.done;
  });
}

async function bring(
  client: Client,
  threadId: ThreadId,
  { flags, values, json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<void> {
  const way = values.way === undefined ? undefined : readWay(values.way);
  const preview = await client.call("home.preview", { threadId });
  const digest = values.digest ?? (flags.yes ? preview.digest : undefined);
  if (way === undefined || digest === undefined) {
    if (way === undefined && digest !== undefined) throw new UsageError("Give the way with --way.");
    return print(io, json, preview, describe(preview));
  }
  const message = values.message ?? preview.message;
  const done = await client.call("home.bring", { threadId, way, digest, message });
  print(io, json, done, `Done: ${counted(done.files, "file")}. To undo it: --undo ${done.id}`);
}

function readWay(text: string) {
  const way = homeWaySchema.safeParse(text);
  if (!way.success) throw new UsageError(`--way is one of ${homeWaySchema.options.join(", ")}.`);
  return way.data;
}

function describe(preview: Preview): string {
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
    "Ways:",
    ...homeWaySchema.options.flatMap((way) => {
      const state = ways[way];
      return "why" in state
        ? [`  ${way}: closed, ${state.why}`, ...closed(state.names, state.namesCount)]
        : [`  ${way}: ${counted(state.files, "file")} of the folder`];
    }),
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

function describeFile({ why, hunks }: Shown): string {
  if (why !== undefined) return `No text is shown: ${why}.`;
  if (hunks.length === 0) return "The text is the same.";
  const side = (mark: string, text: string) =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${mark}${visibleText(line)}`);
  return hunks
    .flatMap(({ before, after, beforeLine, afterLine }) => [
      `@@ -${beforeLine} +${afterLine} @@`,
      ...side("-", before),
      ...side("+", after),
    ])
    .join("\n");
}
