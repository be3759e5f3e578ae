/** Proves with one tiny call that a key and a model id work, before a thread depends on them. */
import type { ModelRef } from "../../shared/contract/models.ts";
import { classifyModelError } from "./classify-model-error.ts";
import { createChatModel, type ModelSecrets } from "./create-chat-model.ts";
import { type ModelError, silentServer } from "./model-error.ts";

/** Long enough for a local model to be loaded from disk. */
const testLimitMs = 60_000;

type ModelTestResult = { ok: true } | { ok: false; error: ModelError };

/** Asks the model for one word, without retries; never throws. */
export async function testModel(
  ref: ModelRef,
  secrets: ModelSecrets,
  limitMs: number = testLimitMs,
): Promise<ModelTestResult> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const model = await createChatModel(ref, secrets, { maxRetries: 0 });
    // As the agents ask: a server that cannot stream fails here, and not in the first thread.
    for await (const _piece of await model.stream("Reply with the single word OK.", { signal }));
    return { ok: true };
  } catch (error) {
    if (!signal.aborted) return { ok: false, error: classifyModelError(error, ref) };
    return { ok: false, error: silentServer(limitMs) };
  }
}
