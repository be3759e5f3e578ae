/** `threads undo`: what undo would do from a message or a call on, and doing it. */
import type { Output } from "../../shared/contract/contract.ts";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import { counted } from "../../shared/counted.ts";
import { executionIdSchema, type ThreadId, turnIdSchema } from "../../shared/ids.ts";
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

export const undoOptions = ["from", "bring-back", "files", "conversation", "both", "yes", "digest"] as const;

const listedItems = 200;

type Preview = Output<"undo.preview">;
type Done = Output<"undo.carryOut">;

/** Without `--yes` or a digest nothing moves. @throws UsageError, ContractError */
export function undo(options: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const { words, values, dataDir, json } = options;
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  return withConsole(dataDir, async (client) => {
    const undoId = values["bring-back"];
    if (undoId !== undefined) {
      const done = await client.call("undo.reverse", { threadId, id: undoId });
      print(io, json, done, `Back again: ${amountOf(done)}.`);
    } else if (values.from === undefined) await listMessages(client, threadId, options, io);
    else await takeBack(client, threadId, values.from, options, io);
    return consoleExitCodes.done;
  });
}

async function listMessages(
  client: Client,
  threadId: ThreadId,
  { json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<void> {
  const { items } = await client.call("threads.page", { threadId, limit: listedItems });
  const messages = items.flatMap((item) =>
    item.kind === "userMessage" && !item.takenBack && !item.queued && !item.cancelled
      ? [{ id: item.id, text: item.text }]
      : [],
  );
  const lines = messages.map(({ id, text }) => `${id}  ${visibleText(text.split("\n")[0] ?? "")}`);
  print(io, json, { messages }, lines.length === 0 ? "There are no messages to begin at." : lines.join("\n"));
}

async function takeBack(
  client: Client,
  threadId: ThreadId,
  itemId: string,
  { flags, values, json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<void> {
  if ([flags.files, flags.conversation, flags.both].filter(Boolean).length > 1)
    throw new UsageError("Give one of --files, --conversation and --both.");
  const place = placeOf(threadId, await client.call("threads.item", { threadId, itemId }));
  const preview = await client.call("undo.preview", place);
  // From a call on the conversation goes back further than the files, so that has to be asked for.
  const isCall = "executionId" in place;
  const part = flags.conversation
    ? "conversation"
    : flags.files || (isCall && !flags.both)
      ? "files"
      : "both";
  const digest = values.digest ?? (flags.yes ? preview.digest : undefined);
  if (digest === undefined) return print(io, json, { part, ...preview }, describe(preview, part));
  const done = await client.call("undo.carryOut", { ...place, part, digest });
  print(io, json, done, `Undone: ${amountOf(done)}.`);
}

/** From a message the whole turn, from a call what it and all after it did to files, and of the turn what the agent knows. */
function placeOf(threadId: ThreadId, item: TranscriptItem) {
  const executionId = item.kind === "toolCall" ? item.receipt?.executionId : undefined;
  if (item.kind !== "userMessage" && executionId === undefined)
    throw new UsageError("Begin at a message of yours, or at a call that ran.");
  return {
    threadId,
    turnId: turnIdSchema.parse(item.turnId),
    ...(executionId && { executionId: executionIdSchema.parse(executionId) }),
  };
}

function describe(preview: Preview, part: "both" | "files" | "conversation"): string {
  const { back, backCount, stays, staysCount, partlyKnown, conversation, digest } = preview;
  const more = (count: number) => (count > 0 ? [`  and ${count} more`] : []);
  const files = [
    `Files that are undone: ${backCount}`,
    ...back.map(({ path, how }) => `  ${visibleText(path)}  ${how}`),
    ...more(backCount - back.length),
    ...(staysCount > 0 ? [`Files that stay as they are: ${staysCount}`] : []),
    ...stays.map(({ path, why }) => `  ${visibleText(path)}  ${why}`),
    ...more(staysCount - stays.length),
    ...(partlyKnown > 0 ? [`Calls that may have changed more: ${partlyKnown}`] : []),
    "Not listed, and not undone: what commands did in folders that git ignores, to git's commits and branches, and outside.",
  ];
  const talk =
    "messages" in conversation
      ? `Messages that the agent forgets: ${conversation.messages}`
      : `The conversation stays: ${conversation.why}`;
  return [
    ...(part === "conversation" ? [] : files),
    ...(part === "files" ? [] : [talk]),
    `Nothing has moved. To undo exactly this: --digest ${digest}`,
  ].join("\n");
}

function amountOf({ messages, files }: Done): string {
  return `${counted(messages, "message")} and ${counted(files, "file")}`;
}
