import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withProgress } from "./progress.mjs";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A step that ends when it is told to, or when its signal asks. */
function open(isTTY, options = {}) {
  const said = [];
  const step = Promise.withResolvers();
  const work = (signal) => {
    signal.addEventListener("abort", () => step.resolve("ended"));
    return step.promise;
  };
  const done = withProgress(
    { what: "building", work, ...options },
    { stream: { isTTY, write: (text) => said.push(text) } },
  );
  return { said, done, finish: () => step.resolve("done") };
}

it("says nothing about what is done within three seconds", async () => {
  const { said, done, finish } = open(false);
  await vi.advanceTimersByTimeAsync(2_900);
  finish();
  expect([await done, said]).toEqual([{ result: "done", isStalled: false }, []]);
});

it("writes a line every ten seconds, with how far it is", async () => {
  const { said, done, finish } = open(false, { measure: () => 7, detail: (bytes) => `${bytes} MB` });
  await vi.advanceTimersByTimeAsync(25_000);
  finish();
  await done;
  expect(said).toEqual([3, 13, 23].map((seconds) => `countersign: building: ${seconds} s, 7 MB\n`));
});

it("draws one line anew each second in a terminal", async () => {
  const { said, done, finish } = open(true);
  await vi.advanceTimersByTimeAsync(5_000);
  finish();
  await done;
  expect(said.join("")).toBe(
    `${[3, 4, 5].map((seconds) => `\rcountersign: building: ${seconds} s\u001b[K`).join("")}\n`,
  );
});

describe("something that should go on", () => {
  it("is ended once it stood still for too long, however long it took before", async () => {
    let bytes = 0;
    const { done } = open(false, { measure: () => bytes, stallMs: 60_000 });
    for (bytes = 1; bytes < 100; bytes++) await vi.advanceTimersByTimeAsync(50_000);
    await vi.advanceTimersByTimeAsync(70_000);
    expect(await done).toEqual({ result: "ended", isStalled: true });
  });
});
