/** What can be put in at the caret, and what there asks for it: commands at once, files as the host finds them. */
import { useEffect } from "react";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { useReading } from "../../../base/use-reading.ts";
import { strings } from "../strings.ts";
import { loadOwnCommands, ownCommandsFor, useOwnCommands } from "./own-commands.ts";
import { commandsOf, type SlashCommand } from "./slash-commands.ts";

export type Suggestion =
  | { kind: "file"; key: string; path: string }
  | { kind: "command"; key: string; command: SlashCommand }
  | { kind: "own"; key: string; command: MessageCommand };

type Found = {
  suggestions: readonly Suggestion[];
  busy: boolean;
  secrets?: number;
  problem?: string;
  /** How many commands there are that are not offered. */
  notOffered?: number;
};

const askAfterMs = 60;
const mostFiles = 12;
const nothing: Found = { suggestions: [], busy: false };

export function useSuggestions(threadId: ThreadId, trigger: Trigger | undefined): Found {
  const fileQuery = trigger?.kind === "file" ? trigger.query : undefined;
  const files = useFiles(threadId, fileQuery);
  const isCommand = trigger?.kind === "command";
  useEffect(() => {
    if (isCommand) void loadOwnCommands(threadId);
  }, [threadId, isCommand]);
  const { notOffered, problem } = useOwnCommands();
  if (isCommand)
    return {
      suggestions: commandsFor(threadId, trigger.query),
      busy: false,
      notOffered,
      ...(problem && { problem: `${strings.ownFailed} ${problem}` }),
    };
  return trigger ? files : nothing;
}

function commandsFor(threadId: ThreadId, query: string): Suggestion[] {
  const thread = useThreads.getState().byId.get(threadId);
  if (!thread) return [];
  const builtIn = commandsOf(thread);
  const names = new Set(builtIn.map(({ name }) => name));
  return [
    ...builtIn
      .filter(({ name }) => name.startsWith(query.toLowerCase()))
      .map((command) => ({ kind: "command" as const, key: command.name, command })),
    // The console's own come first, and none other can take the name of one.
    ...ownCommandsFor(threadId, query)
      .filter(({ name }) => !names.has(name))
      .map((command) => ({ kind: "own" as const, key: `own ${command.name}`, command })),
  ];
}

/** The last files stay while newer ones are looked for, so that the list does not flicker. */
function useFiles(threadId: ThreadId, query: string | undefined): Found {
  const { value, problem, busy } = useReading(
    query === undefined ? undefined : `${threadId}:${query}`,
    () => client().call("files.search", { threadId, query: query ?? "", limit: mostFiles }),
    askAfterMs,
  );
  const paths = value?.paths ?? [];
  const suggestions = paths.map((path) => ({ kind: "file" as const, key: path, path }));
  return { suggestions, busy, secrets: value?.secrets, problem };
}

type Trigger = {
  kind: "file" | "command";
  /** What was typed behind the sign. */
  query: string;
  /** Where the sign stands, and where the typed part ends. */
  from: number;
  to: number;
};

/** `/` counts at the very start of the message only, `@` after a space or a bracket; a mail address is no mention. */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const mention = /(?:^|[\s("'[])@([^\s@]{0,200})$/.exec(before);
  if (!mention) return undefined;
  const query = mention[1] ?? "";
  return { kind: "file", query, from: caret - query.length - 1, to: caret };
}
