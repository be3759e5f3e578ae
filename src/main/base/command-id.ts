/** Names commands, for whoever sends them from a program of Node. */
import { randomUUID } from "node:crypto";
import type { CommandId } from "../../shared/ids.ts";

/** @returns an id that makes a repeated command act once. */
export function newCommandId(): CommandId {
  return randomUUID() as CommandId;
}
