/** `threads home`: what a thread's worktree would bring home and the ways to, one file of it, and doing it. */
import { conflictSideSchema, homeWaySchema } from "../../shared/contract/home.ts";
import { counted } from "../../shared/counted.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { Client } from "../../shared/wire/client.ts";
import { withConsole } from "./console-client.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  type ConsoleOptions,
  consoleExitCodes,
  print,
} from "./console-options.ts";
import { describeConflict, describeFile, describePreview } from "./describe-home.ts";
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
