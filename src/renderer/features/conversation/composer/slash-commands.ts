/** The commands of the message field: short ways to what the thread's menus and switches do. */

import { providerIdSchema } from "../../../../shared/contract/models.ts";
import type { Abilities, ThreadSummary } from "../../../../shared/contract/threads.ts";
import { messageIdSchema } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { common } from "../../../base/common-strings.ts";
import { toggleSide } from "../../../base/stores/side-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { attempt } from "../../../ui/attempt.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { askAutoApprove } from "../../threads/auto-approve.ts";
import { createThread } from "../../threads/create-thread.ts";
import { forkThread, resumeThread, stopThread } from "../../threads/thread-commands.ts";
import { useThreadDialogs } from "../../threads/thread-dialogs.tsx";
import { strings } from "../strings.ts";
import type { TranscriptStore } from "../transcript/transcript-store.ts";
import { useAgents, useChangedThread } from "./agents-store.ts";

type CommandInput = { thread: ThreadSummary; rest: string; transcript: TranscriptStore };

export type SlashCommand = {
  name: string;
  hint: string;
  /** Choosing it leaves it in the field, so that the person can write on. */
  takesText?: boolean;
  /** What the thread's agent must be able to do for it. */
  needs?: keyof Abilities;
  run: (input: CommandInput) => void;
};

const hints = strings.commands;

const slashCommands: readonly SlashCommand[] = [
  { name: "stop", hint: hints.stop, run: ({ thread }) => void stopThread(thread.id) },
  { name: "resume", hint: hints.resume, needs: "resume", run: ({ thread }) => void resumeThread(thread.id) },
  { name: "fork", hint: hints.fork, needs: "fork", run: forkBeforeLast },
  { name: "rename", hint: hints.rename, takesText: true, run: rename },
  { name: "model", hint: hints.model, takesText: true, needs: "chooseModel", run: setModel },
  { name: "agent", hint: hints.agent, takesText: true, needs: "chooseAgent", run: setAgent },
  { name: "auto-approve", hint: hints.autoApprove, run: ({ thread }) => void askAutoApprove(thread.id) },
  { name: "side", hint: hints.side, run: toggleSide },
  { name: "new", hint: hints.new, run: () => void createThread() },
];

/** Those that the thread's agent has a use for. */
export function commandsOf({ can }: Pick<ThreadSummary, "can">): readonly SlashCommand[] {
  return slashCommands.filter(({ needs }) => needs === undefined || can[needs]);
}

/**
 * Runs a message that is a command, such as `/rename Shop`.
 * @returns `message` when the text is no command at all, such as one that begins with the path `/tmp/a`;
 *   `unknown` when it looks like one that does not exist, which the person was told.
 */
export function runSlashCommand(
  text: string,
  thread: ThreadSummary,
  transcript: TranscriptStore,
): "ran" | "unknown" | "message" {
  const [, name, rest = ""] = /^\/([a-z-]+)(?:[ \t]+(.*))?$/.exec(text.trim()) ?? [];
  if (!name) return "message";
  const command = commandsOf(thread).find((one) => one.name === name);
  if (!command) {
    showProblem(common.failed, strings.unknownCommand(`/${name}`));
    return "unknown";
  }
  command.run({ thread, rest: rest.trim(), transcript });
  return "ran";
}

function forkBeforeLast({ thread, transcript }: CommandInput): void {
  const { order, items } = transcript.getState();
  const lastId = order.findLast((id) => {
    const item = items.get(id);
    return item?.kind === "userMessage" && !item.queued && !item.cancelled;
  });
  const last = items.get(lastId ?? "");
  if (last?.kind !== "userMessage") showProblem(common.failed, strings.nothingToFork);
  else void forkThread(thread.id, messageIdSchema.parse(last.id), { draft: last.text });
}

function rename({ thread, rest }: CommandInput): void {
  if (rest)
    void attempt(() => client().call("threads.rename", { threadId: thread.id, title: rest.slice(0, 200) }));
  else useThreadDialogs.setState({ rename: thread.id });
}

/** `/model provider/id`, or `/model id` with the provider the thread has now; alone it opens the choice. */
function setModel({ thread, rest }: CommandInput): void {
  if (!rest) {
    choosePartner();
    return;
  }
  const [first = "", ...others] = rest.split("/");
  const provider = providerIdSchema.safeParse(first);
  const named = provider.success && others.length > 0;
  if (!named && thread.model.provider === "demo") {
    showProblem(common.failed, strings.noModel);
    return;
  }
  const model = named
    ? { provider: provider.data, model: others.join("/") }
    : { ...thread.model, model: rest };
  void attempt(() => client().call("threads.setModel", { threadId: thread.id, model })).then((done) => {
    if (!done) return;
    useThreads.getState().change([{ ...thread, model }], []);
    useChangedThread.setState({ threadId: thread.id });
  });
}

/** `/agent name or id`; alone it opens the choice. */
function setAgent({ thread, rest }: CommandInput): void {
  if (!rest) {
    choosePartner();
    return;
  }
  const agents = useAgents.getState().agents ?? [];
  const agent = agents.find(({ id, name }) => [id, name.toLowerCase()].includes(rest.toLowerCase()));
  if (!agent) showProblem(common.failed, strings.noAgent(rest));
  else
    void attempt(() => client().call("threads.setAgent", { threadId: thread.id, agentId: agent.id })).then(
      (done) => done && useChangedThread.setState({ threadId: thread.id }),
    );
}

function choosePartner(): void {
  document.querySelector<HTMLElement>("[data-partner-select]")?.click();
}
