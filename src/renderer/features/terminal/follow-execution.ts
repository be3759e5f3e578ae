/** Follows what a running command prints, across lost connections, until it ends. */

import type { Item } from "../../../shared/contract/contract.ts";
import { executionIdSchema } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { followStream } from "../../base/follow-stream.ts";
import { createFrameBatch } from "../../base/stores/frame-batch.ts";
import { attempt } from "../../ui/attempt.ts";
import { strings } from "./strings.ts";

type Listeners = {
  /** What came within one screen frame. */
  onOutput(data: string, state: OutputState): void;
  /** There is nothing to follow (any more). */
  onGone(problem: string): void;
};

export type OutputState = {
  /** The output begins anew, what was shown before must go. */
  restart: boolean;
  waitingForInput: boolean;
  ended: boolean;
  /** What the command has written so far, or what its log holds; unknown where nothing was kept. */
  bytes?: number;
  /** Of a log: how many lines it holds. */
  lines?: number;
};
type Arrived = OutputState & { data: string };

export function followExecution(executionId: string, listeners: Listeners, signal: AbortSignal): void {
  const life = new AbortController();
  signal.addEventListener("abort", () => life.abort(), { once: true });
  let restart = true;
  const batch = createFrameBatch<Arrived>((items) => {
    if (signal.aborted) return;
    const from = Math.max(
      0,
      items.findLastIndex((item) => item.restart),
    );
    const last = items.at(-1);
    listeners.onOutput(
      items
        .slice(from)
        .map((item) => item.data)
        .join(""),
      {
        restart: items.some((item) => item.restart),
        waitingForInput: last?.waitingForInput ?? false,
        ended: last?.ended ?? false,
        bytes: last?.bytes,
        lines: last?.lines,
      },
    );
  });
  const input = () => {
    // A new subscription starts with all there is so far.
    restart = true;
    return { executionId: executionIdSchema.parse(executionId) };
  };
  const onItem = ({ data, state, waitingForInput = false, bytes, lines }: Item<"executions.watch">) => {
    const ended = state === "ended";
    batch.push({ data, restart, waitingForInput, ended, bytes, lines });
    restart = false;
    if (ended) life.abort();
  };
  void followStream(client(), "executions.watch", input, onItem, life.signal, (error) =>
    listeners.onGone(error.message),
  );
}

/** Ends a running command; a failure is said to the person. */
export async function stopExecution(executionId: string): Promise<void> {
  const stop = () => client().call("executions.stop", { executionId: executionIdSchema.parse(executionId) });
  await attempt(stop, strings.notStopped);
}

/** Types into a running command; a failure is said to the person. */
export async function typeInto(executionId: string, data: string): Promise<void> {
  await attempt(async () => {
    for (let at = 0; at < data.length; at += 10_000) {
      const part = data.slice(at, at + 10_000);
      await client().call("executions.write", {
        executionId: executionIdSchema.parse(executionId),
        data: part,
      });
    }
  }, strings.failed);
}
