/** An opening that was ended before it began starts no program at all. */
import { expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { startAgent } from "./live-agent.ts";

it("starts no program where a stop came first", async () => {
  const why = new Error("stopped");
  const started: unknown[] = [];
  const starting = startAgent({
    program: { command: process.execPath, args: ["--version"], cwd: process.cwd() },
    confined: undefined,
    environment: {},
    signal: AbortSignal.abort(why),
    guard: { guard: (root) => void started.push(root), unguard: () => undefined },
    earlier: undefined,
    governing: undefined,
    threadId: "t" as ThreadId,
    chosen: {},
    signIn: undefined,
    atRest: () => undefined,
    onStarted: (process) => void started.push(process),
  });
  await expect(starting).rejects.toBe(why);
  expect(started).toEqual([]);
});
