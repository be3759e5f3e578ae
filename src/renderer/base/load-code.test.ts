/** Code that the host cannot give now is waited for; code that it does not have is not. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadCode } from "./load-code.ts";
import { useConnection } from "./stores/host-store.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  useConnection.setState(useConnection.getInitialState(), true);
});

it("asks again for as long as the host is away", async () => {
  useConnection.setState({ state: "offline" });
  const load = vi.fn(async (): Promise<string> => Promise.reject(new TypeError("Failed to fetch")));
  const loaded = loadCode(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load.mock.calls.length).toBeGreaterThan(50);
  load.mockResolvedValue("the code");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await loaded).toBe("the code");
});

it("gives up on a host that answers and does not have it, with the cause", async () => {
  useConnection.setState({ state: "online" });
  const cause = new TypeError("Failed to fetch");
  const loaded = loadCode(() => Promise.reject(cause));
  const told = expect(loaded).rejects.toMatchObject({ message: /may have been updated/, cause });
  await vi.advanceTimersByTimeAsync(5_000);
  await told;
});
