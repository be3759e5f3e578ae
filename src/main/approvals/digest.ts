/**
 * The digest that binds a decision to exactly what was shown: tool, arguments, folder, for a command how far it reaches, for
 * a file its content, and for what is asked about an end how that came out.
 */
import { createHash } from "node:crypto";
import type { Width } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";

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
  /** What the card tells of what ran before, see `firstRunOf`. */
  firstRun?: FirstRun | undefined;
};

type FirstRun = Extract<Subject, { kind: "escalation" | "response" }>;

/** What a card about a second run, or about a response, tells of what ran before; undefined for any other card. */
export function firstRunOf(subject: Subject): FirstRun | undefined {
  return subject.kind === "escalation" || subject.kind === "response" ? subject : undefined;
}

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
