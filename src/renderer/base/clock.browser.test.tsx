/** What time a view shows that comes after nobody looked at the clock for a while. */
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { useNow } from "./clock.ts";

function Clock() {
  return useNow(30_000);
}

/** @returns what it shows, and its end */
function openClock() {
  const container = document.createElement("div");
  const root = createRoot(container);
  onTestFinished(() => root.unmount());
  root.render(<Clock />);
  return { shown: () => Number(container.textContent), close: () => root.unmount() };
}

it.each([
  ["however short the pause was in which nobody looked", 29_000],
  ["also where the system's clock was put back meanwhile", -3_600_000],
])("is the time of now, %s", async (_when, passedMs) => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const before = openClock();
  await expect.poll(before.shown).toBeGreaterThan(0);
  before.close();
  vi.setSystemTime(Date.now() + passedMs);
  const now = Date.now();
  await expect.poll(openClock().shown).toBe(now);
});
