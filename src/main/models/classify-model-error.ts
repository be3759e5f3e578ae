/** Tells apart what the provider clients throw, each in its own way, so that the person reads one honest sentence. */
import type { ModelRef } from "../../shared/contract/models.ts";
import {
  interruptedStream,
  ModelError,
  type ModelErrorCode,
  malformedResponse,
  stripKeys,
} from "./model-error.ts";
import { quotaGone } from "./retry-delay.ts";

const detailLimit = 300;
/** Every middleware an error passes wraps it once more; the bound only stops a circle. */
const chainLimit = 50;

const stopped = /\b(?:AbortError|ModelAbortError|APIUserAbortError)\b/;
const networkTrouble =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_|CERT_|SELF_SIGNED|fetch failed|Connection error|APIConnection|TimeoutError|[Tt]imed? ?out/;
const cut =
  /\bterminated\b|other side closed|premature close|socket hang up|reading from the stream|aborted by the server/i;
const unreadable =
  /Error parsing JSON|Failed to parse stream|is not valid JSON|Unexpected (?:token|end of JSON)|JSON at position|empty response from chat model|No chunks returned/i;
const tooLong =
  /CONTEXT_OVERFLOW|context_length_exceeded|prompt is too long|maximum context length|context (?:window|length|size)|too many (?:input )?tokens|input token count.*exceed|exceeds? the (?:configured )?limit.*tokens|request_too_large/i;
const badKey =
  /API_KEY_INVALID|api key not valid|invalid[_ ](?:x-)?api[_ -]?key|incorrect api key|authentication_error|invalid_api_key|unauthorized/i;
const noModel =
  /model_not_found|not_found_error|model\b[^.\n]{0,120}\b(?:not found|does not exist|is not supported|not exist)|unknown model|no such model/i;
