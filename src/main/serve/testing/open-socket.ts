/** Knocks on a door as a browser page would, or deliberately otherwise. */
import { WebSocket } from "ws";
import type { Access } from "../access.ts";
import type { Door } from "../door.ts";

/** A door and who decides about it. */
export type TestDoor = Pick<Door, "port"> & { access: Access };

/** Headers default to what a page of the door itself sends. */
export function openSocket(
  door: TestDoor,
  changed: { origin?: string | null; host?: string; protocols?: string[]; path?: string } = {},
): WebSocket {
  const home = `127.0.0.1:${door.port}`;
  const { origin = `http://${home}`, host = home, path = "/wire" } = changed;
  const protocols = changed.protocols ?? ["console.v1", `auth.${tokenOf(door)}`];
  return new WebSocket(`ws://${home}${path}`, protocols, {
    headers: { Host: host, ...(origin !== null && { Origin: origin }) },
  });
}

const tokens = new WeakMap<Access, string>();

/** One token of the door, the same at every call. */
export function tokenOf({ access }: Pick<TestDoor, "access">): string {
  const token =
    tokens.get(access) ?? access.exchange(access.issueCode({ lifetimeMs: 60_000, isExposed: false }));
  if (token === undefined) throw new Error("The door did not exchange its own code.");
  tokens.set(access, token);
  return token;
}
