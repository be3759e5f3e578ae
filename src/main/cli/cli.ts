/** The command line: queue, threads and servers of a running console, the policy's check, a task with nobody to ask, rules, agents. */
import { runAgents } from "./agents.ts";
import { runApprovals } from "./approvals.ts";
import { endWithOutput } from "./lost-output.ts";
import { runPolicyCheck } from "./policy-check.ts";
import { runRules } from "./rules.ts";
import { runUnattended } from "./run.ts";
import { runSandboxCheck } from "./sandbox-check.ts";
import { runServers } from "./servers.ts";
import { runTerminalAgents } from "./terminal-agents.ts";
import { runThreads } from "./threads.ts";

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
`;

const [command, ...rest] = process.argv.slice(2);
const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
endWithOutput(process.stdout, process.stderr);

if (command === "policy") process.exitCode = await runPolicyCheck(process.argv.slice(2), io);
else if (command === "run") process.exitCode = await runUnattended(rest, io);
else if (command === "rules") process.exitCode = runRules(rest, io);
else if (command === "approvals") process.exitCode = await runApprovals(rest, io);
else if (command === "threads") process.exitCode = await runThreads(rest, io);
else if (command === "servers") process.exitCode = await runServers(rest, io);
else if (command === "agents") process.exitCode = await runAgents(rest, io);
else if (command === "terminal-agents") process.exitCode = runTerminalAgents(rest, io);
else if (command === "sandbox") process.exitCode = await runSandboxCheck(process.stdout);
else {
  const asked = command === undefined || command === "help" || command === "--help";
  (asked ? process.stdout : process.stderr).write(usage);
  process.exitCode = asked ? 0 : 2;
}
