/** Who may come through the browser's door: one decision over method, path, Host, Origin and token (L2 to L6). */

/** The WebSocket subprotocol the server answers with; the token travels beside it as `auth.<token>`. */
export const wireProtocol = "console.v1";

const wirePath = "/wire";
const authPrefix = "auth.";
/** Where a page exchanges the one-use code of its address for a token: `Authorization: Code <code> <claim of the page>`. */
const sessionPath = "/session";
const codeHeader = /^Code ([\w-]{1,128}(?: [\w-]{43})?)$/;

export type DoorRequest = {
  method: string | undefined;
  url: string | undefined;
  /** As Node gives them: names in lower case, repeated ones joined. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The port this server listens on. */
  port: number;
};

export type Admission =
  | { as: "file"; path: string }
  | { as: "wire"; token: string }
  | { as: "exchange"; code: string }
  | { as: "refused"; status: 401 | 403 | 404 | 405 | 426; reason: string };

/**
 * Never throws, whatever the request holds. `file` says the request may ask; whether the file exists is not decided
 * here, nor whether the code of an `exchange` is good.
 */
export function admit(request: DoorRequest, admits: (token: string) => boolean): Admission {
  const { method, url = "", headers, port } = request;
  const home = `127.0.0.1:${port}`;
  const origin = `http://${home}`;
  if (headers.host !== home) return refuse(403, `Open this console at ${origin}/ and under no other name.`);
  if (headers.origin !== undefined && headers.origin !== origin) {
    return refuse(403, "Another site may not talk to this console.");
  }
  if (url === sessionPath) return admitExchange(request);
  const wantsWire = url === wirePath;
  if (method !== "GET" && (method !== "HEAD" || wantsWire)) return refuse(405, "Only GET is answered here.");
  const isUpgrade = headers.upgrade !== undefined;
  if (wantsWire !== isUpgrade) {
    return wantsWire ? refuse(426, "This address speaks WebSocket only.") : refuse(404, "Nothing is here.");
  }
  if (!wantsWire) return url.startsWith("/") ? { as: "file", path: url } : refuse(404, "Nothing is here.");
  if (String(headers.upgrade).toLowerCase() !== "websocket") return refuse(426, "WebSocket only.");
  if (headers.origin === undefined) return refuse(403, "A connection without an Origin is not accepted.");
  const token = offeredToken(headers["sec-websocket-protocol"]);
  if (token === undefined || !admits(token)) {
    return refuse(401, "The token is missing or belongs to an earlier start.");
  }
  return { as: "wire", token };
}

/** A page of our own sends POST with its Origin; no other page can, since the header alone makes a browser ask first. */
function admitExchange({ method, headers }: DoorRequest): Admission {
  if (method !== "POST") return refuse(405, "Only POST is answered here.");
  if (headers.origin === undefined) return refuse(403, "An exchange without an Origin is not accepted.");
  if (headers.upgrade !== undefined) return refuse(404, "Nothing is here.");
  const code = codeHeader.exec(typeof headers.authorization === "string" ? headers.authorization : "")?.[1];
  return code === undefined ? refuse(401, "The code is missing.") : { as: "exchange", code };
}

/** The token of exactly the two subprotocols `console.v1` and `auth.<token>`, in either order. */
function offeredToken(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string") return undefined;
  const offered = header.split(",").map((protocol) => protocol.trim());
  if (offered.length !== 2 || !offered.includes(wireProtocol)) return undefined;
  return offered.find((protocol) => protocol.startsWith(authPrefix))?.slice(authPrefix.length);
}

function refuse(status: 401 | 403 | 404 | 405 | 426, reason: string): Admission {
  return { as: "refused", status, reason };
}
