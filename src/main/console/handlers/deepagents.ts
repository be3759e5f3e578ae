/** Answers the contract's calls about threads of the deepagents CLI. */
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { listSessions, takeSession } from "../deepagents-import.ts";

/** @returns a handler for each call about them. */
export function createDeepagentsHandlers(parts: ConsoleParts): HandlersOf<"deepagents"> {
  return {
    "deepagents.threads": () => listSessions(parts),
    "deepagents.import": (input) => takeSession(input, parts),
  };
}
