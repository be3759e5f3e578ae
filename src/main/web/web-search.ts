/** Searches the web through the service a person configured; off until then. */
import { z } from "zod";
import { parseWebUrl, resolveHost } from "./address-class.ts";
import { requestChecked } from "./checked-request.ts";
import { acceptedEncodings, readBody } from "./response-body.ts";
import { toWebError, WebError } from "./web-error.ts";

export type WebSearchConfig =
  | { readonly provider: "off" }
  | { readonly provider: "tavily"; readonly apiKey: string; readonly baseUrl?: string }
  | { readonly provider: "searxng"; readonly url: string };

export type WebSearchResult = {
  readonly title: string;
  readonly url: string;
  /** At most 1,000 characters. */
  readonly snippet: string;
};

export type WebSearchOptions = {
  /** The app's version, for the User-Agent. */
  readonly version: string;
  readonly signal?: AbortSignal;
  readonly maxResults?: number;
  readonly timeoutMs?: number;
};

type SearchCall = {
  readonly service: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** What to check when the service refuses with 401 or 403. */
  readonly advice: string;
};

const defaults = { maxResults: 8, timeoutMs: 20_000 };
const maxAnswerBytes = 2_000_000;
const maxSnippetLength = 1_000;

/** Both services name the fields alike. Results that do not fit are left out. */
const answerSchema = z.object({ results: z.array(z.unknown()) });
const resultSchema = z.object({
  title: z.string().nullish(),
  url: z.string(),
  content: z.string().nullish(),
});

function below(base: string, path: string): URL {
  return new URL(path, base.endsWith("/") ? base : `${base}/`);
}

function callOf(query: string, config: WebSearchConfig, maxResults: number): SearchCall {
  if (config.provider === "off") {
    throw new WebError(
      "search-off",
      "Web search is switched off. A person can set Tavily or a SearXNG address in the settings.",
    );
  }
  if (config.provider === "tavily") {
    const url = below(parseWebUrl(config.baseUrl ?? "https://api.tavily.com").href, "search");
    const headers = { authorization: `Bearer ${config.apiKey}`, "content-type": "application/json" };
    const body = JSON.stringify({ query, max_results: maxResults });
    return { service: "Tavily", url, headers, body, advice: "Check the Tavily key in the settings." };
  }
  const url = below(parseWebUrl(config.url).href, "search");
  url.searchParams.set("q", query);
  url.searchParams.set("format", "json");
  const advice = "Allow the json format in its settings.yml (search: formats: [html, json]).";
  return { service: "SearXNG", url, headers: {}, advice };
}

async function callService(call: SearchCall, version: string, signal: AbortSignal): Promise<unknown> {
  const { service, url, body } = call;
  const headers = {
    ...call.headers,
    "user-agent": `Countersign/${version}`,
    accept: "application/json",
    "accept-encoding": acceptedEncodings,
  };
  // The person configured this very address, so it may well be on their own machine.
  const refuses = () => false;
  const method = body === undefined ? "GET" : "POST";
  const response = await requestChecked(url, {
    resolve: resolveHost,
    refuses,
    headers,
    signal,
    method,
    body,
  });
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    response.destroy();
    const refused = status === 401 || status === 403;
    const next = refused ? call.advice : "Try again later, or check its address in the settings.";
    throw new WebError("search-failed", `${service} answered with status ${status}. ${next}`);
  }
  const { text } = await readBody(response, maxAnswerBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WebError(
      "search-failed",
      `${service} did not answer with JSON. Check its address in the settings.`,
      { cause },
    );
  }
}

function toResults(service: string, answer: unknown, maxResults: number): WebSearchResult[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    throw new WebError(
      "search-failed",
      `${service} answered without a list of results. Check its address in the settings.`,
    );
  }
  const results: WebSearchResult[] = [];
  for (const item of parsed.data.results) {
    const { data } = resultSchema.safeParse(item);
    if (!data || results.length === maxResults) continue;
    results.push({
      title: data.title || data.url,
      url: data.url,
      snippet: (data.content ?? "").slice(0, maxSnippetLength),
    });
  }
  return results;
}

/**
 * Searches with the configured service.
 * @throws WebError `search-off` when none is configured, `search-failed` when it refuses or answers nonsense, `timeout`, `network`
 */
export async function webSearch(
  query: string,
  config: WebSearchConfig,
  options: WebSearchOptions,
): Promise<WebSearchResult[]> {
  const { maxResults, timeoutMs } = { ...defaults, ...options };
  const call = callOf(query, config, maxResults);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    signal.throwIfAborted();
    return toResults(call.service, await callService(call, options.version, signal), maxResults);
  } catch (cause) {
    throw toWebError(cause, call.url.origin, { caller: options.signal, timeout });
  }
}
