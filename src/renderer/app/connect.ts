/** The page's way to its host: a port handed over by Electron's preload, or a WebSocket in the browser. */
import "./zod-without-eval.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { webSocketTransport } from "../../shared/wire/web-socket-transport.ts";

declare global {
  interface Window {
    /** Exposed by the preload, in Electron only: asks the main process to post a port to this window. */
    countersign?: { connect(): unknown };
  }
}

/** What the preload posts, with exactly one port; also written in the preload, which can import nothing. */
const portMessageType = "countersign:port";
const tokenKey = "countersign.token";
const connectTimeoutMs = 10_000;

/** Opens one new connection. Throws ContractError `forbidden` when trying again is of no use, else `closed`. */
export async function connect(): Promise<Transport> {
  return window.countersign === undefined ? connectBySocket() : connectByPort(window.countersign);
}

async function connectByPort(bridge: { connect(): unknown }): Promise<Transport> {
  const { promise, resolve, reject } = Promise.withResolvers<MessagePort>();
  const receive = (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (event.source === window && event.origin === location.origin && isPortMessage(event.data) && port) {
      resolve(port);
    }
  };
  const timer = setTimeout(() => reject(noAnswer()), connectTimeoutMs);
  window.addEventListener("message", receive);
  try {
    await bridge.connect();
    return messagePortTransport(await promise);
  } finally {
    clearTimeout(timer);
    window.removeEventListener("message", receive);
  }
}

async function connectBySocket(): Promise<Transport> {
  const token = takeToken();
  if (token === null) {
    const message =
      "This address has no access token. Open the whole address that Countersign printed at its start.";
    throw new ContractError("forbidden", message);
  }
  const socket = new WebSocket(`ws://${location.host}/wire`, ["console.v1", `auth.${token}`]);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.close(), connectTimeoutMs);
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("close", () => reject(noAnswer()));
  try {
    await promise;
  } catch (error) {
    throw (await isHostThere()) ? refused() : error;
  } finally {
    clearTimeout(timer);
  }
  return webSocketTransport(socket);
}

/** The token moves from the address to this tab's storage, so that it is in no history and no screenshot (L4). */
function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(tokenKey);
}

/** A browser does not tell a page why a WebSocket failed; whether the page itself still comes does. */
async function isHostThere(): Promise<boolean> {
  try {
    return (await fetch("/", { method: "HEAD", signal: AbortSignal.timeout(connectTimeoutMs) })).ok;
  } catch {
    return false;
  }
}

function isPortMessage(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === portMessageType;
}

function noAnswer(): ContractError {
  return new ContractError("closed", "Countersign does not answer. Is it still running?");
}

function refused(): ContractError {
  const message =
    "Countersign is running but does not accept this page: it was started anew, or too many pages are open. Open the address it printed last, or close other pages.";
  return new ContractError("closed", message);
}
