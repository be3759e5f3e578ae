/** Ollama's client ignores the signal of a call and cuts long prompts silently; this mends both. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";

/**
 * Without it Ollama gives a model 4,096 tokens and drops the start of a longer prompt, the agent's instructions first.
 * Larger costs memory on the person's machine.
 */
const contextWindow = 16_384;

/** The signal of the call being made, for the fetch underneath: the client between them drops it. */
const callSignal = new AsyncLocalStorage<AbortSignal | undefined>();

/** A local model whose requests end at once when the call is aborted, with a known context window. */
export class GuardedOllamaModel extends ChatOllama {
  constructor(fields: ChatOllamaInput & { fetch: typeof fetch }) {
    super({ ...fields, numCtx: contextWindow, maxRetries: 0, fetch: passSignal(fields.fetch) });
  }

  static override lc_name(): string {
    return "ChatOllama";
  }

  /** Lets the agent summarise before the window is full. */
  override get profile() {
    return { ...super.profile, maxInputTokens: contextWindow };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const chunks = super._streamResponseChunks(messages, options, runManager);
    yield* withSignal(chunks, options.signal);
  }

  override async *_streamChatModelEvents(...call: Parameters<ChatOllama["_streamChatModelEvents"]>) {
    const [, options] = call;
    yield* withSignal(super._streamChatModelEvents(...call), options.signal);
  }
}

async function* withSignal<T>(source: AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await callSignal.run(signal, () => source.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await source.return(undefined);
  }
}

function passSignal(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const signals = [callSignal.getStore(), init?.signal].filter((signal) => signal != null);
    return send(input, signals.length > 0 ? { ...init, signal: AbortSignal.any(signals) } : init);
  };
}
