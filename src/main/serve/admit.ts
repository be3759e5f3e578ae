/** Who may come through the browser's door: one pure decision over method, path, Host, Origin and token (L2 to L6). */
import { createHash, timingSafeEqual } from "node:crypto";

/** The WebSocket subprotocol the server answers with; the token travels beside it as `auth.<token>`. */
export const wireProtocol = "console.v1";

const wirePath = "/wire";
const authPrefix = "auth.";

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
  | { as: "wire" }
  | { as: "refused"; status: 401 | 403 | 404 | 405 | 426; reason: string };

/** Never throws, whatever the request holds. `file` says the request may ask; whether the file exists is not decided here. */
export function admit(request: DoorRequest, token: string): Admission {
  const { method, url = "", headers, port } = request;
  const home = `127.0.0.1:${port}`;
  const origin = `http://${home}`;
  if (headers.host !== home) return refuse(403, `Open this console at ${origin}/ and under no other name.`);
  if (headers.origin !== undefined && headers.origin !== origin) {
    return refuse(403, "Another site may not talk to this console.");
  }
  const wantsWire = url === wirePath;
  if (method !== "GET" && (method !== "HEAD" || wantsWire)) return refuse(405, "Only GET is answered here.");
  const isUpgrade = headers.upgrade !== undefined;
  if (wantsWire !== isUpgrade) {
    return wantsWire ? refuse(426, "This address speaks WebSocket only.") : refuse(404, "Nothing is here.");
  }
  if (!wantsWire) return url.startsWith("/") ? { as: "file", path: url } : refuse(404, "Nothing is here.");
  if (String(headers.upgrade).toLowerCase() !== "websocket") return refuse(426, "WebSocket only.");
  if (headers.origin === undefined) return refuse(403, "A connection without an Origin is not accepted.");
  if (!offersToken(headers["sec-websocket-protocol"], token)) {
    return refuse(401, "The token is missing or belongs to an earlier start.");
  }
  return { as: "wire" };
}

/** True for exactly the two subprotocols `console.v1` and `auth.<token>`, in either order. */
function offersToken(header: string | readonly string[] | undefined, token: string): boolean {
  if (typeof header !== "string") return false;
  const offered = header.split(",").map((protocol) => protocol.trim());
  if (offered.length !== 2 || !offered.includes(wireProtocol)) return false;
  const given = offered.find((protocol) => protocol.startsWith(authPrefix));
  return given !== undefined && isSameSecret(given.slice(authPrefix.length), token);
}

/** Compares hashes, so neither content nor length shows in the time it takes. */
function isSameSecret(given: string, expected: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

function refuse(status: 401 | 403 | 404 | 405 | 426, reason: string): Admission {
  return { as: "refused", status, reason };
}
