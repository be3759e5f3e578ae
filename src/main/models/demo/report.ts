/** The demo's closing words: what became of each step, read from the tool results. */
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { kindOf, type ToolKind } from "../../../shared/tools/tools.ts";
import { instructionUsages } from "./instruction.ts";
import type { DemoScript, ScriptedCall } from "./script.ts";

const quoteLimit = 240;
/** Steps whose result is an answer someone gave, worth repeating even when all went well. */
const answeringKinds: readonly ToolKind[] = ["question", "delegate"];

/**
 * Says what happened, or, when the message held no instruction at all, what the demo understands.
 * @param tools the names of the agent's tools; undefined when they are not known.
 */
export function writeReport(
  script: DemoScript,
  messages: readonly BaseMessage[],
  tools: readonly string[] | undefined,
): string {
  const calls = script.turns.flatMap((turn) => turn.calls);
  const understood = calls.length > 0 || script.closing !== "" || script.unknown.some(({ why }) => why);
  if (!understood) return help;
  const outcomes = calls.map((call) => describeOutcome(call, messages, tools));
  const worked = outcomes.filter((outcome) => outcome.worked).length;
  const parts = [
    script.closing,
    calls.length > 0
      ? `Done: ${worked} of ${calls.length} ${calls.length === 1 ? "step" : "steps"} worked.`
      : "",
    outcomes.flatMap((outcome) => outcome.remark ?? []).join("\n"),
    script.unknown
      .map(({ line, why }) =>
        why ? `- \`${line}\`: ${why}.` : `- I did not understand \`${line}\`; send \`help\` for what I obey.`,
      )
      .join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const help = [
  "I am a scripted demo, not an AI: I obey instruction lines and nothing else. These are the lines I know:",
  instructionUsages.map((usage) => `- \`${usage}\``).join("\n"),
  "Lines in one paragraph run in parallel, a blank line starts the next turn. Try `demo tour`.",
].join("\n\n");

/** A tool that a person named and the agent does not have is never called, so that nobody is asked about it. */
export function isMissing(call: ScriptedCall, tools: readonly string[] | undefined): boolean {
  return call.byName && tools !== undefined && !tools.includes(call.name);
}

type Outcome = {
  worked: boolean;
  remark?: string;
};

function describeOutcome(
  call: ScriptedCall,
  messages: readonly BaseMessage[],
  tools: readonly string[] | undefined,
): Outcome {
  const result = messages.findLast(
    (message) => ToolMessage.isInstance(message) && message.tool_call_id === call.id,
  );
  if (!ToolMessage.isInstance(result) && isMissing(call, tools)) {
    const known = tools?.join(", ");
    return {
      worked: false,
      remark: `- \`${call.line}\`: there is no tool ${call.name} here. There are: ${known}.`,
    };
  }
  if (!ToolMessage.isInstance(result)) return { worked: false, remark: `- \`${call.line}\`: no result` };
  const text = result.text.trim();
  const exitCode = /\[Command failed with exit code (-?\d+)\]/.exec(text)?.[1];
  if (exitCode !== undefined) {
    return { worked: false, remark: `- \`${call.line}\`: failed with exit code ${exitCode}` };
  }
  // The file tools report a failure as an ordinary result that begins with "Error".
  if (result.status === "error" || /^(error|cannot)\b/i.test(text)) {
    return { worked: false, remark: `- \`${call.line}\`: did not work: ${quote(text)}` };
  }
  if (call.byName || answeringKinds.includes(kindOf(call.name)))
    return { worked: true, remark: `- \`${call.line}\`: ${quote(text)}` };
  return { worked: true };
}

function quote(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return `“${flat.length > quoteLimit ? `${flat.slice(0, quoteLimit)}…` : flat}”`;
}
