/** The plan and handing work on: nothing happens by them that does not pass the gate itself. */
import { describeArguments, type ToolBehaviour, verdictOf } from "../tool-behaviour.ts";

export const freeKind: ToolBehaviour = {
  isFree: true,
  // Judged only where an agent is told to ask about it.
  async judge({ tool }) {
    return { verdict: verdictOf({ text: tool, verdict: "new", reason: "It has no effect of its own." }) };
  },
  describe: describeArguments,
};
