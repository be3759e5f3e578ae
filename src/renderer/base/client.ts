/** The one place where the renderer keeps its line to the host, so that stores and commands need no props for it. */
import { type CommandId, commandIdSchema } from "../../shared/ids.ts";
import type { ReconnectingClient } from "./reconnecting-client.ts";

export type Client = ReconnectingClient;

let current: Client | undefined;

/** Called once at start, before anything is drawn. */
export function provideClient(client: Client): void {
  current = client;
}

/** @throws Error when called before `provideClient`, which is a mistake in the start order. */
export function client(): Client {
  if (!current) throw new Error("The client was asked for before the window was connected.");
  return current;
}

/** A command id: the same command sent twice with it acts once. */
export function newCommandId(): CommandId {
  return commandIdSchema.parse(crypto.randomUUID());
}
