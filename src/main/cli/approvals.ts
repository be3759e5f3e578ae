/** `approvals`: reads and answers the queue of a running console. */
import type { Input } from "../../shared/contract/contract.ts";
import type { Decision } from "../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { takeSnapshot, withConsole } from "./console-client.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  type ConsoleOptions,
  consoleExitCodes,
  print,
  readConsoleOptions,
  readJsonOption,
  telling,
} from "./console-options.ts";
import { describeRow, describeWhole } from "./describe-approval.ts";
import { noSuchCommand, UsageError } from "./usage-error.ts";

export const approvalsUsage = `Usage: npm run -s cli -- approvals COMMAND [--data-dir DIR] [--json]
  list                                    what waits, in the order it was asked
  show ID                                 all of one, with the digest that answers it
  approve ID --digest D [--hold-response]   with it, what the web brings back is asked about once more
  reject ID --digest D [--message TEXT]
  respond ID --digest D (--answer TEXT | --answer-json JSON)
  edit ID --digest D --args JSON
Exit codes: 0 done, 1 no console answered, 2 wrong usage, 3 not what was shown any more, or not allowed
`;

const readDecision: Readonly<
  Record<string, (values: ConsoleOptions["values"], flags: ConsoleOptions["flags"]) => Decision>
> = {
  approve: (_values, flags) => ({ type: "approve", ...(flags["hold-response"] && { holdResponse: true }) }),
  reject: ({ message }) => ({ type: "reject", ...(message !== undefined && { message }) }),
  respond(values) {
    const { answer, "answer-json": json } = values;
    if ((answer === undefined) === (json === undefined))
      throw new UsageError("Give the answer with --answer or with --answer-json.");
    return { type: "respond", answer: json === undefined ? answer : readJsonOption("answer-json", json) };
  },
  edit({ args }) {
    if (args === undefined) throw new UsageError("--args is missing.");
    const read = readJsonOption("args", args);
    if (typeof read !== "object" || read === null || Array.isArray(read))
      throw new UsageError("--args is an object of all arguments.");
    return { type: "edit", args: read as Record<string, unknown> };
  },
};

const optionsOf = {
  approve: ["digest", "hold-response"],
  reject: ["digest", "message"],
  respond: ["digest", "answer", "answer-json"],
  edit: ["digest", "args"],
} as const;

/** `approvals` and what follows it on the command line. A wrong use is told and is an exit code. */
export function runApprovals(argv: string[], io: ConsoleIo): Promise<ConsoleExitCode> {
  return telling(io, approvalsUsage, async () => {
    const [command, ...rest] = argv;
    if (command === "list") return list(readConsoleOptions(rest), io);
    if (command === "show") return show(readConsoleOptions(rest), io);
    if (command === undefined || !Object.hasOwn(optionsOf, command)) throw noSuchCommand(command);
    const options = readConsoleOptions(rest, optionsOf[command as keyof typeof optionsOf]);
    return decide(options, readDecision[command]!(options.values, options.flags), io);
  });
}

async function list({ words, dataDir, json }: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  if (words.length > 0) throw new UsageError("list takes no words.");
  const { approvals } = await withConsole(dataDir, takeSnapshot);
  approvals.sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
  const lines = approvals.length === 0 ? "Nothing waits for you." : approvals.map(describeRow).join("\n");
  print(io, json, { approvals }, lines);
  return consoleExitCodes.done;
}

async function show(options: ConsoleOptions, io: ConsoleIo): Promise<ConsoleExitCode> {
  const id = readId(options);
  const detail = await withConsole(options.dataDir, (client) => client.call("approvals.get", { id }));
  print(io, options.json, detail, describeWhole(detail));
  return consoleExitCodes.done;
}

async function decide(options: ConsoleOptions, decision: Decision, io: ConsoleIo): Promise<ConsoleExitCode> {
  const { digest } = options.values;
  if (!digest) throw new UsageError("--digest is missing; show says it.");
  const input: Input<"approvals.decide"> = {
    commandId: newCommandId(),
    items: [{ id: readId(options), digest }],
    decision,
  };
  const { outcomes } = await withConsole(options.dataDir, (client) => client.call("approvals.decide", input));
  const outcome = outcomes[0]!;
  if (outcome.ok) {
    print(io, options.json, outcome, `Recorded: ${decision.type}.`);
    return consoleExitCodes.done;
  }
  if (options.json) print(io, true, outcome, "");
  else io.stderr.write(`${outcome.reason}\n`);
  return consoleExitCodes.refused;
}

function readId({ words }: ConsoleOptions): ApprovalId {
  if (words.length !== 1) throw new UsageError("Give the id of one approval; list says it.");
  return words[0] as ApprovalId;
}
