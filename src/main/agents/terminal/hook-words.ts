/** What the hook of an agent in a terminal says and hears: JSON that Claude Code and Codex have in common. */
import { z } from "zod";
import { ContractError } from "../../../shared/contract/errors.ts";
import { jsonBytes, utf8Bytes } from "../../../shared/wire/json-bytes.ts";
import { asciiJson, parseJson } from "../../base/parse-json.ts";
import { isDeeperThan } from "../../models/nesting.ts";

const terminalAgentSchema = z.enum(["claude-code", "codex"]);
export type TerminalAgent = z.infer<typeof terminalAgentSchema>;

/** Names of programs, as their makers write them. */
export const terminalAgentTitles: Readonly<Record<TerminalAgent, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
};

/** So that one card can be read, and a thousand of them kept. */
const mostArgsBytes = 256_000;
/** What is nested deeper nobody reads, and drawing it takes long. */
const mostLevels = 100;

/** Said by a program that nobody trusts: counted in bytes, and nothing a database could not give back as it was. */
const foreignText = (mostBytes: number) =>
  z
    .string()
    .min(1)
    .refine((text) => utf8Bytes(text) <= mostBytes, `No more than ${mostBytes} bytes.`)
    .refine((text) => !/\p{Surrogate}|\0/u.test(text), "No text that can be written down.");

/** When an agent runs its hook, in its own words: before it asks, and when a call ended. */
const eventSchema = z.enum(["PermissionRequest", "PostToolUse", "PostToolUseFailure"]);
export type HookEvent = z.infer<typeof eventSchema>;

/** The agents say more than this, and more with each version. */
const saidSchema = z.object({
  hook_event_name: eventSchema,
  session_id: foreignText(200),
  cwd: foreignText(4_096),
  tool_name: foreignText(200),
  tool_input: z.record(z.string(), z.unknown()),
});

export type TerminalRequest = {
  /** Whether the call is asked about, or has ended. */
  about: "permission" | "end";
  agent: TerminalAgent;
  /** The agent's own name of its session. */
  session: string;
  cwd: string;
  tool: string;
  args: Record<string, unknown>;
};

export type TerminalAnswer = { behavior: "allow" | "deny"; message?: string };

/** @throws ContractError when it is nothing a hook says, or more than anybody could be asked about. */
export function readRequest(agent: string, json: string): TerminalRequest {
  const named = terminalAgentSchema.safeParse(agent);
  const said = saidSchema.safeParse(parseJson(json));
  if (!named.success || !said.success) throw refusal("This is nothing that a hook says.");
  const { hook_event_name, session_id: session, cwd, tool_name: tool, tool_input: args } = said.data;
  const about = hook_event_name === "PermissionRequest" ? "permission" : "end";
  if (isDeeperThan(args, mostLevels - 1) || jsonBytes(args) > mostArgsBytes)
    throw refusal("This is too large to be asked about here.");
  return { about, agent: named.data, session, cwd, tool, args };
}

const refusal = (sentence: string) => new ContractError("invalid-input", sentence);

/** What the hook prints: for this one call and no other, so it never names a rule. */
export function printAnswer({ behavior, message }: TerminalAnswer): string {
  const decision = { behavior, ...(behavior === "deny" && message !== undefined && { message }) };
  return `${asciiJson({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })}\n`;
}
