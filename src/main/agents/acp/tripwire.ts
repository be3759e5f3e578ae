/** Tells a governed agent's calls of our tools from what it does past them, by what it reports. */
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { toolServer } from "./governing.ts";
import { kindOfCall, resultOfCall, type SaidOfCall } from "./merge-call.ts";

/** What leaves something changed when an agent does it itself. */
const acts: readonly string[] = ["execute", "edit", "delete", "move"];

/** How agents say that what their model called is switched off: Claude Code, and OpenCode. */
const wantOfTool = /No such tool available|tried to call unavailable tool/;

const ours = new RegExp(`^(?:mcp[._]{1,2})?${toolServer}[._]{1,2}(\\w+)$`);

/** Ends the turn of an agent that did something itself which was to be done by our tools. */
export class ActedPast extends TurnStopped {
  constructor(agent: string, what: string) {
    super(
      "failed",
      `${agent} did something itself, past the tools of this console: ${shortenText(what, 500)}. That was neither held nor recorded as decided, and is not undone here. Its turn was ended. From now on it acts by itself in this thread and decides itself what it asks about.`,
    );
  }
}

/** One turn of a governed agent. */
export class Tripwire {
  /** How often each tool was called at our door, less what the agent reported as done. */
  readonly #called = new Map<string, number>();
  readonly #tools = new Map<string, string>();

  /** Whether the turn ended before the agent said how something it did itself ended. */
  isPastAtEnd(said: SaidOfCall, toolCallId: string): boolean {
    return said.status === "in_progress" && isAct(said) && !this.#tools.has(toolCallId);
  }

  /** A call came to our door. */
  noteCall(tool: string): void {
    this.#called.set(tool, (this.#called.get(tool) ?? 0) + 1);
  }

  /**
   * Whether what the agent reports is a call of ours, something it may do itself, or an act past us. One that bears the
   * name of our tool and is said to be done without having come to us is an act past us, too. One that failed for
   * want of the tool is none: a model may well call what was switched off, and must not have it switched on again by that.
   */
  judge(told: ToolCallUpdate, said: SaidOfCall): "ours" | "own" | "past" {
    const { toolCallId } = told;
    const tool = this.#tools.get(toolCallId) ?? toolOf(told, said);
    if (tool === undefined) return isAct(said) && hasActed(said) ? "past" : "own";
    this.#tools.set(toolCallId, tool);
    if (told.status !== "completed") return "ours";
    this.#tools.delete(toolCallId);
    const called = this.#called.get(tool) ?? 0;
    this.#called.set(tool, called - 1);
    return called > 0 ? "ours" : "past";
  }
}

/** Whether an agent tells of something that leaves a change when it does it itself. */
const isAct = (said: SaidOfCall) => acts.includes(kindOfCall(said));

function hasActed(said: SaidOfCall): boolean {
  if (said.status === "failed") return !wantOfTool.test(resultOfCall(said));
  return said.status === "completed";
}

/** Our tool by the name that the agent gives it: in its title, or beside it. */
function toolOf({ _meta: meta }: ToolCallUpdate, { title, rawInput }: SaidOfCall): string | undefined {
  const claudes = memberOf(memberOf(meta, "claudeCode"), "toolName");
  if (memberOf(rawInput, "server") === toolServer && typeof memberOf(rawInput, "tool") === "string")
    return String(memberOf(rawInput, "tool"));
  for (const name of [claudes, title]) {
    const [, tool] = ours.exec(String(name ?? "")) ?? [];
    if (tool !== undefined) return tool;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
