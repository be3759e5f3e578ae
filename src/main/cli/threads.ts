/** `threads`: lists, messages, follows, stops, takes back and brings home the threads of a running console. */
import { resolve } from "node:path";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { visibleText } from "../base/visible-text.ts";
import { takeSnapshot, withConsole } from "./console-client.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  type ConsoleOptions,
  consoleExitCodes,
  print,
  readConsoleOptions,
  telling,
} from "./console-options.ts";
import { describeEvent } from "./for-terminals.ts";
import { bringHome, homeOptions } from "./home.ts";
import { undo, undoOptions } from "./undo.ts";
import { noSuchCommand, UsageError } from "./usage-error.ts";

export const threadsUsage = `Usage: npm run -s cli -- threads COMMAND [--data-dir DIR] [--json]
  list                 every thread with its state
  send ID -- TEXT      a message; while the agent is at work or waits, it stands in line
  follow ID            what happens from now on, until the turn ends or waits for nobody any more
  stop ID              ends its turn; what stands in line stays there
  import               the threads of the deepagents CLI on this computer
  import ID --workspace DIR
                       takes one over into a thread here; what waited there is asked when it is resumed
  resume ID            goes on with a turn that was cut off
  undo ID              your messages there, by whose id the next one begins
  undo ID --from MESSAGE|CALL [--files|--conversation|--both] [--yes|--digest D]
                       what would be undone from there on; with --yes, or the digest that was shown, it is undone:
                       both from a message, files from a call, whose conversation goes back to before the message
  undo ID --bring-back UNDO
                       brings back what was undone last
  home ID              what its worktree changed, and what each way to bring that home would do
  home ID --file PATH [--put-back all|NUMBER [--yes|--digest D]]
                       the changes of one of its files; with the number of one, or all, they are put back in the worktree
  home ID --conflict PATH
                       both versions of a file in conflict
  home ID --take folder=PATH --take thread=PATH …
                       whose version each file in conflict gets; the same with --way
  home ID --way merge|rebase|patch|keep [--message TEXT] [--yes|--digest D]
                       brings it home, as it is, or as it was shown with that digest
  home ID --undo DONE  undoes what was brought home last, or put back
Exit codes: 0 done, 1 no console answered, 2 wrong usage, 3 not allowed
`;

/** `threads` and what follows it on the command line. A wrong use is told and is an exit code. */
export function runThreads(argv: string[], io: ConsoleIo): Promise<ConsoleExitCode> {
  return telling(io, threadsUsage, () => {
    const [command, ...rest] = argv;
    // A name it had before, which scripts may hold.
    if (command === "undo" || command === "rewind") return undo(readConsoleOptions(rest, undoOptions), io);
    if (command === "home") return bringHome(readConsoleOptions(rest, homeOptions), io);
    if (command === "import") return takeOver(readConsoleOptions(rest, ["workspace"]), io);
    const options = readConsoleOptions(rest);
    if (command === "list") return list(options, io);
    if (command === "send") return send(options, io);
    if (command === "follow") return follow(options, io);
    if (command === "stop") return stop(options, io);
    if (command === "resume") return resume(options, io);
    throw noSuchCommand(command);
  });
}

async function list({ dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const { threads } = await withConsole(dataDir, takeSnapshot);
  threads.sort((a, b) => b.updatedAt - a.updatedAt);
  const lines = threads.map(
    ({ id, status, waiting, title }) =>
      `${id}  ${status.padEnd(11)}  ${waiting > 0 ? `${waiting} waiting  ` : ""}${visibleText(title)}`,
  );
  print(io, json, { threads }, lines.length === 0 ? "There are no threads." : lines.join("\n"));
  return consoleExitCodes.done;
}

async function send({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const [threadId, ...text] = words;
  if (!threadId || text.length === 0) throw new UsageError("Give the id of a thread and a text.");
  const commandId = newCommandId();
  const sent = await withConsole(dataDir, (client) =>
    client.call("threads.send", { commandId, threadId: threadId as ThreadId, text: text.join(" ") }),
  );
  print(io, json, sent, sent.queued ? "It stands in line." : "Sent.");
  return consoleExitCodes.done;
}

async function stop({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  await withConsole(dataDir, (client) => client.call("threads.stop", { threadId }));
  print(io, json, { threadId }, "Stopped.");
  return consoleExitCodes.done;
}

async function resume({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  await withConsole(dataDir, (client) =>
    client.call("threads.resume", { commandId: newCommandId(), threadId }),
  );
  print(io, json, { threadId }, "It goes on.");
  return consoleExitCodes.done;
}

/** Without an id the threads that there are. */
async function takeOver(
  { words, values, dataDir, json }: ConsoleOptions,
  io: ConsoleIo,
): Promise<ConsoleExitCode> {
  const [id, ...more] = words;
  if (more.length > 0 || (id === undefined) !== (values.workspace === undefined))
    throw new UsageError("Give the id of one thread and --workspace, or neither.");
  if (id === undefined || values.workspace === undefined) {
    const found = await withConsole(dataDir, (client) => client.call("deepagents.threads", {}));
    const lines = found.threads.map((one) =>
      `${visibleText(one.id)}  ${visibleText(one.updatedAt ?? "")}  ${visibleText(one.agent ?? "")}  ${one.waiting > 0 ? `${one.waiting} waiting  ` : ""}${visibleText(one.title ?? "")}  ${visibleText(one.folder ?? "")}`.trimEnd(),
    );
    print(io, json, found, lines.length === 0 ? "There are no threads." : lines.join("\n"));
    return consoleExitCodes.done;
  }
  const input = { id, workspace: resolve(values.workspace) };
  const thread = await withConsole(dataDir, (client) => client.call("deepagents.import", input));
  print(io, json, thread, `${thread.id}  ${visibleText(thread.title)}`);
  return consoleExitCodes.done;
}

function follow({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  if (words.length !== 1) throw new UsageError("Give the id of one thread.");
  const threadId = words[0] as ThreadId;
  return withConsole(dataDir, async (client) => {
    for await (const item of client.watch("threads.watch", { threadId, tail: 1 })) {
      if (item.kind === "page") io.stderr.write("Following. The thread goes on when this ends.\n");
      for (const { data, seq, at } of item.kind === "events" ? item.events : []) {
        const line = describeEvent(data);
        if (json || line) print(io, json, { seq, at, threadId, ...data }, line ?? "");
        if (data.type === "turn.finished") return consoleExitCodes.done;
      }
    }
    return consoleExitCodes.done;
  });
}
