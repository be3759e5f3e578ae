/** Knocks on a door as a browser page would, or deliberately otherwise. */
import { WebSocket } from "ws";
import type { Door } from "../door.ts";

/** Headers default to what a page of the door itself sends. */
export function openSocket(
  door: Pick<Door, "url" | "port">,
  changed: { origin?: string | null; host?: string; protocols?: string[]; path?: string } = {},
): WebSocket {
  const home = `127.0.0.1:${door.port}`;
  const { origin = `http://${home}`, host = home, path = "/wire" } = changed;
  const protocols = changed.protocols ?? ["console.v1", `auth.${tokenOf(door)}`];
  return new WebSocket(`ws://${home}${path}`, protocols, {
    headers: { Host: host, ...(origin !== null && { Origin: origin }) },
  });
}

export function tokenOf(door: Pick<Door, "url">): string {
  return new URLSearchParams(new URL(door.url).hash.slice(1)).get("token") ?? "";
}
