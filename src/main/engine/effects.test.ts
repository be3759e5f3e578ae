import { describe, expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { createCommandsUnderway } from "./effects.ts";

const thread = "thread" as ThreadId;
const never = new AbortController().signal;

/** Whether a promise is settled once everything that could settle it has had its turn. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe("the end of a run", () => {
  it("waits for all commands of its thread, and not for those of another", async () => {
    const commands = createCommandsUnderway();
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const results = [first, second].map(({ promise }) => commands.during(thread, () => promise));
    const ended = commands.ended(thread, never);
    expect(await isSettled(commands.ended("other" as ThreadId, never))).toBe(true);
    first.resolve("one");
    expect(await isSettled(ended)).toBe(false);
    second.resolve("two");
    await ended;
    expect(await Promise.all(results)).toEqual(["one", "two"]);
  });

  it("comes also after a command that failed", async () => {
    const commands = createCommandsUnderway();
    const failing = commands.during(thread, () => Promise.reject(new Error("no terminal")));
    const ended = commands.ended(thread, never);
    await expect(failing).rejects.toThrow("no terminal");
    await ended;
  });

  it("is not kept away for ever by what ignores a stop, but only a stop cuts it short", async () => {
    const commands = createCommandsUnderway(1);
    void commands.during(thread, () => new Promise(() => undefined));
    const stop = new AbortController();
    const ended = commands.ended(thread, stop.signal);
    expect(await isSettled(ended)).toBe(false);
    stop.abort();
    await ended;
  });
});
