/** Why a server gave no answer that counts, in the words that a person reads. */
import { messageOf } from "../../../shared/message-of.ts";
import { visibleText } from "../../base/visible-text.ts";
import { PrivateAddressError, WebError } from "../../web/web-error.ts";
import { AuthorityError } from "./server-authority.ts";

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

/** @param text of the answer, without the key */
export function refusal(url: URL, status: number, text: string): ServerError {
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
export function explain(url: URL, error: unknown, mayHaveActed: boolean): ServerError {
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
