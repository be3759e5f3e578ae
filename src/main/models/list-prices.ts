/**
 * List prices that come with the app, so that the best known models show a cost without any set-up.
 *
 * Only models whose price does not depend on the length of the prompt, and only prices that stand in the provider's
 * own pages: https://platform.claude.com/docs/en/about-claude/pricing and the models' pages beside it, as they were on
 * 2026-10-10. Cache prices follow that page's factors: a tenth of the input for reads, 1.25 of it for five-minute writes.
 */
import type { ModelPrice, Price } from "../../shared/contract/costs.ts";

const listedOn = "2026-10-10";

const anthropic: Record<string, Price> = {
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};

export const listPrices: readonly ModelPrice[] = Object.entries(anthropic).map(([model, price]) => ({
  provider: "anthropic",
  model,
  price,
  listedOn,
}));
