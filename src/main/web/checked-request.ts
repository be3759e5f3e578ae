/** Makes one HTTP request to addresses that were checked at the moment of connecting, so that no name can be rebound in between. */
import type { IncomingMessage } from "node:http";
import type { RequestOptions as HttpsOptions } from "node:https";
import type { LookupFunction } from "node:net";
import { http } from "../base/node-http.ts";
import { hostOf, literalAddress, type Resolve, type ResolvedAddress } from "./address-class.ts";
import { PrivateAddressError, WebError } from "./web-error.ts";

type RequestOptions = {
  readonly resolve: Resolve;
  /** Whether an address must not be connected to. */
  readonly refuses: (address: string) => boolean;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly method?: "GET" | "POST";
  /** Certificates that are trusted in place of those of the system. */
  readonly authority?: string | undefined;
  readonly body?: string;
  /** Called when the connection stands and nothing of the request has left; what it throws ends the request. */
  readonly onConnected?: () => void;
};

/** Its head; the body is still to be read. */
export type CheckedAnswer = IncomingMessage;

async function resolveChecked(url: URL, options: RequestOptions): Promise<readonly ResolvedAddress[]> {
  const host = hostOf(url);
  const literal = literalAddress(host);
  const found = () => options.resolve(host).catch(() => []);
  const addresses = literal ? [literal] : await unlessAborted(found(), options.signal);
  if (addresses.length === 0) {
    throw new WebError(
      "unresolvable",
      `There is no host ${host}, or its name cannot be looked up now. Check the address.`,
    );
  }
  const refused = addresses.find(({ address }) => options.refuses(address));
  if (refused) throw new PrivateAddressError(url.href, refused.address);
  return addresses;
}

/** Looking a name up cannot be stopped; nobody waits for it any longer than for the request. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", end));
}

/** Hands the socket exactly the addresses that were checked; it never looks the name up again. */
function lookupOf(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/**
 * Sends the request and resolves with the answer's head; its body is still to be read.
 * No cookies, no credentials, no proxy, no kept connection.
 * @throws PrivateAddressError before anything is sent; WebError `unresolvable`; the socket's error as it is
 */
export async function requestChecked(url: URL, options: RequestOptions): Promise<CheckedAnswer> {
  const addresses = await resolveChecked(url, options);
  const { method = "GET", headers, signal, body, onConnected, authority } = options;
  // Not an import: Node reads all certificates into memory with it, and a host that is only started needs none.
  const { request } = url.protocol === "https:" ? process.getBuiltinModule("node:https") : http;
  // Said here, since a variable of the environment would switch it off.
  const held: HttpsOptions = {
    agent: false,
    lookup: lookupOf(addresses),
    rejectUnauthorized: true,
    ...(authority !== undefined && { ca: authority }),
  };
  return new Promise((answer, fail) => {
    const sent = request(url, { method, headers, signal, ...held }, answer);
    if (onConnected)
      sent.on("socket", (socket) => {
        // Registered before the request waits for the connection, and so told before it is written.
        socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
          try {
            onConnected();
          } catch (error) {
            sent.destroy(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
    sent.on("error", fail);
    // One that changes the protocol instead of answering is cut by Node without an error.
    sent.on("close", () => fail(new Error("it was closed before an answer")));
    sent.end(body);
  });
}
