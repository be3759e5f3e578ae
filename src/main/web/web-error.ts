/** Every way the web tools can fail, typed, in words that tell the reader what to do next. */
import { messageOf } from "../../shared/message-of.ts";

type WebErrorCode =
  | "invalid-url"
  | "private-address"
  | "unresolvable"
  | "too-many-redirects"
  | "content-type"
  | "timeout"
  | "network"
  | "search-off"
  | "search-failed";

/** A web request that was refused or failed; `message` is fit for a model or a person. */
export class WebError extends Error {
  readonly code: WebErrorCode;
  constructor(code: WebErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WebError";
    this.code = code;
  }
}

/** The address, or where it redirected to, is not on the public internet; only a person may allow that. */
export class PrivateAddressError extends WebError {
  readonly url: string;
  constructor(url: string, address: string) {
    super(
      "private-address",
      `${url} leads to ${address}, which is on this machine or in a private network. Nothing was sent to it. Ask for this very address if it is meant.`,
    );
    this.name = "PrivateAddressError";
    this.url = url;
  }
}

/** Turns what a request threw into a `WebError`; an abort by the caller keeps its own reason. */
export function toWebError(
  cause: unknown,
  url: string,
  stop: { caller?: AbortSignal; timeout: AbortSignal },
): unknown {
  if (cause instanceof WebError) return cause;
  if (stop.caller?.aborted) return stop.caller.reason;
  if (stop.timeout.aborted) {
    return new WebError("timeout", `${url} did not answer in time. Try again later, or another address.`, {
      cause,
    });
  }
  const why = messageOf(cause);
  return new WebError("network", `${url} could not be fetched: ${why || "no connection"}.`, { cause });
}
