/** Agents as files a person can read, edit and share: one `<id>.json` each in the data folder's `agents`. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Agent, agentSchema, type InterruptOn } from "../../shared/contract/agents.ts";
import { defaultAgent } from "./default-agent.ts";
import { AgentFileError, type FileProblem, toFileProblems } from "./file-problem.ts";
import { createJsonReader, writeJson } from "./json-file.ts";

export type AgentStore = {
  /** Every usable agent, the built-in one first, then by name; a bad file is left out and named among the problems. */
  list(): { agents: Agent[]; problems: FileProblem[] };
  /** `undefined` when there is no such agent, or its file is refused. */
  get(id: string): Agent | undefined;
  /** @returns the agent as it is stored. @throws AgentFileError that names the field. */
  save(agent: Agent): Agent;
  /** Nothing happens when there is no such agent. @throws AgentFileError for the built-in one. */
  remove(id: string): void;
};

/** An id is a file name, so it must be a harmless one on every system. */
const idPattern = /^[a-z0-9][a-z0-9-]{0,99}$/;

/** What the contract cannot say: patterns that compile, sub-agents that can be told apart. */
const agentFileSchema = agentSchema.superRefine((agent, context) => {
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  if (!idPattern.test(agent.id)) add(["id"], "use up to 100 lower-case letters, digits and hyphens");
  for (const { path, message } of badPatterns(agent.interruptOn, ["interruptOn"])) add(path, message);
  const names = agent.subAgents.map((sub) => sub.name);
  for (const [index, sub] of agent.subAgents.entries()) {
    if (names.indexOf(sub.name) < index)
      add(["subAgents", index, "name"], `another sub-agent is named ${sub.name} already`);
    const place = ["subAgents", index, "interruptOn"];
    for (const { path, message } of badPatterns(sub.interruptOn ?? {}, place)) add(path, message);
  }
});

function badPatterns(interruptOn: InterruptOn, place: (string | number)[]) {
  return Object.entries(interruptOn).flatMap(([tool, rule]) => {
    const conditions = typeof rule === "object" ? (rule.when?.args ?? {}) : {};
    return Object.entries(conditions).flatMap(([argument, { matches }]) => {
      const message = matches === undefined ? undefined : whyBadPattern(matches);
      return message ? [{ path: [...place, tool, "when", "args", argument, "matches"], message }] : [];
    });
  });
}

function whyBadPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (cause) {
    return `is not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

export function createAgentStore(dataDir: string): AgentStore {
  const folder = join(dataDir, "agents");
  const readFile = createJsonReader();
  const fileOf = (id: string) => join(folder, `${id}.json`);

  function readAgent(id: string): { agent?: Agent; problems: FileProblem[] } {
    const file = fileOf(id);
    const refuse = (field: string, message: string) => ({ problems: [{ file, field, message }] });
    const read = readFile(file);
    if (read.kind === "absent") return { problems: [] };
    if (read.kind === "bad") return refuse("", read.message);
    const parsed = agentFileSchema.safeParse(read.value);
    if (!parsed.success) return { problems: toFileProblems(file, parsed.error) };
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
      return idPattern.test(id) ? readAgent(id).agent : undefined;
    },

    save(agent) {
      const file = fileOf(agent.id);
      if (agent.id === defaultAgent.id || agent.builtIn)
        throw new AgentFileError({
          file,
          field: agent.id === defaultAgent.id ? "id" : "builtIn",
          message: "The built-in agent cannot be changed. Duplicate it and change the copy.",
        });
      const parsed = agentFileSchema.safeParse(agent);
      if (!parsed.success) throw new AgentFileError(firstProblem(file, parsed.error));
      writeJson(file, parsed.data, 0o644);
      return parsed.data;
    },

    remove(id) {
      if (id === defaultAgent.id)
        throw new AgentFileError({
          file: "",
          field: "id",
          message: "The built-in agent cannot be removed.",
        });
      if (idPattern.test(id)) rmSync(fileOf(id), { force: true });
    },
  };
}

function firstProblem(file: string, error: z.ZodError): FileProblem {
  return toFileProblems(file, error)[0] ?? { file, field: "", message: z.prettifyError(error) };
}
