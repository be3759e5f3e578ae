/** Reads how many tokens a model call took from what each provider's client reports of it. */
import type { AIMessage } from "langchain";
import type { ProviderId } from "../../shared/contract/models.ts";
import type { Usage } from "../../shared/contract/thread-events.ts";

/**
 * @returns whole tokens, the cached ones being part of the input; `undefined` when the provider reported none,
 *   which is not the same as a call without tokens.
 */
export function usageOf(message: AIMessage, provider: ProviderId): Usage | undefined {
  const usage = message.usage_metadata;
  if (!usage) return undefined;
  const inputTokens = whole(usage.input_tokens);
  const read = Math.min(inputTokens, whole(usage.input_token_details?.cache_read));
  const written = Math.min(inputTokens - read, whole(usage.input_token_details?.cache_creation));
  return {
    inputTokens,
    // Google's client leaves what the model thought out of its output, though it is output and billed as such.
    outputTokens:
      provider === "google"
        ? Math.max(whole(usage.output_tokens), whole(usage.total_tokens) - inputTokens)
        : whole(usage.output_tokens),
    ...(read > 0 && { cacheReadTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}

/** More than any call takes, and little enough that sums of it stay whole numbers. */
const mostTokens = 1_000_000_000;

/** A server may report anything. */
function whole(tokens: number | undefined): number {
  return Number.isFinite(tokens) ? Math.min(mostTokens, Math.max(0, Math.round(tokens as number))) : 0;
}
