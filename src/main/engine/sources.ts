/** The agent sources of this host, by the name that each thread carries of its own. */
import { type AgentSource, fewAbilities } from "../agents/source.ts";
import { TurnStopped } from "../gate/run-context.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

export type Sources = {
  /** Of a thread whose source is not here nothing runs; its rows stay as they are. */
  of(thread: Pick<ThreadRow, "source">): AgentSource;
  /** Sources that know nothing of what was said before this start, and why. */
  withoutMemory(): { source: string; why: string }[];
  /** Sources whose agents ended with the last host, and what their cards say since. */
  endedBefore(): { source: string; afterStart: NonNullable<AgentSource["afterStart"]> }[];
  /** Loads what their first turns would wait for. */
  warmUp(): Promise<void>;
  /** Ends what they keep running; called when no run goes on any more. */
  close(): Promise<void>;
};

/** @param byName the names that stand in people's databases. */
export function createSources(byName: ReadonlyMap<string, AgentSource>): Sources {
  return {
    of: ({ source }) => byName.get(source) ?? missing,
    withoutMemory: () =>
      [...byName].flatMap(([source, { memoryLost }]) =>
        memoryLost === undefined ? [] : [{ source, why: memoryLost }],
      ),
    endedBefore: () =>
      [...byName].flatMap(([source, { afterStart }]) =>
        afterStart === undefined ? [] : [{ source, afterStart }],
      ),
    async warmUp() {
      for (const source of byName.values()) await source.warmUp?.();
    },
    async close() {
      await Promise.all([...byName.values()].map((source) => source.close?.()));
    },
  };
}

/** As with a database that another build wrote: nothing is offered, and what waits is not ended for it. */
const missing: AgentSource = {
  can: fewAbilities,
  async run() {
    const problem =
      "What runs the agent of this thread is not part of this Countersign, so it cannot go on here.";
    throw new TurnStopped("failed", problem);
  },
  forget: () => Promise.resolve(),
};
