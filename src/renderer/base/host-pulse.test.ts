import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { defaultSettings } from "../../shared/contract/console.ts";
import type { Client } from "../../shared/wire/client.ts";
import { followPulse } from "./host-pulse.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells within seconds that a connected host is frozen, once, and that it answers again", async () => {
  let thaw: (() => void) | undefined;
  let isFrozen = false;
  let asked = 0;
  const call = () => {
    asked += 1;
    if (!isFrozen) return Promise.resolve(defaultSettings);
    return new Promise((resolve) => {
      thaw = () => resolve(defaultSettings);
    });
  };
  const heard: boolean[] = [];
  const stop = followPulse(
    { call } as unknown as Client,
    () => true,
    (isSilent) => void heard.push(isSilent),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heard).not.toContain(true);
  isFrozen = true;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(heard.at(-1)).toBe(true);
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
  isFrozen = false;
  thaw?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard.at(-1)).toBe(false);
  stop();
});
