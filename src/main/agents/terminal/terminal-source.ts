/** The source of threads that an agent in a terminal fills by what it asks: nothing of them is worked on here. */
import { TurnStopped } from "../../gate/run-context.ts";
import { type AgentSource, fewAbilities, type SourceServices } from "../source.ts";

/** The name that such threads carry of it. */
export const terminalSource = "terminal";

/** @returns a source whose threads only ask: they have no turn of their own. */
export function createTerminalSource({ journal }: SourceServices): AgentSource {
  return {
    can: { ...fewAbilities, messages: false },
    async run() {
      throw new TurnStopped("failed", "This agent works in its terminal. Write to it there.");
    },
    // What it still waits for ends without an answer, so that it asks by itself.
    forget: async (threadId) => void journal.room.park(threadId),
  };
}
