/** The digest that binds a decision to exactly what was shown: tool, arguments, folder, for a command how far it reaches and for a file its content. */
import { createHash } from "node:crypto";
import type { Width } from "../../shared/contract/decisions.ts";

export type Shown = {
  threadId: string;
  callKey: string;
  tool: string;
  args: unknown;
  cwd: string;
  /** Hash of the file as it was when the diff was drawn; `null` when the file does not exist. */
  baseHash?: string | null;
  /** How far a command may reach. */
  width?: Width | undefined;
};

/** Equal for equal content whatever the order of object keys; different for any other difference. */
export function digestOf(shown: Shown): string {
  return createHash("sha256").update(canonicalJson(shown)).digest("hex");
}

/** JSON with sorted keys; `undefined` members are left out as JSON does. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
