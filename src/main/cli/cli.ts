/** The command line: queue, threads and servers of a running console, the policy's check, a task with nobody to ask, rules, agents. */
import { runCommandLine } from "./command-line.ts";
import { endWithOutput } from "./lost-output.ts";

const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
endWithOutput(process.stdout, process.stderr);
process.exitCode = await runCommandLine(process.argv.slice(2), io);
