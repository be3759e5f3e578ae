/** The outer agents a person set up, and nobody else: one file in the data folder. */
import { join } from "node:path";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { type OuterAgent, outerAgentSchema } from "../../shared/contract/outer-agents.ts";
import { createIdFile, type IdFile } from "./entry-file.ts";

export type OuterAgentStore = Omit<IdFile<OuterAgent>, "list"> & {
  /** Every usable one by name; what is wrong with the others stands in the problems. */
  list(): { agents: OuterAgent[]; problems: FileProblem[] };
};

/** The agents of `outer-agents.json` in the data directory. */
export function createOuterAgentStore(dataDir: string): OuterAgentStore {
  const file = createIdFile(join(dataDir, "outer-agents.json"), "outerAgents", outerAgentSchema);
  return {
    ...file,
    list() {
      const { entries: agents, problems } = file.list();
      return { agents, problems };
    },
  };
}