const noTools =
  /(?:\bnot|n't) support (?:tools?|functions?)\b|\b(?:tools?|functions?)(?:[ _-](?:use|calls?|calling))? (?:is|are) not supported\b/i;
const busy = /rate[_ ]limit|overloaded|resource_exhausted|too many requests/i;

type Facts = {
  /** Names, codes and messages of the error and its causes, for matching only. */
  haystack: string;
  /** What the provider said, safe to show. */
  detail: string;
  status: number | undefined;
  /** The model as a person knows it. */
  model: string;
  /** The server's address, where it is not the provider's own. */
  baseUrl: string | undefined;
};

type Rule = {
  code: ModelErrorCode;
  retryable: boolean;
  matches: (facts: Facts) => boolean;
  message: (facts: Facts) => string;
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const said = ({ detail }: Facts) => (detail ? ` It said: ${detail}` : "");

/** The first rule that matches wins: the more telling sign stands before the more general. */
const rules: readonly Rule[] = [
  {
    code: "other",
    retryable: true,
    matches: ({ haystack }) => stopped.test(haystack),
    message: () => "The model call was stopped before it finished.",
  },
  {
    code: "context-too-long",
    retryable: false,
    matches: ({ haystack, status }) => status === 413 || tooLong.test(haystack),
    message: ({ model }) =>
      `The conversation is too long for ${model}. Start a new thread, or pick a model with a larger context.`,
  },
  {
    code: "wrong-key",
    retryable: false,
    matches: ({ haystack, status }) => status === 401 || status === 403 || badKey.test(haystack),
    message: (facts) =>
      `The provider refused the API key.${facts.status === 403 ? said(facts) : ""} Check the key in Settings, then retry.`,
  },
  {
    code: "rate-limited",
    retryable: false,
    matches: ({ haystack }) => quotaGone.test(haystack),
    message: (facts) =>
      `The account behind the API key has no quota left. Add credit or use another key.${said(facts)}`,
  },
  {
    code: "rate-limited",
    retryable: true,
    matches: ({ haystack, status }) => status === 429 || status === 529 || busy.test(haystack),
    message: () => "The provider is limiting requests or overloaded. Wait a moment, then retry.",
  },
  {
    code: "other",
    retryable: false,
    matches: ({ haystack, status }) => status !== undefined && status < 500 && noTools.test(haystack),
    message: (facts) =>
      `${upperFirst(facts.model)} cannot call tools, which an agent needs. Choose another model.${said(facts)}`,
  },
  {
    code: "unknown-model",
    retryable: false,
    matches: ({ haystack, status }) => status === 404 || noModel.test(haystack),
    message: (facts) =>
      `The provider does not know ${facts.model} at this address. Check the model id and the base URL.${said(facts)}`,
  },
  {
    code: "other",
    retryable: true,
    matches: ({ status }) => status !== undefined && status >= 500,
    message: (facts) =>
      `The provider had an internal error (${facts.status}). Wait a moment, then retry.${said(facts)}`,
  },
  {
    code: "unreachable",
    retryable: true,
    matches: ({ haystack, status }) =>
      status === 408 || (status === undefined && networkTrouble.test(haystack)),
    message: ({ baseUrl }) =>
      `The model's server${baseUrl ? ` at ${stripKeys(baseUrl)}` : ""} could not be reached, or hung up. Check the network and that the server runs, then retry.`,
  },
  {
    code: "other",
    retryable: false,
    matches: ({ status }) => status !== undefined,
    message: (facts) => `The provider refused the request (${facts.status}).${said(facts)}`,
  },
];

/**
 * Turns anything a model call threw into a ModelError; one that already is one comes back as it is.
 * @param ref names the model in the message when it is known.
 */
export function classifyModelError(error: unknown, ref?: ModelRef): ModelError {
  return knownModelError(error, ref) ?? unknownModelError(error, ref);
}

/** As `classifyModelError`; undefined for what does not show that it came from a model's server. */
export function answeredModelError(error: unknown): ModelError | undefined {
  const known = knownModelError(error);
  return known?.code === "other" && chainOf(error).every((link) => statusOf(link) === undefined)
    ? undefined
    : known;
}

function knownModelError(error: unknown, ref?: ModelRef): ModelError | undefined {
  const chain = chainOf(error);
  const known = chain.find((link) => link instanceof ModelError);
  if (known) return known;
  const facts = gatherFacts(chain, ref);
  // Before the first byte nothing was interrupted, whatever the socket's error is called.
  const begun = facts.status === undefined && !facts.haystack.includes("fetch failed");
  if (begun && cut.test(facts.haystack)) return interruptedStream("was cut off");
  if (facts.status === undefined && unreadable.test(facts.haystack)) return malformedResponse("");
  const rule = rules.find(({ matches }) => matches(facts));
  return rule && new ModelError(rule.code, rule.message(facts), { retryable: rule.retryable });
}

function unknownModelError(error: unknown, ref?: ModelRef): ModelError {
  const chain = chainOf(error);
  const facts = gatherFacts(chain, ref);
  // Of a known call it is the provider's client, which fell over an answer that it did not foresee.
  if (ref && chain.some(isFault)) return malformedResponse("", error);
  const message = `The model call failed: ${facts.detail || "no reason was given"}`;
  return new ModelError("other", message, { retryable: true });
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link != null && chain.length < chainLimit; link = property(link, "cause")) {
    chain.push(link);
  }
  return chain;
}

/** What programs throw where they meet a value that they do not handle; a header that cannot be sent is none. */
function isFault(link: unknown): boolean {
  const isKind = link instanceof TypeError || link instanceof RangeError || link instanceof ReferenceError;
  return isKind && !("code" in link);
}

function gatherFacts(chain: readonly unknown[], ref: ModelRef | undefined): Facts {
  const messages = chain.map((link) => (typeof link === "string" ? link : text(property(link, "message"))));
  const names = chain.flatMap((link) =>
    ["name", "code", "type", "lc_error_code"].map((key) => text(property(link, key))),
  );
  const classNames = chain.map((link) => text(property(property(link, "constructor"), "name")));
  const body = chain.map((link) => property(link, "error")).find((value) => value != null);
  const words = text(property(property(body, "error"), "message")) || text(property(body, "message"));
  const shown = words || messages.find((message) => message !== "") || "";
  return {
    haystack: [...messages, ...names, ...classNames, safeJson(body)].join("\n"),
    detail: shorten(stripKeys(shown.replace(/\s*Troubleshooting URL:.*$/s, ""))),
    status: chain.map(statusOf).find((status) => status !== undefined),
    model: ref ? `“${ref.model}”` : "the model",
    baseUrl: ref?.baseUrl,
  };
}

function statusOf(link: unknown): number | undefined {
  const candidates = [
    property(link, "status"),
    property(link, "status_code"),
    property(link, "statusCode"),
    property(property(link, "response"), "status"),
  ];
  return candidates.find((value): value is number => typeof value === "number" && value >= 400);
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" || typeof value === "function" ? Reflect.get(value ?? {}, key) : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function shorten(message: string): string {
  const flat = message.replace(/\s+/g, " ").trim();
  return flat.length > detailLimit ? `${flat.slice(0, detailLimit)}…` : flat;
}
