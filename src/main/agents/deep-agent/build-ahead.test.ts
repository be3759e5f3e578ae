import { expect, it, onTestFinished, vi } from "vitest";
import { buildAhead, type UnusedParts } from "./build-ahead.ts";

it.each(["demo", "openai-compatible", "anthropic"] as const)(
  "builds an agent without a look at a folder, a line in a log, a place among the models or a step in the memory, and asks no server (%s)",
  async (provider) => {
    vi.stubGlobal("fetch", () => expect.unreachable("nobody is asked"));
    onTestFinished(() => void vi.unstubAllGlobals());
    const called: string[] = [];
    /** Has every method there could be, and tells of each that was called; the packages only look whether there is one. */
    const recording = <T extends object>(what: string): T =>
      new Proxy({} as T, {
        get: (_target, name) =>
          typeof name === "symbol" || name === "then" ? undefined : () => called.push(`${what}.${name}`),
      });
    const parts: UnusedParts = {
      workspace: "/nowhere",
      backend: recording("backend"),
      provider,
      overflowOf: () => expect.unreachable("no thread has results"),
      checkpointer: recording("checkpointer"),
      slots: recording("slots"),
      journal: recording("journal"),
    };
    await buildAhead(parts);
    expect(called).toEqual([]);
  },
);
