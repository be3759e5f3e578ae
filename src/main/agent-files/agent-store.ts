/** Agents as files a person can read, edit and share: one `<id>.json` each in the data folder's `agents`; and the first one. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { agentFileSchema, agentIdPattern } from "../../shared/contract/agent-file.ts";
import { type Agent, agentSchema } from "../../shared/contract/agents.ts";
import { type FileProblem, nameProblems } from "../../shared/contract/field-problem.ts";
import { AgentFileError, toFileProblem, toFileProblems } from "./file-problem.ts";
import { createJsonReader, writeJson } from "./json-file.ts";

export type AgentStore = {
  /** Every usable agent, the built-in one first, then by name; a bad file is left out and named among the problems. */
  list(): { agents: Agent[]; problems: FileProblem[] };
  /** `undefined` when there is no such agent, or its file is refused. */
  get(id: string): Agent | undefined;
  /** Why the agent's file is refused; nothing when it is usable or not there. */
  problemsOf(id: string): FileProblem[];
  /** @returns the agent as it is stored. @throws AgentFileError that names the field. */
  save(agent: Agent): Agent;
  /** Nothing happens when there is no such agent. @throws AgentFileError for the built-in one. */
  remove(id: string): void;
};

/** Agents as `agents/<id>.json` in the data directory, read anew whenever a file changed. */
export function createAgentStore(dataDir: string): AgentStore {
  const folder = join(dataDir, "agents");
  const readFile = createJsonReader();
  const fileOf = (id: string) => join(folder, `${id}.json`);

  function readAgent(id: string): { agent?: Agent; problems: FileProblem[] } {
    const file = fileOf(id);
    const read = readFile(file);
    if (read.kind === "absent") return { problems: [] };
    if (read.kind === "bad")
      return { problems: [{ file, line: read.line, field: "", message: read.message }] };
    const parsed = agentFileSchema.safeParse(read.value);
    const place = { file, text: read.text };
    if (!parsed.success) return { problems: toFileProblems(place, parsed.error) };
    const refuse = (field: string, message: string) => ({
      problems: [toFileProblem(place, [field], message)],
    });
    const agent = parsed.data;
    if (agent.id !== id) return refuse("id", `must be ${id}, the name of the file, or the file be renamed`);
    if (id === defaultAgent.id) return refuse("id", "this name is taken by the built-in agent");
    if (agent.builtIn) return refuse("builtIn", "only Countersign's own agent is built in; set it to false");
    return { agent, problems: [] };
  }

  function storedIds(): string[] {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => name.slice(0, -".json".length));
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
      throw cause;
    }
  }

  return {
    list() {
      const read = storedIds().sort().map(readAgent);
      const agents = read.flatMap(({ agent }) => agent ?? []);
      return {
        agents: [defaultAgent, ...agents.sort((a, b) => a.name.localeCompare(b.name))],
        problems: read.flatMap(({ problems }) => problems),
      };
    },

    get(id) {
      if (id === defaultAgent.id) return defaultAgent;
      return agentIdPattern.test(id) ? readAgent(id).agent : undefined;
    },

    problemsOf: (id) => (agentIdPattern.test(id) ? readAgent(id).problems : []),

    save(agent) {
      if (agent.id === defaultAgent.id || agent.builtIn)
        throw new AgentFileError(
          agent.id === defaultAgent.id ? "id" : "builtIn",
          "The built-in agent cannot be changed. Duplicate it and change the copy.",
        );
      const parsed = agentFileSchema.safeParse(agent);
      if (!parsed.success) throw toError(parsed.error);
      writeJson(fileOf(agent.id), parsed.data, 0o644);
      return parsed.data;
    },

    remove(id) {
      if (id === defaultAgent.id) throw new AgentFileError("id", "The built-in agent cannot be removed.");
      if (agentIdPattern.test(id)) rmSync(fileOf(id), { force: true });
    },
  };
}

function toError(error: z.ZodError): AgentFileError {
  const [first] = nameProblems(error);
  return new AgentFileError(first?.field ?? "", first?.message ?? error.message);
}

const prompt = `You are Countersign, an agent that works on this computer together with the person who started you. You write and change code, run commands, and look after the things the project needs.

How you work
- Find out before you act: read the files that matter, see how the project does things, and follow its habits.
- For anything of more than a few steps, write a short to-do list first and keep it up to date.
- Make the smallest change that does what was asked. Do not tidy up what nobody asked about.
- Check your work: run the tests, the type check or the program itself, and read the output before you say it works.
- Give work that stands on its own to a sub-agent, and tell it everything it needs; it sees nothing of this conversation.

How you treat the person's computer
- Prefer the tools for files over commands for reading, writing, editing and moving.
- Keep commands short and plain, one purpose each, so that whoever approves them sees at once what they do. Avoid long pipelines, generated scripts and anything that hides what runs.
- Never work around a refusal. When a call is rejected, read why, do it the way the person wants, or go on without it.
- Take no step that is hard to undo (deleting, overwriting, publishing, pushing) unless the task needs it, and say so before.
- Leave secrets alone: do not print, copy or send keys, tokens and passwords.

How you answer
- Say what you did, what you found and what is left, in a few plain sentences. Name files by their path.
- When something failed or you are not sure, say so. Ask the person when only they can decide; otherwise make a sensible choice and mention it.`;

/** The agent everybody starts with. What needs approval is left to the policy; the agent itself neither loosens nor tightens it. */
export const defaultAgent: Agent = agentSchema.parse({
  id: "default",
  name: "Countersign",
  builtIn: true,
  prompt,
  interruptOn: {},
});
