/** The commands that a folder, its skills and the person's own home bring: read when a message begins with `/`, and put into the field as their text. */
import { create } from "zustand";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import type { Output } from "../../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { pastedOf, setDraft, setPasted } from "../../../base/stores/drafts-store.ts";
import { describeError } from "../../../base/words.ts";
import { isLong, markerOf, nameFor } from "./long-text.ts";

type Read = Output<"agents.commands"> & { threadId?: ThreadId; problem?: string };

const nothing: Read = { commands: [], notOffered: 0 };

/** Of the thread that asked last. */
export const useOwnCommands = create<Read>(() => nothing);

/** Never throws: what went wrong stands in the store's `problem`. */
export async function loadOwnCommands(threadId: ThreadId): Promise<void> {
  if (useOwnCommands.getState().threadId !== threadId) useOwnCommands.setState(nothing, true);
  try {
    useOwnCommands.setState({ threadId, ...(await client().call("agents.commands", { threadId })) }, true);
  } catch (error) {
    useOwnCommands.setState({ ...nothing, threadId, problem: describeError(error) }, true);
  }
}

/** Those whose name or purpose holds what was typed, and those whose name begins with it first. */
export function ownCommandsFor(threadId: ThreadId, query: string): readonly MessageCommand[] {
  const read = useOwnCommands.getState();
  const words = query.toLowerCase();
  const beginsSo = ({ name }: MessageCommand) => name.toLowerCase().startsWith(words);
  const found = (read.threadId === threadId ? read.commands : []).filter(
    (one) => beginsSo(one) || `${one.name} ${one.about}`.toLowerCase().includes(words),
  );
  return [...found.filter(beginsSo), ...found.filter((one) => !beginsSo(one))];
}

/** The command that a whole message names, with what stands behind its name. */
export function findOwnCommand(
  threadId: ThreadId,
  message: string,
): { command: MessageCommand; rest: string } | undefined {
  const { threadId: of, commands } = useOwnCommands.getState();
  const [, name, rest = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
  const command = of === threadId ? commands.find((one) => one.name === name) : undefined;
  return command && { command, rest };
}

const placeOfWords = "$ARGUMENTS";

/** Whether it says where further words go, so that it waits for them. */
export function takesWords({ name, text }: MessageCommand): boolean {
  return text.includes(placeOfWords) && !/\s/.test(name);
}

/**
 * Puts the text in place of the whole message, to be looked at and changed before it is sent; a long one as a chip.
 * @param rest the words behind the name.
 */
export function putOwnCommand(threadId: ThreadId, { name, text }: MessageCommand, rest: string): void {
  const words = text.includes(placeOfWords)
    ? text.replaceAll(placeOfWords, () => rest)
    : [text, rest].filter(Boolean).join("\n\n");
  // What begins like a command would be taken for one instead of being sent.
  if (!isLong(words) && !words.startsWith("/")) {
    setDraft(threadId, words);
    return;
  }
  const held = { name: nameFor(`/${name}`, pastedOf(threadId)), text: words };
  setPasted(threadId, [held]);
  setDraft(threadId, markerOf(held));
}
