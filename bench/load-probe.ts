/** Lets the process that started a load ask it for its event-loop delay and its memory. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

import { watchTurns } from "./longest-turn.ts";

/** Milliseconds. */
export type LoopDelay = { p50: number; p99: number; max: number };

/** Answers the parent's questions: `watchLoop`, `loopDelay`, `watchTurns`, `longestTurn`, `heapBytes`, `processorMs` and the tasks given; ends when it lets go. */
export function answerParent(tasks: Record<string, (input: never) => unknown>): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let stopTurns = () => 0;
  const known: Record<string, (input: never) => unknown> = {
    watchLoop() {
      delay.reset();
      delay.enable();
    },
    loopDelay(): LoopDelay {
      delay.disable();
      return { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    },
    watchTurns() {
      stopTurns = watchTurns();
    },
    longestTurn: () => stopTurns(),
    heapBytes: settledHeapBytes,
    processorMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    ...tasks,
  };
  process.on("message", ({ id, name, input }: { id: number; name: string; input: never }) => {
    void (async () => known[name]?.(input))().then(
      (value: unknown) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ id: 0 });
}

/** What is still held once everything that can be collected was; the process needs `--expose-gc`. */
async function settledHeapBytes(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await wait(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
