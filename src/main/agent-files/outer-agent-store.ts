/** The outer agents a person set up, and nobody else: one file in the data folder. */
import { join } from "node:path";
import { z } from "zod";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { type OuterAgent, outerAgentSchema } from "../../shared/contract/outer-agents.ts";
import { AgentFileError, describeFileProblem, toFileProblems } from "./file-problem.ts";
import { createJsonReader, writeJson } from "./json-file.ts";

export type OuterAgentStore = {
  /** Every usable one by name; what is wrong with the others stands in the problems. */
  list(): { agents: OuterAgent[]; problems: FileProblem[] };
  get(id: string): OuterAgent | undefined;
  /** @returns the agent as stored. @throws AgentFileError; a file that cannot be read is never replaced. */
  save(agent: OuterAgent): OuterAgent;
  remove(id: string): void;
};

const fileSchema = z.strictObject({ outerAgents: z.record(z.string(), z.unknown()) });
type Entries = z.infer<typeof fileSchema>["outerAgents"];

/** The agents of `outer-agents.json` in the data directory, read anew whenever it changed. */
export function createOuterAgentStore(dataDir: string): OuterAgentStore {
  const file = join(dataDir, "outer-agents.json");
  const readFile = createJsonReader();

  function readEntries(): { entries: Entries; text: string; problems: FileProblem[] } {
    const read = readFile(file);
    if (read.kind === "absent") return { entries: {}, text: "", problems: [] };
    if (read.kind === "bad") {
      const problem = { file, line: read.line, field: "", message: read.message };
      return { entries: {}, text: "", problems: [problem] };
    }
    const { text } = read;
    const parsed = fileSchema.safeParse(read.value);
    return parsed.success
      ? { entries: parsed.data.outerAgents, text, problems: [] }
      : { entries: {}, text, problems: toFileProblems({ file, text }, parsed.error) };
  }

  function list() {
    const { entries, text, problems } = readEntries();
    const agents: OuterAgent[] = [];
    for (const [id, entry] of Object.entries(entries)) {
      const parsed = outerAgentSchema.safeParse({ ...(entry as object), id });
      if (parsed.success) agents.push(parsed.data);
      else problems.push(...toFileProblems({ file, text }, parsed.error, ["outerAgents", id]));
    }
    return { agents: agents.sort((a, b) => a.name.localeCompare(b.name)), problems };
  }

  /** Entries that are wrong stay in the file as they are, for the person to mend. */
  function change(edit: (entries: Entries) => Entries): void {
    const { entries, problems } = readEntries();
    const [first] = problems;
    if (first) throw new AgentFileError("", `${describeFileProblem(first)} Mend or remove the file first.`);
    writeJson(file, { outerAgents: edit(entries) }, 0o600);
  }

  return {
    list,
    get: (id) => list().agents.find((agent) => agent.id === id),
    save(agent) {
      const { id, ...entry } = outerAgentSchema.parse(agent);
      change((entries) => ({ ...entries, [id]: entry }));
      return { id, ...entry };
    },
    remove(id) {
      change((entries) => Object.fromEntries(Object.entries(entries).filter(([one]) => one !== id)));
    },
  };
}
