/** `agents`: writes an agent of the data folder as a project for LangGraph servers. No console has to run. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createAgentStore } from "../agent-files/agent-store.ts";
import { createMcpStore } from "../agent-files/mcp-store.ts";
import { toProject } from "../agents/langgraph-project/project.ts";
import { ProjectFolderError, writeProject } from "../agents/langgraph-project/write-project.ts";
import {
  type ConsoleExitCode,
  type ConsoleIo,
  consoleExitCodes,
  print,
  readConsoleOptions,
  telling,
} from "./console-options.ts";
import { UsageError } from "./usage-error.ts";

export const agentsUsage = `Usage: npm run -s cli -- agents export ID FOLDER [--data-dir DIR] [--json]
  writes the agent into a new folder that a LangGraph server loads as it is, and says what does not come along
Exit codes: 0 done, 2 wrong usage, 3 nothing was written
`;

/** `agents` and what follows it on the command line. A wrong use is told and is an exit code. */
export function runAgents(argv: string[], io: ConsoleIo): Promise<ConsoleExitCode> {
  return telling(io, agentsUsage, async () => {
    const [command, ...rest] = argv;
    const { words, dataDir, json } = readConsoleOptions(rest);
    const [id, place, ...more] = words;
    if (command !== "export" || id === undefined || place === undefined || more.length > 0)
      throw new UsageError("export ID FOLDER?");
    const agent = createAgentStore(dataDir).get(id);
    if (agent === undefined) throw new UsageError(`There is no agent ${id}, or its file cannot be used.`);
    const folder = resolve(place);
    const { servers } = createMcpStore(dataDir, join(homedir(), ".deepagents", ".mcp.json")).list();
    const project = toProject(agent, { provider: "demo", model: "demo" }, servers);
    try {
      writeProject(folder, project);
    } catch (error) {
      if (!(error instanceof ProjectFolderError)) throw error;
      io.stderr.write(`${error.message}\n`);
      return consoleExitCodes.refused;
    }
    const lines = [
      `Written to ${folder}. There, set MODEL and its key in .env, then: npm install && npm start`,
      "It does not take along:",
      ...project.lost.map((one) => `- ${one}`),
    ];
    print(io, json, { folder, lost: project.lost }, lines.join("\n"));
    return consoleExitCodes.done;
  });
}
