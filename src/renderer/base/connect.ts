/** The page's way to its host: a port handed over by Electron's preload, or a WebSocket in the browser. */
import "./zod-without-eval.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { webSocketTransport } from "../../shared/wire/web-socket-transport.ts";

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one that is there
  interface Window {
    /** Exposed by the preload, in Electron only: asks the main process to post a port to this window. */
    countersign?: { connect(): unknown };
  }
}

/** What the preload posts, with exactly one port; also written in the preload, which can import nothing. */
const portMessageType = "countersign:port";
const tokenKey = "countersign.token";
const offerKey = "countersign.code";
/** Where Countersign runs there is a terminal, which is the only place that gives out addresses. */
const howToGetAddress = "Press Enter in the terminal where Countersign runs, and open the address it prints.";
const connectTimeoutMs = 10_000;

/**
 * Opens one new connection.
 * @throws ContractError `forbidden` when trying again is of no use, else `closed`.
 */
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
  const token = await takeToken();
  if (token === null) {
    throw new ContractError("forbidden", `This page has not been let in yet. ${howToGetAddress}`);
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

/**
 * The code in the address is good for one exchange; the token it brings stays in this tab's storage, so that it is in no
 * address, no history and no list of processes (L4). The code is kept there until its answer came, with a claim by which
 * the host knows this tab again: a page that was reloaded at that moment, or heard nothing, asks once more.
 */
async function takeToken(): Promise<string | null> {
  const given = new URLSearchParams(location.hash.slice(1)).get("code");
  if (given !== null) {
    sessionStorage.setItem(offerKey, `${given} ${makeClaim()}`);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  const offer = sessionStorage.getItem(offerKey);
  if (offer !== null) {
    const token = await exchange(offer);
    if (token !== undefined) sessionStorage.setItem(tokenKey, token);
    sessionStorage.removeItem(offerKey);
    if (token === undefined && sessionStorage.getItem(tokenKey) === null) throw usedUp();
  }
  return sessionStorage.getItem(tokenKey);
}

/** 256 bits as base64url, which nobody else can know. */
function makeClaim(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Undefined when the code is used up. */
async function exchange(offer: string): Promise<string | undefined> {
  try {
    const answer = await fetch("/session", {
      method: "POST",
      headers: { Authorization: `Code ${offer}` },
      signal: AbortSignal.timeout(connectTimeoutMs),
    });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    const token = typeof body === "object" && body !== null && "token" in body ? body.token : undefined;
    return typeof token === "string" ? token : undefined;
  } catch {
    throw noAnswer();
  }
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

function usedUp(): ContractError {
  return new ContractError(
    "forbidden",
    `This address has let a page in already, or is too old. ${howToGetAddress}`,
  );
}

function refused(): ContractError {
  const message = `Countersign is running but does not accept this page: it was started anew, or too many pages are open. ${howToGetAddress}`;
  return new ContractError("closed", message);
}
