/** The outer agents a person set up, and nobody else: one file in the data folder; beside it what each offered to choose. */
import { join } from "node:path";
import { z } from "zod";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import {
  type OuterAgent,
  type OuterOffer,
  outerAgentSchema,
  outerOffersSchema,
} from "../../shared/contract/outer-agents.ts";
import { createIdFile, type IdFile } from "./entry-file.ts";
import { createJsonReader, writeJson } from "./json-file.ts";

export type Offers = Record<string, OuterOffer[]>;

export type OuterAgentStore = Omit<IdFile<OuterAgent>, "list"> & {
  /** Every usable one by name; what is wrong with the others stands in the problems. */
  list(): { agents: OuterAgent[]; problems: FileProblem[]; offers: Offers };
  /** Keeps what an agent offers, so that it can be chosen from before its next start. */
  noteOffers(id: string, offers: OuterOffer[]): void;
};

const allOffersSchema = z.record(z.string(), outerOffersSchema);

/** The agents of `outer-agents.json` in the data directory. */
export function createOuterAgentStore(dataDir: string): OuterAgentStore {
  const file = createIdFile(join(dataDir, "outer-agents.json"), "outerAgents", outerAgentSchema);
  const offersPath = join(dataDir, "outer-offers.json");
  const readOffers = createJsonReader();
  /** Nothing is known where the file does not read. */
  const offersNow = (): Offers => {
    const found = readOffers(offersPath);
    return (found.kind === "value" && allOffersSchema.safeParse(found.value).data) || {};
  };
  return {
    ...file,
    list() {
      const { entries: agents, problems } = file.list();
      const known = offersNow();
      const offers = Object.fromEntries(agents.flatMap(({ id }) => (known[id] ? [[id, known[id]]] : [])));
      return { agents, problems, offers };
    },
    noteOffers(id, offers) {
      const known = offersNow();
      if (JSON.stringify(known[id]) === JSON.stringify(offers)) return;
      // Of those that were removed nothing is kept.
      const agents = new Set<string>(file.list().entries.map((agent) => agent.id));
      const kept = Object.entries(known).filter(([agent]) => agents.has(agent));
      writeJson(offersPath, { ...Object.fromEntries(kept), [id]: offers }, 0o600);
    },
  };
}
