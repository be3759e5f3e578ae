/** `servers`: the LangGraph servers that a running console knows, and threads that begin there. */
import { newCommandId } from "../base/command-id.ts";
import { visibleText } from "../base/visible-text.ts";
import { withConsole } from "./console-client.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  type ConsoleOptions,
  consoleExitCodes,
  print,
  readConsoleOptions,
  telling,
} from "./console-options.ts";
import { noSuchCommand, UsageError } from "./usage-error.ts";

export const serversUsage = `Usage: npm run -s cli -- servers COMMAND [--data-dir DIR] [--json]
  list                            every server and how it answers
  assistants SERVER               whom a thread can begin with there
  start SERVER ASSISTANT -- TEXT  a thread that begins there with this message
What waits there stands in the queue: approvals list. A thread of it takes messages: threads send, follow, stop.
Exit codes: 0 done, 1 no console answered, 2 wrong usage, 3 not allowed
`;

/** `servers` and what follows it on the command line. A wrong use is told and is an exit code. */
export function runServers(argv: string[], io: ConsoleIo): Promise<ConsoleExitCode> {
  return telling(io, serversUsage, async () => {
    const [command, ...rest] = argv;
    const options = readConsoleOptions(rest);
    if (command === "list") await list(options, io);
    else if (command === "assistants") await assistants(options, io);
    else if (command === "start") await start(options, io);
    else throw noSuchCommand(command);
    return consoleExitCodes.done;
  });
}

async function list({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<void> {
  if (words.length > 0) throw new UsageError("list takes no words.");
  const { servers, problems } = await withConsole(dataDir, (client) => client.call("remoteServers.list", {}));
  const lines = servers.map(
    ({ id, name, url, state: { kind, waiting, problem } }) =>
      `${id}  ${kind.padEnd(8)}  ${waiting} waiting  ${visibleText(name)}  ${visibleText(url)}${problem === undefined ? "" : `  ${visibleText(problem)}`}`,
  );
  print(io, json, { servers, problems }, lines.length === 0 ? "There are no servers." : lines.join("\n"));
}

async function assistants({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<void> {
  const [id, ...more] = words;
  if (id === undefined || more.length > 0) throw new UsageError("Give the id of one server; list says it.");
  const answer = await withConsole(dataDir, (client) => client.call("remoteServers.assistants", { id }));
  const lines = answer.assistants.map((one) => `${one.id}  ${visibleText(one.name || one.graph)}`);
  print(io, json, answer, lines.length === 0 ? "It names nobody." : lines.join("\n"));
}

async function start({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<void> {
  const [id, assistant, ...text] = words;
  if (id === undefined || assistant === undefined || text.length === 0)
    throw new UsageError("Give a server, an assistant and a text.");
  const input = { commandId: newCommandId(), id, assistant, text: text.join(" ") };
  const begun = await withConsole(dataDir, (client) => client.call("remoteServers.start", input));
  print(io, json, begun, begun.threadId);
}
