/** Unattended mode: one task, no window, nobody to ask; rules and options decide, and everything is in the ledger. */
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import packageJson from "../../../package.json" with { type: "json" };
import type { CommandShell, ShellKind } from "../../shared/command-shell.ts";
import { settingsSchema } from "../../shared/contract/console.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { type ModelRef, namedModelSchema, providerIdSchema } from "../../shared/contract/models.ts";
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import { messageOf } from "../../shared/message-of.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { type Client, createClient } from "../../shared/wire/client.ts";
import { connectInProcess } from "../../shared/wire/in-process.ts";
import { newCommandId } from "../base/command-id.ts";
import { asciiJson } from "../base/parse-json.ts";
import { dataDirOf, readOptions as read } from "../base/read-options.ts";
import { shellWord } from "../base/shell-word.ts";
import { createHost } from "../host/create-host.ts";
import { demoModel } from "../models/model-store.ts";
import { checkRule, parseCommandRule } from "../policy/command-rule.ts";
import type { SandboxMode } from "../sandbox/sandbox.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";
import { StorageError } from "../storage/storage-error.ts";
import { describeEvent } from "./for-terminals.ts";
import { UsageError } from "./usage-error.ts";

/** What the process ends with. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, parked: 4, interrupted: 130 } as const;

export const runUsage = `Usage: npm run -s cli -- run --workspace DIR --model M [options] -- "task"
  --workspace DIR            the folder to work in
  --model M                  demo, or PROVIDER:MODEL with anthropic, openai, google, ollama or openai-compatible
  --base-url URL             the model server's address; a bare M then is an openai-compatible model
  --shell-allow-list LIST    comma-separated commands that may run, such as "npm test,ls"; none without it
  --allow-writes             files of the workspace may be changed
  --sandbox auto|require|off confine commands where that can be relied on (auto, the default), run none without, or never
  --park                     what needs a person waits in the queue of the data directory
  --data-dir DIR             where the thread and the ledger live
  --json                     one JSON event a line
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused something, 4 parked, 130 interrupted
`;

type Io = { stdout: Writable; stderr: Writable };
type Options = {
  workspace: string;
  model: ModelRef;
  task: string;
  commandShell: CommandShell;
  shellAllowList: string[][];
  allowWrites: boolean;
  sandbox: SandboxMode;
  park: boolean;
  dataDir: string;
  json: boolean;
};

/** @returns one of `exitCodes`. Keys come from the data directory or the providers' usual environment variables. */
export async function runUnattended(argv: string[], io: Io): Promise<number> {
  try {
    return await runTask(readOptions(argv), io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message}\n${runUsage}`);
      return exitCodes.usage;
    }
    if (error instanceof StorageError || error instanceof ContractError) {
      io.stderr.write(`${error.message}\n`);
      return exitCodes.failed;
    }
    throw error;
  }
}

function readOptions(argv: string[]): Options {
  const { values, positionals } = parse(argv);
  const task = positionals.join(" ").trim();
  if (!values.workspace) throw new UsageError("--workspace is missing.");
  if (!values.model) throw new UsageError("--model is missing.");
  if (task === "") throw new UsageError("The task is missing. Give it after --.");
  const commandShell = findCommandShell(process.platform, process.env);
  return {
    workspace: resolve(values.workspace),
    model: readModel(values.model, values["base-url"]),
    task,
    commandShell,
    shellAllowList: readAllowList(values["shell-allow-list"], commandShell.kind),
    allowWrites: values["allow-writes"],
    sandbox: readSandbox(values.sandbox),
    park: values.park,
    dataDir: dataDirOf(values["data-dir"]),
    json: values.json,
  };
}

function parse(argv: string[]) {
  try {
    return read({
      args: argv,
      allowPositionals: true,
      options: {
        workspace: { type: "string" },
        model: { type: "string" },
        "base-url": { type: "string" },
        "shell-allow-list": { type: "string" },
        "allow-writes": { type: "boolean", default: false },
        sandbox: { type: "string", default: "auto" },
        park: { type: "boolean", default: false },
        "data-dir": { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function readModel(text: string, baseUrl: string | undefined): ModelRef {
  if (text === "demo") return demoModel;
  const colon = text.indexOf(":");
  const provider = providerIdSchema.safeParse(colon < 0 ? undefined : text.slice(0, colon));
  if (provider.success) return checkModel({ provider: provider.data, model: text.slice(colon + 1), baseUrl });
  if (baseUrl) return checkModel({ provider: "openai-compatible", model: text, baseUrl });
  throw new UsageError(`--model ${text} names no provider. Write PROVIDER:${text}, or give --base-url.`);
}

function checkModel(model: ModelRef): ModelRef {
  const checked = namedModelSchema.safeParse(model);
  if (checked.success) return checked.data;
  const isAddress = checked.error.issues.some(({ path }) => path[0] === "baseUrl");
  throw new UsageError(
    isAddress
      ? "--base-url is no address of a server. It begins with http:// or https://, without a name and password in it."
      : "--model names no model, or one with more than 200 characters.",
  );
}

function readSandbox(text: string): SandboxMode {
  const mode = settingsSchema.shape.sandbox.safeParse(text);
  if (mode.success) return mode.data;
  throw new UsageError(`--sandbox is auto, require or off, and not ${text}.`);
}

/** An entry that no rule could be made of, such as an interpreter, is refused here rather than at the first command. */
function readAllowList(list: string | undefined, shell: ShellKind): string[][] {
  const entries = (list ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.map((entry) => {
    const parsed = parseCommandRule(entry, shell);
    if ("problem" in parsed) throw new UsageError(`--shell-allow-list: ${entry}: ${parsed.problem}`);
    const problem = checkRule({ tokens: parsed.tokens, effect: "allow" }, shell);
    if (problem) throw new UsageError(`--shell-allow-list: ${entry}: ${problem}`);
    return parsed.tokens;
  });
}

async function runTask(options: Options, io: Io): Promise<number> {
  const { dataDir, workspace, park, allowWrites, sandbox, commandShell, shellAllowList } = options;
  const host = await createHost({
    dataDir,
    mode: "browser",
    version: packageJson.version,
    workspace,
    commandShell,
    sandbox: { mode: sandbox },
    unattended: { park, allowWrites, shellAllowList },
  });
  for (const warning of host.info.warnings) io.stderr.write(`${warning}\n`);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  try {
    const [near, far] = connectInProcess();
    host.connect(far);
    return await follow(createClient(near), options, io, stop.signal);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    await host.close();
  }
}

async function follow(
  client: Client,
  { workspace, model, task, json, park, dataDir }: Options,
  io: Io,
  stop: AbortSignal,
): Promise<number> {
  const thread = await client.call("threads.create", { commandId: newCommandId(), workspace, model });
  const watching = new AbortController();
  const state = {
    refused: false,
    turnEnd: undefined as Extract<ThreadEvent["data"], { type: "turn.finished" }> | undefined,
  };
  const say = (event: object, plain?: string) => {
    if (json) io.stdout.write(`${asciiJson(event)}\n`);
    else if (plain) io.stdout.write(`${plain}\n`);
  };
  const parked = park
    ? whenParked(client, thread.id, watching.signal)
    : answerForNobody(client, thread.id, watching.signal);
  stop.addEventListener(
    "abort",
    () => void client.call("threads.stop", { threadId: thread.id }).catch(() => undefined),
  );
  await client.call("threads.send", { commandId: newCommandId(), threadId: thread.id, text: task });
  const finished = (async () => {
    for await (const item of client.watch(
      "threads.watch",
      { threadId: thread.id, since: 0 },
      { signal: watching.signal },
    )) {
      for (const { data, seq, at } of item.kind === "events" ? item.events : []) {
        say({ seq, at, threadId: thread.id, ...data }, describeEvent(data));
        if (data.type === "toolCall.finished" && (data.outcome === "denied" || data.outcome === "rejected"))
          state.refused = true;
        if (data.type === "turn.finished") {
          state.turnEnd = data;
          return "finished" as const;
        }
      }
    }
    return "finished" as const;
  })();
  const how = await Promise.race([finished, parked]);
  watching.abort();
  const code = stop.aborted
    ? exitCodes.interrupted
    : how === "parked"
      ? exitCodes.parked
      : state.turnEnd?.outcome !== "done"
        ? exitCodes.failed
        : state.refused
          ? exitCodes.refused
          : exitCodes.done;
  say({ type: "run.finished", threadId: thread.id, exitCode: code });
  if (code === exitCodes.parked)
    io.stderr.write(
      `The task waits for your decision in the queue of ${dataDir}. Open the console on that folder (npm run serve -- --data-dir ${quoted(dataDir)}) and decide there; the task then goes on.\n`,
    );
  return code;
}

/** As one word of a line in the shell of this system. */
function quoted(path: string): string {
  if (/^[\w./\\:-]+$/.test(path)) return path;
  return process.platform === "win32" ? `'${path.replaceAll("'", "''")}'` : shellWord(path);
}

/** Resolves once the thread does nothing any more but wait for a person. */
async function whenParked(client: Client, threadId: string, signal: AbortSignal): Promise<"parked"> {
  const working = new Set<string>();
  let waiting = 0;
  for await (const item of client.watch(
    "threads.watch",
    { threadId: threadId as never, since: 0 },
    { signal },
  )) {
    for (const { data } of item.kind === "events" ? item.events : []) {
      if (data.type === "toolCall.requested") working.add(data.itemId);
      if (data.type === "toolCall.finished") working.delete(data.itemId);
      if (data.type === "approval.requested") {
        working.delete(data.itemId);
        waiting += 1;
      }
    }
    // A sub-agent's own call stays open around what waits inside it.
    if (waiting > 0 && (await onlyWaits(client, threadId, working))) return "parked";
  }
  return new Promise(() => undefined);
}

async function onlyWaits(client: Client, threadId: string, working: Set<string>): Promise<boolean> {
  const { items } = await client.call("threads.page", { threadId: threadId as never, limit: 200 });
  const open = items.filter((item) => item.kind === "toolCall" && working.has(item.id));
  return open.every((item) => item.kind === "toolCall" && kindOf(item.tool) === "delegate");
}

/** A question in the middle of a task must not hang a run that nobody watches. */
async function answerForNobody(client: Client, threadId: string, signal: AbortSignal): Promise<never> {
  for await (const item of client.watch("console.watch", {}, { signal })) {
    for (const approval of item.kind === "approvals" || item.kind === "changes" ? item.approvals : []) {
      if (approval.threadId !== threadId || approval.status !== "pending") continue;
      const { id, digest, allowedDecisions } = approval;
      const words =
        "Nobody is there to answer in this run. Decide yourself, or say in your report what you would need to know.";
      const decision = allowedDecisions.includes("respond")
        ? { type: "respond" as const, answer: words }
        : { type: "reject" as const, message: words };
      const items = [{ id, digest }];
      await client.call("approvals.decide", { commandId: newCommandId(), items, decision });
    }
  }
  return new Promise(() => undefined);
}
