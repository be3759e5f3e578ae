import { describe, expect, it } from "vitest";
import { backoffMs, readRetryAfterMs, readRetryInfoMs, retryDelayMs } from "./retry-delay.ts";

describe("the pause before a retry", () => {
  it.each([
    ["retry-after", "7", 7_000],
    ["retry-after", "0.5", 500],
    ["retry-after-ms", "250", 250],
    ["retry-after", "Thu, 01 Jan 1970 00:00:09 GMT", 8_000],
    ["retry-after", "soon", undefined],
    ["x-other", "7", undefined],
  ])("is read from %s: %s", (name, value, expected) => {
    expect(readRetryAfterMs(new Headers({ [name]: value }), 1_000)).toBe(expected);
  });

  it("is the provider's when it names one, unless that is longer than a person should wait unasked", () => {
    expect(retryDelayMs(429, 0, 30_000, "")).toBe(30_000);
    expect(retryDelayMs(429, 0, 600_000, "")).toBeUndefined();
  });

  it("grows with every attempt up to a bound", () => {
    const longest = [0, 1, 2, 3, 10, 30].map((attempt) => backoffMs(attempt));
    longest.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual(Math.min(250 * 2 ** ([0, 1, 2, 3, 10, 30][index] ?? 0), 4_000));
      expect(delay).toBeLessThanOrEqual(8_000);
    });
  });

  it.each([400, 401, 404])("is pointless after %i", (status) => {
    expect(retryDelayMs(status, 0, 10, "")).toBeUndefined();
  });

  it("is pointless when the quota is used up", () => {
    expect(retryDelayMs(429, 0, 10, '{"code":"insufficient_quota"}')).toBeUndefined();
  });
});

it("reads the pause that Google asks for in its words", () => {
  const said = (retryDelay: unknown) => JSON.stringify({ error: { details: [{ retryDelay }] } }, null, 2);
  expect(readRetryInfoMs(said("34.5s"))).toBe(34_500);
  for (const other of ["soon", 34, "1m"]) expect(readRetryInfoMs(said(other))).toBeUndefined();
});
