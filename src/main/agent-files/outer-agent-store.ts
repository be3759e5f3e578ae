/** The outer agents a person set up, and nobody else: one file in the data folder. */
import { join } from "node:path";
import { z } from "zod";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { type OuterAgent, outerAgentSchema } from "../../shared/contract/outer-agents.ts";
import { createEntryFile } from "./entry-file.ts";

export type OuterAgentStore = {
  /** Every usable one by name; what is wrong with the others stands in the problems. */
  list(): { agents: OuterAgent[]; problems: FileProblem[] };
  get(id: string): OuterAgent | undefined;
  /** @returns the agent as stored. @throws AgentFileError; a file that cannot be read is never replaced. */
  save(agent: OuterAgent): OuterAgent;
  remove(id: string): void;
};

/** The agents of `outer-agents.json` in the data directory. */
export function createOuterAgentStore(dataDir: string): OuterAgentStore {
  const parse = (id: string, entry: unknown) => outerAgentSchema.safeParse({ ...(entry as object), id });
  const file = createEntryFile(join(dataDir, "outer-agents.json"), "outerAgents", z.unknown(), parse);

  function list() {
    const { entries, problems } = file.list();
    return { agents: entries.sort((a, b) => a.name.localeCompare(b.name)), problems };
  }

  return {
    list,
    get: (id) => list().agents.find((agent) => agent.id === id),
    save(agent) {
      const { id, ...entry } = outerAgentSchema.parse(agent);
      file.save(id, entry);
      return { id, ...entry };
    },
    remove: (id) => file.remove(id),
  };
}
