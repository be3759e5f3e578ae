/** Answers the contract's calls about outer agents; none of them starts one. */
import { ContractError } from "../../../shared/contract/errors.ts";
import { AgentFileError } from "../../agent-files/file-problem.ts";
import { findKnownAgents } from "../../agents/acp/find-known.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

/** @returns a handler for each call about outer agents. */
export function createOuterAgentHandlers(parts: ConsoleParts): HandlersOf<"outerAgents"> {
  const { outerAgents, toolbox, pathKnown } = parts;
  return {
    "outerAgents.list": () => outerAgents.list(),
    "outerAgents.save"(agent) {
      if (toolbox.agents.list().agents.some(({ id }) => id === agent.id))
        throw new ContractError("invalid-input", "Another agent has this id already.", { field: "id" });
      return named(() => outerAgents.save(agent));
    },
    async "outerAgents.remove"({ id }) {
      await named(() => outerAgents.remove(id));
      return {};
    },
    async "outerAgents.find"() {
      await pathKnown;
      return { found: findKnownAgents(process.env.PATH ?? "") };
    },
  };
}

/**
 * File errors name their field; the contract carries it on.
 * @throws ContractError `invalid-input`
 */
export async function named<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AgentFileError)) throw error;
    throw new ContractError("invalid-input", error.message, { field: error.field });
  }
}
