/** What the commands that speak with a running console have in common: their options, output and exit codes. */
import type { Writable } from "node:stream";
import { ContractError } from "../../shared/contract/errors.ts";
import { messageOf } from "../../shared/message-of.ts";
import { asciiJson } from "../base/parse-json.ts";
import { dataDirOf, readOptions } from "../base/read-options.ts";
import { NoConsoleError } from "./console-client.ts";
import { UsageError } from "./usage-error.ts";

/** `refused`: the console did not do it, since it is not what was shown any more, or not allowed. */
export const consoleExitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const;
export type ConsoleExitCode = (typeof consoleExitCodes)[keyof typeof consoleExitCodes];

export type ConsoleIo = { stdout: Writable; stderr: Writable };

const options = {
  "data-dir": { type: "string" },
  json: { type: "boolean", default: false },
  digest: { type: "string" },
  message: { type: "string" },
  answer: { type: "string" },
  "answer-json": { type: "string" },
  args: { type: "string" },
  from: { type: "string" },
  "bring-back": { type: "string" },
  workspace: { type: "string" },
  way: { type: "string" },
  file: { type: "string" },
  undo: { type: "string" },
  "put-back": { type: "string" },
  conflict: { type: "string" },
  take: { type: "string", multiple: true },
  files: { type: "boolean" },
  conversation: { type: "boolean" },
  both: { type: "boolean" },
  yes: { type: "boolean" },
  "hold-response": { type: "boolean" },
} as const;

type OptionName = keyof typeof options;
type FlagName = "files" | "conversation" | "both" | "yes" | "hold-response";

export type ConsoleOptions = {
  words: string[];
  dataDir: string;
  json: boolean;
  values: Partial<Record<Exclude<OptionName, "json" | "take" | FlagName>, string>>;
  /** What each `--take` says. */
  takes: readonly string[];
  flags: Partial<Record<FlagName, boolean>>;
};

/** @throws UsageError for an option that this command does not have. */
export function readConsoleOptions(argv: string[], own: readonly OptionName[] = []): ConsoleOptions {
  try {
    const { values, positionals } = readOptions({ args: argv, allowPositionals: true, options });
    const { json, take, files, conversation, both, yes, "hold-response": hold, ...texts } = values;
    const strange = (Object.keys(values) as OptionName[]).find(
      (name) => name !== "data-dir" && name !== "json" && !own.includes(name),
    );
    if (strange) throw new Error(`--${strange} is no option of this command.`);
    const dataDir = dataDirOf(values["data-dir"]);
    const flags = { files, conversation, both, yes, "hold-response": hold };
    return { words: positionals, dataDir, json, values: texts, takes: take ?? [], flags };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** JSON that a person gave in an option. @throws UsageError that names the option */
export function readJsonOption(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--${name} is no JSON: ${messageOf(error)}`);
  }
}

/** One line of JSON, or the lines for a person. */
export function print(io: ConsoleIo, json: boolean, value: unknown, lines: string): void {
  io.stdout.write(json ? `${asciiJson(value)}\n` : `${lines}\n`);
}

/** Runs a command and says in a sentence what went wrong. */
export async function telling(
  io: ConsoleIo,
  usage: string,
  command: () => Promise<ConsoleExitCode>,
): Promise<ConsoleExitCode> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message}\n${usage}`);
      return consoleExitCodes.usage;
    }
    if (error instanceof NoConsoleError || error instanceof ContractError) {
      io.stderr.write(`${error.message}\n`);
      return error instanceof ContractError && error.code !== "closed"
        ? consoleExitCodes.refused
        : consoleExitCodes.failed;
    }
    throw error;
  }
}
