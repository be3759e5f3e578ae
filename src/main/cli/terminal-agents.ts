/** `terminal-agents`: lets an agent in a terminal ask in the queue, by a hook in its settings, or no more. */
import { mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { messageOf } from "../../shared/message-of.ts";
import { type TerminalAgent, terminalAgentTitles } from "../agents/terminal/hook-words.ts";
import { dataDirOf, readOptions as read } from "../base/read-options.ts";
import { visibleText } from "../base/visible-text.ts";
import { writeAtomically } from "../settings/settings-store.ts";
import { withHook, withoutHook } from "./agent-hooks.ts";
import type { ConsoleIo } from "./console-options.ts";

export const terminalAgentsUsage = `Usage:
  npm run -s cli -- terminal-agents install claude|codex [--yes] [--data-dir DIR]
  npm run -s cli -- terminal-agents uninstall claude|codex [--yes]
Shows what changes in the agent's settings; --yes writes it.
`;

/** Which settings of whom, in which environment. */
type Place = { home: string; env: NodeJS.ProcessEnv; platform: NodeJS.Platform };

const agents: Readonly<Record<string, TerminalAgent>> = { claude: "claude-code", codex: "codex" };

/**
 * Exit codes: 0 done or nothing to do, 1 the settings are not read or written, 2 wrong usage. Without `--yes` nothing is
 * written.
 *
 * @param argv the words after `terminal-agents`
 */
export function runTerminalAgents(
  argv: string[],
  io: ConsoleIo,
  place: Place = { home: homedir(), env: process.env, platform: process.platform },
): 0 | 1 | 2 {
  let asked: ReturnType<typeof readOptions>;
  try {
    asked = readOptions(argv);
  } catch (error) {
    io.stderr.write(`${messageOf(error)}\n${terminalAgentsUsage}`);
    return 2;
  }
  try {
    if (place.platform === "win32") throw new Error("On Windows the hook could not reach the console.");
    return change(asked, io, place);
  } catch (error) {
    io.stderr.write(`${visibleText(messageOf(error))} Nothing was written.\n`);
    return 1;
  }
}

function readOptions(argv: string[]) {
  const { values, positionals } = read({
    args: argv,
    allowPositionals: true,
    options: { yes: { type: "boolean", default: false }, "data-dir": { type: "string" } },
  });
  const [command, name = "", ...more] = positionals;
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent === undefined || more.length > 0) throw new Error("Name one agent: claude or codex.");
  if (command !== "install" && command !== "uninstall") throw new Error("install or uninstall?");
  return { command, agent, yes: values.yes, dataDir: dataDirOf(values["data-dir"]) };
}

/** @throws Error when the settings cannot be read or written */
function change(
  { command, agent, yes, dataDir }: ReturnType<typeof readOptions>,
  io: ConsoleIo,
  place: Place,
): 0 {
  const file = settingsFile(agent, place);
  const before = readSettings(file);
  const after =
    command === "install" ? withHook(before ?? "{}\n", agent, dataDir) : withoutHook(before ?? "{}\n");
  const say = (sentence: string) => io.stdout.write(`${sentence}\n`);
  if (after === (before ?? "{}\n")) {
    say(command === "install" ? `It stands in ${visibleText(file)} already.` : "There is none of ours.");
    return 0;
  }
  const patch = createTwoFilesPatch(file, file, before ?? "", after, "now", "then");
  say(
    patch
      .split("\n")
      .map((line) => visibleText(line.replace(/\r$/, "")))
      .join("\n"),
  );
  if (!yes) {
    say("Nothing was written. Add --yes to write it.");
    return 0;
  }
  writeSettings(file, after);
  say(`Written to ${visibleText(file)}.`);
  if (command === "install") say(whatNext(agent));
  return 0;
}

const whatNext = (agent: TerminalAgent) =>
  `Switch on “Agents in a terminal” in the settings of the console, and start ${terminalAgentTitles[agent]} anew.${
    agent === "codex" ? " Codex asks you whether you trust the hook." : ""
  }`;

/** Where the agents look for them. A link leads to the file, which stays where it is. */
function settingsFile(agent: TerminalAgent, { home, env }: Place): string {
  const path =
    agent === "codex"
      ? join(env.CODEX_HOME || join(home, ".codex"), "hooks.json")
      : join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path;
}

function readSettings(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return undefined;
  return new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
}

function writeSettings(file: string, text: string): void {
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, text, mode);
}
