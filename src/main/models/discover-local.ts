/** Finds the model servers that run on this computer, so that a person need not type their addresses. */
import { z } from "zod";
import type { ProviderId } from "../../shared/contract/models.ts";

/** A server to look for. */
type LocalServer = {
  label: string;
  provider: ProviderId;
  baseUrl: string;
  /** Where it lists its models. */
  listUrl: string;
};

/** A server that answered, with the ids it offers. */
type DiscoveredServer = {
  label: string;
  provider: ProviderId;
  baseUrl: string;
  models: string[];
};

const probeLimitMs = 1_000;

const knownServers: readonly LocalServer[] = [
  {
    label: "Ollama",
    provider: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    listUrl: "http://127.0.0.1:11434/api/tags",
  },
  {
    label: "LM Studio",
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:1234/v1",
    listUrl: "http://127.0.0.1:1234/v1/models",
  },
];

/** Ollama answers with `models`, the OpenAI protocol with `data`. */
const modelListSchema = z.union([
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map((m) => m.name)),
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map((m) => m.id)),
]);

/** Lists the servers that answer within a second; one that is absent or answers nonsense is left out. */
export async function discoverLocal(
  send: typeof fetch = globalThis.fetch,
  servers: readonly LocalServer[] = knownServers,
): Promise<DiscoveredServer[]> {
  const found = await Promise.all(servers.map((server) => probe(send, server)));
  return found.filter((server) => server !== undefined);
}

async function probe(send: typeof fetch, server: LocalServer): Promise<DiscoveredServer | undefined> {
  try {
    const response = await send(server.listUrl, {
      signal: AbortSignal.timeout(probeLimitMs),
      redirect: "error",
    });
    const models = modelListSchema.parse(await response.json());
    const { label, provider, baseUrl } = server;
    return { label, provider, baseUrl, models };
  } catch {
    return undefined;
  }
}
