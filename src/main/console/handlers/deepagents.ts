/** Answers the contract's calls about threads of the deepagents CLI. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { ConsoleParts } from "../console-parts.ts";
import { listSessions, takeSession } from "../deepagents-import.ts";

type Names = Extract<keyof Handlers, `deepagents.${string}`>;

/** @returns a handler for each call about them. */
export function createDeepagentsHandlers(parts: ConsoleParts): Pick<Handlers, Names> {
  return {
    "deepagents.threads": () => listSessions(parts),
    "deepagents.import": (input) => takeSession(input, parts),
  };
}
