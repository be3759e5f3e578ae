/** Fetches a page for an agent: readable text, every redirect shown and checked, nothing private unless a person allowed that address. */
import type { IncomingMessage } from "node:http";
import { isPrivateAddress, parseWebUrl, type Resolve, resolveHost, showsAddress } from "./address-class.ts";
import { requestChecked } from "./checked-request.ts";
import { readPageAside } from "./page-reader.ts";
import { acceptedEncodings, contentTypeOf, readBody } from "./response-body.ts";
import { toWebError, WebError } from "./web-error.ts";

export type FetchUrlOptions = {
  /** The app's version, for the User-Agent. */
  readonly version: string;
  readonly signal?: AbortSignal;
  /** A person allowed the private address that the URL itself shows. No name and no redirect leads to another one. */
  readonly allowPrivate?: boolean;
  /** Of decompressed content; the rest is cut off. */
  readonly maxBytes?: number;
  /** For everything together: redirects, head and body. */
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  /** What counts as private; replaced only to try redirects out without the public internet. */
  readonly isPrivate?: (address: string) => boolean;
};

export type FetchedPage = {
  readonly url: string;
  readonly finalUrl: string;
  /** Each address that was redirected to, in order. */
  readonly redirects: string[];
  readonly status: number;
  readonly title?: string;
  readonly text: string;
  readonly truncated: boolean;
};

const defaults = { maxBytes: 1_000_000, timeoutMs: 20_000 };
const maxRedirects = 5;
const redirectStatus = new Set([301, 302, 303, 307, 308]);

function isText(type: string): boolean {
  if (type === "" || type.startsWith("text/")) return true;
  return /^application\/(.*\+)?(json|xml|yaml|javascript|x-ndjson|toml)$/.test(type);
}

async function follow(start: URL, options: FetchUrlOptions, signal: AbortSignal) {
  const { resolve = resolveHost, isPrivate = isPrivateAddress, version } = options;
  const headers = {
    "user-agent": `Countersign/${version}`,
    accept: "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.1",
    "accept-encoding": acceptedEncodings,
  };
  const redirects: string[] = [];
  let url = start;
  for (;;) {
    const granted = options.allowPrivate === true && url.host === start.host;
    const refuses = (address: string) => isPrivate(address) && !(granted && showsAddress(start, address));
    const response = await requestChecked(url, { resolve, refuses, headers, signal });
    const { location } = response.headers;
    if (!redirectStatus.has(response.statusCode ?? 0) || !location) return { response, url, redirects };
    response.destroy();
    if (redirects.length === maxRedirects) {
      throw new WebError(
        "too-many-redirects",
        `${start.href} redirects more than ${maxRedirects} times. Try the last address: ${url.href}`,
      );
    }
    if (!URL.canParse(location, url.href))
      throw new WebError("invalid-url", `${url.href} redirects to ${location}, which is no address.`);
    url = parseWebUrl(new URL(location, url).href);
    redirects.push(url.href);
  }
}

async function readPage(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Pick<FetchedPage, "title" | "text" | "truncated">> {
  const { type } = contentTypeOf(response);
  const isHtml = type === "text/html" || type === "application/xhtml+xml";
  if (!isHtml && !isText(type)) {
    response.destroy();
    throw new WebError(
      "content-type",
      `${url.href} is ${type}, not text. Only pages and text can be read here.`,
    );
  }
  const { text, truncated } = await readBody(response, maxBytes);
  const page = isHtml ? await readPageAside(text, url.href, signal) : { text };
  return { ...page, truncated };
}

/**
 * Gets an address and reads it as text. An HTTP error status is an answer like any other and is in `status`.
 * @throws PrivateAddressError before anything is sent to a private address that was not allowed
 * @throws WebError for no address, no host, no answer in time, too many redirects, or something that is not text
 */
export async function fetchUrl(address: string, options: FetchUrlOptions): Promise<FetchedPage> {
  const { maxBytes, timeoutMs } = { ...defaults, ...options };
  const start = parseWebUrl(address);
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = { caller: options.signal, timeout };
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    signal.throwIfAborted();
    const { response, url, redirects } = await follow(start, options, signal);
    const page = await readPage(response, url, maxBytes, signal);
    return { url: start.href, finalUrl: url.href, redirects, status: response.statusCode ?? 0, ...page };
  } catch (cause) {
    throw toWebError(cause, start.href, stop);
  }
}
