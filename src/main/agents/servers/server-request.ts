/** One request to a remote server: a bounded time, a bounded body, no redirect, and no address but the one that was saved. */
import { setTimeout } from "node:timers/promises";
import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import { visibleText } from "../../base/visible-text.ts";
import { isDeeperThan } from "../../models/nesting.ts";
import { networkOf, parseWebUrl, type Resolve, resolveHost } from "../../web/address-class.ts";
import { type CheckedAnswer, requestChecked } from "../../web/checked-request.ts";
import { contentTypeOf, readBody } from "../../web/response-body.ts";
import { hiderOf, type KeyHider } from "./hide-key.ts";
import { sameAuthority } from "./server-authority.ts";
import { explain, refusal, ServerError } from "./server-error.ts";

/** Where a server is and who asks it. */
export type Target = Pick<
  RemoteServer,
  "url" | "auth" | "header" | "place" | "authorityFile" | "authorityDigest"
> & { key: string | undefined };

export type Ask = {
  method: "GET" | "POST";
  /** Below the address of the server; made of ids that were checked. */
  path: string;
  body?: unknown;
  mostBytes: number;
  /** Asked when the connection stands: a sentence why nothing goes out any more. */
  refuse?(): string | undefined;
  /** Told how much came. */
  onRead?(bytes: number): void;
};

/** How requests reach a server. */
export type ServerNetwork = {
  resolve: Resolve;
  timeoutMs: number;
  /** Lets so many milliseconds pass between two looks. @throws the abort reason */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** In milliseconds, of a clock that nobody sets. */
  clock(): number;
};

/** As the system looks names up. */
export const ownNetwork: ServerNetwork = {
  resolve: resolveHost,
  timeoutMs: 10_000,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }),
  clock: () => performance.now(),
};

/** @throws WebError when it is no address of a server */
export function urlOf(base: string, path: string): URL {
  const url = parseWebUrl(base);
  const [below = "", query = ""] = path.split("?");
  url.search = query;
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${below}`;
  return url;
}

/** Deeper than any graph's state, and reading it takes a stack that has an end. */
const deepestAnswer = 150;

/** @returns what its JSON says. @throws ServerError for any other end; the abort reason of `signal`. */
export async function askServer(
  target: Target,
  ask: Ask,
  network: ServerNetwork,
  signal: AbortSignal,
): Promise<unknown> {
  const over = AbortSignal.timeout(network.timeoutMs);
  const url = urlOf(target.url, ask.path);
  let mayHaveActed = false;
  const onConnected = () => {
    const why = ask.refuse?.();
    if (why !== undefined) throw new ServerError("no", why, { mayHaveActed });
    mayHaveActed = true;
  };
  try {
    const until = AbortSignal.any([over, signal]);
    const response = await requestOf(target, { ...ask, url, onConnected }, network, until);
    const { mostBytes, onRead } = ask;
    return await readAnswer({ url, response, mostBytes, onRead, hide: hiderOf(target.key) });
  } catch (error) {
    if (error instanceof ServerError) throw error;
    if (signal.aborted) throw signal.reason;
    throw over.aborted
      ? new ServerError("silent", `${url.host} did not answer within ${network.timeoutMs / 1000} s.`, {
          mayHaveActed,
        })
      : explain(url, error, mayHaveActed);
  }
}

type Sending = Pick<Ask, "method" | "body"> & {
  url: URL;
  headers?: Record<string, string>;
  onConnected?: () => void;
};

/**
 * Asks the address that was saved, with its key and its certificates, and no other.
 * @returns the head of the answer, whose body is still to be read. @throws ServerError, or whatever ended the connection
 */
export async function requestOf(
  target: Target,
  { url, method, body, headers, onConnected }: Sending,
  { resolve }: Pick<ServerNetwork, "resolve">,
  signal: AbortSignal,
): Promise<CheckedAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const unsent = { mayHaveActed: false };
  if (target.auth !== "none" && target.key === undefined)
    throw new ServerError(
      "key",
      `The key of ${url.host} is locked or not here. Unlock it, or enter it again.`,
      unsent,
    );
  // Also where the file says otherwise.
  if (url.protocol === "http:" && target.place !== "loopback")
    throw new ServerError("silent", `${url.host} is asked with https:// alone.`, unsent);
  const { authorityFile: file, authorityDigest } = target;
  const authority = file === undefined ? undefined : await sameAuthority(file, authorityDigest);
  return requestChecked(url, {
    resolve,
    authority: authority?.certificates,
    refuses: (address) => networkOf(address) !== target.place,
    headers: { ...headersOf(target, text), ...headers },
    signal,
    method,
    ...(onConnected && { onConnected }),
    ...(text !== undefined && { body: text }),
  });
}

function headersOf({ auth, header, key }: Target, text: string | undefined): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    ...(text !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    }),
    ...(key !== undefined && auth === "x-api-key" && { "x-api-key": key }),
    ...(key !== undefined && auth === "bearer" && { authorization: `Bearer ${key}` }),
    ...(key !== undefined && auth === "header" && header !== undefined && { [header.toLowerCase()]: key }),
  };
}

type Reading = Pick<Ask, "mostBytes" | "onRead"> & {
  url: URL;
  response: CheckedAnswer;
  hide: KeyHider;
};

async function readAnswer({ url, response, mostBytes, onRead, hide }: Reading): Promise<unknown> {
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) {
    response.destroy();
    const to = visibleText(hide.text(unescaped(String(response.headers.location ?? "")))).slice(0, 200);
    throw new ServerError(
      "odd",
      `${url.host} sends elsewhere, to ${to}. Enter that address if it is the right one.`,
      {
        status,
      },
    );
  }
  // JSON is nothing else, and a page that stands in a message must not say how the message is read.
  const { text: whole, truncated } = await readBody(response, mostBytes, "utf-8");
  onRead?.(Buffer.byteLength(whole));
  if (status >= 400) throw refusal(url, status, hide.text(whole));
  if (truncated)
    throw new ServerError(
      "odd",
      `${url.host} answered with more than ${mostBytes} bytes, which was not read.`,
    );
  if (contentTypeOf(response).type === "text/html")
    throw new ServerError(
      "odd",
      `${url.host} answered with a web page and not with data. Check the address.`,
    );
  const answer = readJson(url, whole);
  if (isDeeperThan(answer, deepestAnswer))
    throw new ServerError("odd", "What came back is nested too deep to be read.");
  // Behind the escapes of JSON, which may stand for any letter.
  return hide.value(answer);
}

function readJson(url: URL, text: string): unknown {
  try {
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    throw new ServerError("odd", `${url.host} answered with something that is no JSON. Check the address.`);
  }
}

/** An address as it reads; what is no address stays as it is. */
function unescaped(location: string): string {
  try {
    return decodeURIComponent(location);
  } catch {
    return location;
  }
}
