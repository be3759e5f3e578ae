/** Programs that npx or uvx fetch as they start: which package of which version that is, and what there is to say against it. */

/** With these words before it, nothing of the folder it starts in stands in for the package or says where it comes from. */
export const wordsApart = { npx: ["--prefix", "/", "--yes"], uvx: ["--no-config"] } as const;

export type Runner = keyof typeof wordsApart;

type Words = { command: string; args: readonly string[] };

/** A package by its name in its registry; what follows it are the program's own words. */
export type FetchedPackage = {
  runner: Runner;
  name: string;
  version: string;
  isApart: boolean;
  args: string[];
};

const forms = {
  npx: /^((?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*)(?:@(.+))?$/i,
  uvx: /^([a-z\d][\w.-]*(?:\[[\w,-]*\])?)(?:(?:==|@)(.+))?$/i,
};
const exactVersion = { npx: /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/, uvx: /^\d[\w.+!-]*$/ };

/** Reads one word of a runner. @returns `undefined` where it is no name of a package in its registry */
export function readPackage(runner: Runner, word: string): { name: string; version: string } | undefined {
  const [, name, version = ""] = forms[runner].exec(word) ?? [];
  return name === undefined ? undefined : { name, version };
}

/** Whether a start always gets the same one. */
export const isExact = (runner: Runner, version: string): boolean => exactVersion[runner].test(version);

/** @returns `undefined` where nothing is fetched, or nobody knows what */
export function fetchedPackage({ command, args }: Words): FetchedPackage | undefined {
  const [program, words] = behindEnv(command, args);
  const runner = baseOf(program);
  if (runner !== "npx" && runner !== "uvx") return undefined;
  const at = wordOfPackage(words);
  const found = readPackage(runner, words[at] ?? "");
  if (found === undefined) return undefined;
  const before = words.slice(0, at).join(" ");
  return { runner, ...found, isApart: before === wordsApart[runner].join(" "), args: words.slice(at + 1) };
}

/** The first word that is no option, nor the folder that one names. */
function wordOfPackage(words: readonly string[]): number {
  return words.findIndex((word, at) => !word.startsWith("-") && words[at - 1] !== "--prefix");
}

/** `env` sets variables for the program behind them. */
function behindEnv(command: string, args: readonly string[]): [string, readonly string[]] {
  if (baseOf(command) !== "env") return [command, args];
  const at = args.findIndex((word) => !/^\w+=/.test(word));
  return at < 0 ? [command, args] : [args[at]!, args.slice(at + 1)];
}

const baseOf = (path: string) => path.replace(/^.*[\\/]/, "").replace(/\.(?:cmd|exe)$/i, "");

/** Packages with which this console was tried. */
const tried: readonly string[] = [
  "@agentclientprotocol/claude-agent-acp",
  "@agentclientprotocol/codex-acp",
  "opencode-ai",
  "@google/gemini-cli",
];

/** Names under which old versions are served still, and what they are called now; so are their programs. */
const renamed: Readonly<Record<string, string>> = {
  "@zed-industries/claude-code-acp": "@agentclientprotocol/claude-agent-acp",
  "@zed-industries/codex-acp": "@agentclientprotocol/codex-acp",
  "claude-code-acp": "@agentclientprotocol/claude-agent-acp",
};

/** What a person should know before such a program is set up. */
export type Doubt =
  | { kind: "renamed"; name: string; to: string }
  | { kind: "inexact" | "untried" | "folder"; name: string };

/** @returns what to say of it, the weightiest first; nothing of a program that lies on the disk under its present name */
export function doubtsAbout(words: Words): Doubt[] {
  const fetched = fetchedPackage(words);
  const name = fetched?.name ?? baseOf(words.command);
  const to = renamed[name];
  const doubts: Doubt[] = to === undefined ? [] : [{ kind: "renamed", name, to }];
  if (fetched === undefined) return doubts;
  if (!fetched.isApart) doubts.push({ kind: "folder", name });
  if (!isExact(fetched.runner, fetched.version)) doubts.push({ kind: "inexact", name });
  if (!tried.includes(name) && to === undefined) doubts.push({ kind: "untried", name });
  return doubts;
}
