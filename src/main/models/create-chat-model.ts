/** Builds the chat model a reference names; each provider's package is loaded when it is first used. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ModelRef, ProviderId } from "../../shared/contract/models.ts";
import { createGuardedFetch, defaultTransport, type Transport } from "./guarded-fetch.ts";
import { ModelError } from "./model-error.ts";
import { providers } from "./providers.ts";

/** Where keys come from; the process environment is never read for them. */
export type ModelSecrets = {
  /** @param baseUrl the address the key will be sent to, when it is not the provider's own. */
  apiKeyFor(provider: ProviderId, baseUrl?: string): string | undefined;
};

/** Longer than any wait of our own, so that the clients' clocks never cut in with a vaguer error. */
const clientTimeoutMs = 3_600_000;
/** The client's own limit for an id it has not heard of, 4,096, cuts off a file being written. */
const anthropicMaxTokens = 16_384;
/** The clients refuse to start without a key, and servers that want none ignore it. */
const noKey = "none";

/** The package that speaks with each provider. */
const clients = {
  demo: () => import("./demo/demo-chat-model.ts"),
  anthropic: () => import("@langchain/anthropic"),
  openai: () => import("@langchain/openai"),
  "openai-compatible": () => import("@langchain/openai"),
  google: () => import("./google-model.ts"),
  ollama: () => import("./ollama-model.ts"),
} satisfies Record<ProviderId, () => Promise<unknown>>;

/** Loads what speaks with this provider, and Node's own `fetch` with it, so that its first model does not wait for them. */
export async function loadClient(provider: ProviderId): Promise<void> {
  await clients[provider]();
  if (provider !== "demo") new Headers();
}

/** What the builders need, complete. */
type Connection = {
  model: string;
  baseUrl: string;
  apiKey: string | undefined;
  transport: Transport;
};

/**
 * Builds the model of `ref`: the id in it is the id sent. Its calls retry what may pass (429 after the pause the
 * provider asks for) a bounded number of times, and fail rather than end early; see `classifyModelError`.
 * @throws ModelError `missing-key` without a key where one is needed, `other` without a needed base URL.
 */
export async function createChatModel(
  ref: ModelRef,
  secrets: ModelSecrets,
  transport: Partial<Transport> = {},
): Promise<BaseChatModel> {
  if (ref.provider === "demo") {
    const { DemoChatModel } = await clients.demo();
    return new DemoChatModel();
  }
  const facts = providers[ref.provider];
  const baseUrl = (ref.baseUrl ?? facts.baseUrl)?.replace(/\/+$/, "");
  if (!baseUrl) {
    throw new ModelError("other", `${facts.label} needs a base URL. Set one for this model in Settings.`, {
      retryable: false,
    });
  }
  const apiKey = secrets.apiKeyFor(ref.provider, ref.baseUrl) || undefined;
  if (facts.needsKey && !apiKey) {
    throw new ModelError("missing-key", `${facts.label} needs an API key. Add one in Settings, then retry.`, {
      retryable: false,
    });
  }
  return builders[ref.provider]({
    model: ref.model,
    baseUrl,
    apiKey,
    transport: { ...defaultTransport, ...transport },
  });
}

type Builder = (connection: Connection) => Promise<BaseChatModel>;

const builders: Record<Exclude<ProviderId, "demo">, Builder> = {
  anthropic: buildAnthropic,
  openai: async (connection) => {
    const { ChatOpenAI } = await clients.openai();
    return new ChatOpenAI(openAiFields(connection));
  },
  // Other servers speak the completions protocol only, whatever their model ids look like.
  "openai-compatible": async (connection) => {
    const { ChatOpenAICompletions } = await clients["openai-compatible"]();
    return new ChatOpenAICompletions(openAiFields(connection));
  },
  google: buildGoogle,
  ollama: buildOllama,
};

async function buildAnthropic({ model, baseUrl, apiKey, transport }: Connection): Promise<BaseChatModel> {
  const { ChatAnthropic } = await clients.anthropic();
  return new ChatAnthropic({
    model,
    apiKey: apiKey ?? noKey,
    anthropicApiUrl: baseUrl,
    maxRetries: 0,
    streaming: true,
    maxTokens: model.startsWith("claude-3-") ? undefined : anthropicMaxTokens,
    clientOptions: {
      fetch: createGuardedFetch("anthropic", apiKey, transport),
      authToken: null,
      timeout: clientTimeoutMs,
      logLevel: "off",
    },
  });
}

/** Without `streaming`: an invoke that streams downloads a token table from a third party to count its tokens. */
function openAiFields({ model, baseUrl, apiKey, transport }: Connection) {
  return {
    model,
    apiKey: apiKey ?? noKey,
    maxRetries: 0,
    timeout: clientTimeoutMs,
    configuration: {
      baseURL: baseUrl,
      fetch: createGuardedFetch("openai", apiKey, transport),
      organization: null,
      project: null,
      logLevel: "off" as const,
    },
  };
}

async function buildGoogle({ model, baseUrl, apiKey, transport }: Connection): Promise<BaseChatModel> {
  const { GuardedGoogleModel } = await clients.google();
  const send = createGuardedFetch("google", apiKey, transport);
  return new GuardedGoogleModel({ model, apiKey: apiKey ?? noKey, baseUrl }, send);
}

async function buildOllama({ model, baseUrl, apiKey, transport }: Connection): Promise<BaseChatModel> {
  const { GuardedOllamaModel } = await clients.ollama();
  const send = createGuardedFetch("ollama", apiKey, transport);
  return new GuardedOllamaModel({
    model,
    baseUrl,
    // Set here even when there is no key: for its own cloud the client adds one from the environment.
    fetch: (input, init) => send(input, { ...init, headers: withAuthorization(init?.headers, apiKey) }),
  });
}

function withAuthorization(given: RequestInit["headers"], apiKey: string | undefined): Headers {
  const headers = new Headers(given);
  headers.delete("authorization");
  if (apiKey) headers.set("authorization", `Bearer ${apiKey}`);
  return headers;
}
