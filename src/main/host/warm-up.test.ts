import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AgentSource, fewAbilities } from "../agents/source.ts";
import { createSources } from "../engine/sources.ts";
import { createWarmUp } from "./warm-up.ts";

/** Sources of which one has something to load. @returns how often it was asked to. */
function makeSources() {
  const loaded = vi.fn(() => Promise.resolve());
  const bare: AgentSource = { can: fewAbilities, run: async () => "done", forget: async () => {} };
  const sources = createSources(
    new Map([
      ["bare", bare],
      ["heavy", { ...bare, warmUp: loaded }],
    ]),
  );
  return { loaded, sources };
}

const failed = (error: unknown) => expect.unreachable(String(error));
const afterMs = 1_000;
const later = () => vi.advanceTimersByTimeAsync(afterMs);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("what a first turn needs", () => {
  it("is loaded once some while after the first window, however many come", async () => {
    const { loaded, sources } = makeSources();
    const warmUp = createWarmUp([sources.warmUp], afterMs, failed);
    await later();
    expect(loaded, "before any window").not.toHaveBeenCalled();
    warmUp.windowOpened();
    warmUp.windowOpened();
    expect(loaded, "while the window is being painted").not.toHaveBeenCalled();
    await later();
    warmUp.windowOpened();
    await later();
    expect(loaded).toHaveBeenCalledOnce();
  });

  it("is left to the first turn where nothing else was said, and once the host closes", async () => {
    const { loaded, sources } = makeSources();
    createWarmUp([sources.warmUp], undefined, failed).windowOpened();
    const closed = createWarmUp([sources.warmUp], afterMs, failed);
    closed.windowOpened();
    closed.end();
    await later();
    expect(loaded).not.toHaveBeenCalled();
  });

  it("that could not be loaded is told to the log", async () => {
    const { loaded, sources } = makeSources();
    const broken = new Error("no such file");
    loaded.mockRejectedValueOnce(broken);
    const onError = vi.fn();
    createWarmUp([sources.warmUp], afterMs, onError).windowOpened();
    await later();
    expect(onError).toHaveBeenCalledWith(broken);
  });
});
