/** An estimate is made of known prices only, and never shows nothing as zero. */
import { describe, expect, it } from "vitest";
import type { ModelPrice, Price } from "../../shared/contract/costs.ts";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { TokenUse } from "../threads/token-use.ts";
import { estimateCost } from "./spending.ts";

const use = (model: ModelRef, change: Partial<TokenUse> = {}): TokenUse => ({
  model,
  input: 1_000_000,
  output: 100_000,
  cacheRead: 0,
  cacheWrite: 0,
  ...change,
});
const model = (id: string): ModelRef => ({ provider: "openai", model: id });
const prices: Record<string, Pick<ModelPrice, "price" | "listedOn">> = {
  plain: { price: { input: 2, output: 10 } },
  cached: { price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
  listed: { price: { input: 1, output: 1 }, listedOn: "2026-05-01" },
  "listed-before": { price: { input: 1, output: 1 }, listedOn: "2026-02-01" },
  given: { price: { input: 0, output: 0 } satisfies Price },
};
const estimate = (...uses: TokenUse[]) =>
  estimateCost(uses, (ref) => {
    const known = prices[ref.model];
    return known && { provider: ref.provider, model: ref.model, ...known };
  });

describe("an estimate", () => {
  it("adds up what each model read and wrote", () => {
    expect(estimate(use(model("plain")), use(model("cached"), { output: 0 }))?.dollars).toBeCloseTo(5);
  });

  it("charges cached input at its own price where there is one, and like other input where not", () => {
    const cache = { cacheRead: 500_000, cacheWrite: 200_000, output: 0 };
    expect(estimate(use(model("cached"), cache))?.dollars).toBeCloseTo(0.6 + 0.1 + 0.5);
    expect(estimate(use(model("plain"), cache))?.dollars).toBeCloseTo(2);
  });

  it("names each model without a price once, and has no amount when no price is known", () => {
    const unknown = { ...model("unknown"), baseUrl: "https://models.example" };
    expect(estimate(use(unknown), use(model("unknown")))).toEqual({
      unpriced: [{ provider: "openai", model: "unknown" }],
    });
    expect(estimate(use(unknown), use(model("plain")))).toMatchObject({
      dollars: 3,
      unpriced: [{ model: "unknown" }],
    });
  });

  it("tells the oldest list price in it", () => {
    expect(estimate(use(model("listed")), use(model("listed-before")), use(model("plain")))).toMatchObject({
      listedOn: "2026-02-01",
    });
  });

  it.each<[string, ModelRef]>([
    ["the scripted demo", { provider: "demo", model: "demo" }],
    ["Ollama", { provider: "ollama", model: "qwen3:8b" }],
    [
      "a server on this computer",
      { provider: "openai-compatible", model: "x", baseUrl: "http://127.0.0.1:1234/v1" },
    ],
    ["the same by name", { provider: "openai-compatible", model: "x", baseUrl: "http://localhost:1234/v1" }],
    ["the same over IPv6", { provider: "openai-compatible", model: "x", baseUrl: "http://[::1]:1234/v1" }],
    ["a model that is given away", model("given")],
  ])("says nothing about %s", (_what, ref) => {
    expect(estimate(use(ref))).toBeUndefined();
  });

  it("takes a far server whose name looks near, and a near one that passes on, for what they are", () => {
    const far: ModelRef = {
      provider: "openai-compatible",
      model: "x",
      baseUrl: "https://localhost.example/v1",
    };
    const proxy: ModelRef = { provider: "anthropic", model: "y", baseUrl: "http://127.0.0.1:4000" };
    expect(estimate(use(far), use(proxy))?.unpriced).toHaveLength(2);
  });
});
