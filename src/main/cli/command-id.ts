/** Names a command that is sent once. */
import { randomUUID } from "node:crypto";
import type { CommandId } from "../../shared/ids.ts";

export function newCommandId(): CommandId {
  return randomUUID() as CommandId;
}
