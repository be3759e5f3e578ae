/** One request to a remote server: a bounded time, a bounded body, no redirect, and no address but the one that was saved. */
import { setTimeout } from "node:timers/promises";
import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { visibleText } from "../../base/visible-text.ts";
import { isDeeperThan } from "../../models/nesting.ts";
import { networkOf, parseWebUrl, type Resolve, resolveHost } from "../../web/address-class.ts";
import { requestChecked } from "../../web/checked-request.ts";
import { contentTypeOf, readBody } from "../../web/response-body.ts";
import { PrivateAddressError, WebError } from "../../web/web-error.ts";
import { hiderOf, type KeyHider } from "./hide-key.ts";
import { AuthorityError, sameAuthority } from "./server-authority.ts";

/** Where a server is and who asks it. */
export type Target = Pick<
  RemoteServer,
  "url" | "auth" | "header" | "place" | "authorityFile" | "authorityDigest"
> & { key: string | undefined };

/**
 * Why a server gave no answer that counts. `silent`: nothing was heard · `key`: it wants another key · `no`: it refused ·
 * `odd`: what came is no answer of such a server.
 */
export class ServerError extends Error {
  readonly kind: "silent" | "key" | "no" | "odd";
  readonly status: number | undefined;
  /** False where nothing of the request can have had an effect there. */
  readonly mayHaveActed: boolean;
  constructor(
    kind: ServerError["kind"],
    message: string,
    { status, mayHaveActed = true }: { status?: number; mayHaveActed?: boolean } = {},
  ) {
    super(message);
    this.name = "ServerError";
    this.kind = kind;
    this.status = status;
    this.mayHaveActed = mayHaveActed;
  }
}

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
  { method, path, body, mostBytes, refuse, onRead }: Ask,
  { resolve, timeoutMs }: ServerNetwork,
  signal: AbortSignal,
): Promise<unknown> {
  const over = AbortSignal.timeout(timeoutMs);
  const url = urlOf(target.url, path);
  const text = body === undefined ? undefined : JSON.stringify(body);
  let mayHaveActed = false;
  const onConnected = () => {
    const why = refuse?.();
    if (why !== undefined) throw new ServerError("no", why, { mayHaveActed });
    mayHaveActed = true;
  };
  try {
    if (target.auth !== "none" && target.key === undefined)
      throw new ServerError(
        "key",
        `The key of ${url.host} is locked or not here. Unlock it, or enter it again.`,
        {
          mayHaveActed,
        },
      );
    // Also where the file says otherwise.
    if (url.protocol === "http:" && target.place !== "loopback")
      throw new ServerError("silent", `${url.host} is asked with https:// alone.`, { mayHaveActed });
    const { authorityFile: file, authorityDigest } = target;
    const authority = file === undefined ? undefined : await sameAuthority(file, authorityDigest);
    const response = await requestChecked(url, {
      resolve,
      authority: authority?.certificates,
      refuses: (address) => networkOf(address) !== target.place,
      headers: headersOf(target, text),
      signal: AbortSignal.any([over, signal]),
      method,
      onConnected,
      ...(text !== undefined && { body: text }),
    });
    return await readAnswer({ url, response, mostBytes, onRead, hide: hiderOf(target.key) });
  } catch (error) {
    if (error instanceof ServerError) throw error;
    if (signal.aborted) throw signal.reason;
    throw over.aborted
      ? new ServerError("silent", `${url.host} did not answer within ${timeoutMs / 1000} s.`, {
          mayHaveActed,
        })
      : explain(url, error, mayHaveActed);
  }
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
  response: Awaited<ReturnType<typeof requestChecked>>;
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

function refusal(url: URL, status: number, text: string): ServerError {
  // Nothing is done by a server that says that it was the asker's fault, unless it waited for the end of what it had begun.
  const mayHaveActed = status >= 500 || status === 408;
  if (status === 401 || status === 403)
    return new ServerError("key", `${url.host} does not take this key (${status}).`, {
      status,
      mayHaveActed,
    });
  if (status >= 500) return new ServerError("silent", `${url.host} failed (${status}).`, { status });
  const said = visibleText(text.slice(0, 300));
  return new ServerError("no", `${url.host} refused (${status})${said && `: ${said}`}`, {
    status,
    mayHaveActed,
  });
}

const certificate = /^(?:CERT_|ERR_TLS|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH)/;
const unreachable = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

/** @param mayHaveActed whether the connection stood, and with that something may have been sent */
function explain(url: URL, error: unknown, mayHaveActed: boolean): ServerError {
  return new ServerError("silent", wordsOf(url, error), { mayHaveActed });
}

function wordsOf(url: URL, error: unknown): string {
  if (error instanceof PrivateAddressError)
    return `${url.host} leads to another kind of network than when it was saved, so nothing was sent. Save it again if that is meant.`;
  if (error instanceof WebError || error instanceof AuthorityError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (certificate.test(code))
    return `The certificate of ${url.host} is not trusted here (${code}). If it is signed by an authority of your own, name the file of its certificates.`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return `${url.host} does not speak https there.`;
  if (unreachable.has(code)) return `Nothing answers at ${url.host} (${code}).`;
  return `The connection to ${url.host} broke (${code || messageOf(error)}).`;
}
