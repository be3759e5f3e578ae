/** Tells a governed agent's calls of our tools from what it does past them, by what it reports. */
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { toolServer } from "./governing.ts";
import { kindOfCall, mergeCall, nothingSaid, resultOfCall, type SaidOfCall } from "./merge-call.ts";

/** What leaves something changed when an agent does it itself. */
const acts: readonly string[] = ["execute", "edit", "delete", "move"];

/**
 * How agents say, and say nothing else, that what their model called is switched off: Claude Code, and OpenCode. What a
 * command printed before it failed is not in the agent's words, so it never is the whole of them.
 */
const wantOfTool = [
  /^<tool_use_error>Error: No such tool available: [\w.-]+\.?(?: [\w.-]+ is disabled for this session[^<\n]*)?<\/tool_use_error>$/,
  /^Model tried to call unavailable tool '[^'\n]*'\. Available tools: [^\n]*$/,
];

const ours = new RegExp(`^(?:mcp[._]{1,2})?${toolServer}[._]{1,2}([\\w-]+)$`);

/** What it began and never told the end of is forgotten beyond these; a turn ends sooner. */
const mostOpen = 1_000;

/** Ends the turn of an agent that did something itself which was to be done by our tools. */
export class ActedPast extends TurnStopped {
  constructor(agent: string, what: string) {
    super(
      "failed",
      `${agent} did something itself, past the tools of this console: ${shortenText(what, 500)}. That was neither held nor recorded as decided, and is not undone here. Its turn was ended. From now on this thread promises no more than an agent that acts by itself and decides itself what it asks about.`,
    );
  }
}

/** What a governed agent tells of its calls, for as long as its program runs. */
export class Tripwire {
  /** Calls that are not over, by the agent's ids. */
  readonly #open = new Map<string, SaidOfCall>();
  /** How many calls of each tool came to our door whose end the agent has not told. */
  readonly #called = new Map<string, number>();
  readonly #tools = new Map<string, string>();
  readonly #refused = new Set<string>();

  /** Whether the turn ended before the agent said how something it did itself ended. */
  isPastAtEnd(toolCallId: string): boolean {
    const said = this.#open.get(toolCallId);
    return said?.status === "in_progress" && isAct(said) && !this.#tools.has(toolCallId);
  }

  /** A call came to our door. */
  noteCall(tool: string): void {
    this.#called.set(tool, (this.#called.get(tool) ?? 0) + 1);
  }

  /** It asked to do this itself and was told no: when it says that it failed, it obeyed. */
  noteRefused(toolCallId: string): void {
    if (this.#refused.size < mostOpen) this.#refused.add(toolCallId);
  }

  /**
   * Whether what the agent reports is a call of ours, something it may do itself, or an act past us. One that bears the
   * name of our tool and is said to be done without having come to us is pretended. One that failed for
   * want of the tool, or was refused here, is no act: a model may well call what was switched off.
   */
  judge(told: ToolCallUpdate): "ours" | "own" | "past" | "pretended" {
    const { toolCallId } = told;
    const said = mergeCall(this.#open.get(toolCallId) ?? nothingSaid, told);
    const isOver = said.status === "completed" || said.status === "failed";
    this.#open.delete(toolCallId);
    if (!isOver) this.#keep(toolCallId, said);
    const tool = this.#tools.get(toolCallId) ?? toolOf(told, said);
    if (tool === undefined) return isAct(said) && this.#hasActed(toolCallId, said) ? "past" : "own";
    this.#tools.set(toolCallId, tool);
    if (!isOver) return "ours";
    this.#tools.delete(toolCallId);
    const called = this.#called.get(tool) ?? 0;
    // Each call of ours has one end, also where it failed: no other act can be told under its name.
    if (called > 0) this.#called.set(tool, called - 1);
    return called > 0 || said.status === "failed" ? "ours" : "pretended";
  }

  #keep(toolCallId: string, said: SaidOfCall): void {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= mostOpen && oldest !== undefined) {
      this.#open.delete(oldest);
      this.#tools.delete(oldest);
    }
    this.#open.set(toolCallId, said);
  }

  #hasActed(toolCallId: string, said: SaidOfCall): boolean {
    if (said.status === "failed") return !this.#refused.has(toolCallId) && !isWantOfTool(said);
    return said.status === "completed";
  }
}

/** Whether an agent tells of something that leaves a change when it does it itself, by its kind or by what it shows. */
const isAct = (said: SaidOfCall) =>
  acts.includes(kindOfCall(said)) || said.content.some(({ type }) => type === "diff" || type === "terminal");

function isWantOfTool(said: SaidOfCall): boolean {
  const word = memberOf(said.rawOutput, "error") ?? said.rawOutput ?? resultOfCall(said);
  return typeof word === "string" && wantOfTool.some((form) => form.test(word));
}

/** Our tool by the name that the agent gives it: beside the call where it tells one there, else in its title. */
function toolOf({ _meta: meta }: ToolCallUpdate, { title, rawInput }: SaidOfCall): string | undefined {
  const claudes = memberOf(memberOf(meta, "claudeCode"), "toolName");
  // Codex writes this itself; where a program tells the name beside the call, its model may have written it.
  const isNamed =
    memberOf(rawInput, "server") === toolServer && typeof memberOf(rawInput, "tool") === "string";
  if (claudes === undefined && isNamed) return String(memberOf(rawInput, "tool"));
  // A title may be what a command says of itself.
  const [, tool] = ours.exec(String(claudes ?? title ?? "")) ?? [];
  return tool;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
