/** Which command a line names: every one of them tells its use where it is asked for help. */
import { homedir } from "node:os";
import { messageOf } from "../../shared/message-of.ts";
import { defaultDataDir } from "../base/data-dir.ts";
import { dataDirOf } from "../base/read-options.ts";
import { agentsUsage, runAgents } from "./agents.ts";
import { approvalsUsage, runApprovals } from "./approvals.ts";
import { type CommandLineStreams, policyUsage, runPolicyCheck } from "./policy-check.ts";
import { rulesUsage, runRules } from "./rules.ts";
import { runUnattended, runUsage } from "./run.ts";
import { runSandboxCheck } from "./sandbox-check.ts";
import { runServers, serversUsage } from "./servers.ts";
import { runTerminalAgents, terminalAgentsUsage } from "./terminal-agents.ts";
import { runThreads, threadsUsage } from "./threads.ts";

const usage = `Usage:
  npm run -s cli -- policy check --workspace DIR [--trusted] [--rule "npm test"]… --stdin
  npm run -s cli -- run --workspace DIR --model M [options] -- "task"
  npm run -s cli -- rules import --from claude-code|codex|vscode FILE [--workspace DIR] [--save]
  npm run -s cli -- rules export --to claude-code|codex|vscode [--workspace DIR]
  npm run -s cli -- sandbox
  npm run -s cli -- approvals list | show | approve | reject | respond | edit
  npm run -s cli -- threads list | send | follow | stop | resume | import | undo | home
  npm run -s cli -- servers list | assistants | start
  npm run -s cli -- agents export ID FOLDER
  npm run -s cli -- terminal-agents install | uninstall claude | codex
Each of them tells more with --help.
`;

const sandboxUsage = `Usage: npm run -s cli -- sandbox
Tells whether this machine can confine commands, by trying to get out of a sandbox.
Exit codes: 0 it can, 1 it cannot, 2 wrong usage
`;

type Command = {
  usage: string;
  run(argv: string[], io: CommandLineStreams): number | Promise<number>;
};

/** Every command, by the word that names it. */
export const commands: Readonly<Record<string, Command>> = {
  policy: { usage: policyUsage, run: (argv, io) => runPolicyCheck(["policy", ...argv], io) },
  run: { usage: runUsage, run: runUnattended },
  rules: { usage: rulesUsage, run: (argv, io) => runRules(argv, io, dataDirOf()) },
  sandbox: { usage: sandboxUsage, run: checkSandbox },
  approvals: { usage: approvalsUsage, run: runApprovals },
  threads: { usage: threadsUsage, run: runThreads },
  servers: { usage: serversUsage, run: runServers },
  agents: { usage: agentsUsage, run: runAgents },
  "terminal-agents": { usage: terminalAgentsUsage, run: (argv, io) => runTerminalAgents(argv, io) },
};

/** @returns the exit code; help that was asked for goes to stdout and is no failure. */
export async function runCommandLine(
  argv: string[],
  io: CommandLineStreams,
  home = homedir(),
): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || isHelp(name)) {
    const [about = ""] = rest;
    io.stdout.write(Object.hasOwn(commands, about) ? commands[about]!.usage : usage);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    io.stderr.write(`There is no command “${name}”.\n${usage}`);
    return 2;
  }
  if (asksForHelp(rest)) {
    io.stdout.write(command.usage);
    return 0;
  }
  try {
    defaultDataDir(process.platform, process.env, home);
  } catch (error) {
    io.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
  return command.run(rest, io);
}

const isHelp = (word: string) => word === "--help" || word === "-h";

/** Behind `--` stand words for an agent. */
function asksForHelp(words: string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some(isHelp);
}

function checkSandbox(argv: string[], io: CommandLineStreams): number | Promise<number> {
  if (argv.length === 0) return runSandboxCheck(io.stdout);
  io.stderr.write(`sandbox takes no words.\n${sandboxUsage}`);
  return 2;
}
