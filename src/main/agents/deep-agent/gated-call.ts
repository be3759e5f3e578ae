/** What a request of LangGraph's tool node is to the gate: one call, or why it cannot be made. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import { z } from "zod";
import type { InterruptOn } from "../../../shared/contract/agents.ts";
import type { Said } from "../../../shared/contract/approvals.ts";
import type { ToolName } from "../../../shared/tools/tools.ts";
import { withoutMarks } from "../../base/without-marks.ts";
import type { GatedCall } from "../../gate/call.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { faceOf } from "../../gate/tool-face.ts";
import { answerWith, whyUnusable } from "./check-answer.ts";
import { pathOf } from "./graph-run.ts";

/** The parts of LangGraph's task configuration the gate reads (not in its public types; see the contract test beside). */
export const taskConfigSchema = z.object({
  __pregel_task_id: z.string(),
  checkpoint_ns: z.string(),
  __pregel_scratchpad: z.custom<{ resume: unknown[] }>(
    (value) => typeof value === "object" && value !== null && "resume" in value,
  ),
});

type ToolRequest = {
  toolCall: { id?: string; name: string; args: Record<string, unknown> };
  tool: unknown;
  state: { messages: readonly unknown[] };
};
type Task = z.infer<typeof taskConfigSchema>;

/** The call as the gate sees it, with the rule that its agent or sub-agent has for its tool. */
export function toGatedCall(
  request: ToolRequest,
  run: RunContext,
  task: Task,
  interruptOn: InterruptOn,
): GatedCall {
  const { name } = request.toolCall;
  const toolCallId = request.toolCall.id ?? `${task.__pregel_task_id}-call`;
  const key = `${run.threadId}:${task.__pregel_task_id}:${shortId(toolCallId)}`;
  return {
    key,
    threadId: run.threadId,
    turnId: run.turnId,
    itemId: key,
    ...pathOf(task.checkpoint_ns),
    toolCallId,
    tool: name,
    said: endOfWords(answerWith(request.state.messages, toolCallId)?.text ?? ""),
    args: withAbsolutePath(name, request.toolCall.args, run.workspace),
    rule: Object.hasOwn(interruptOn, name) ? interruptOn[name] : undefined,
    argsSchema: schemaOf(request.tool),
    face: faceOf(request.tool),
  };
}

const longestId = 100;

/** Servers make ids of any length; as part of a key, which every row and every frame repeats, a long one is its hash. */
function shortId(id: string): string {
  return id.length <= longestId ? id : createHash("sha256").update(id).digest("hex");
}

/** @returns why this call cannot be made at all, in words for the model; nobody is asked about such a call. */
export async function findProblem(
  call: GatedCall,
  request: ToolRequest,
  allowedTools: string[] | undefined,
): Promise<string | undefined> {
  const unusable = whyUnusable(request.state.messages, call.toolCallId);
  if (unusable !== undefined) return unusable;
  if (allowedTools && !allowedTools.includes(call.tool))
    return `This agent is not allowed to use ${call.tool}. Go on with the tools you have.`;
  if (!request.tool) return `There is no tool named ${call.tool}. Go on with the tools you have.`;
  return findArgumentProblem(call, request.tool);
}

/** As the tool itself would check them, but before anybody is asked about a call that could only fail. */
export async function findArgumentProblem(
  call: Pick<GatedCall, "tool" | "args">,
  tool: unknown,
): Promise<string | undefined> {
  const schema = typeof tool === "object" && tool !== null && "schema" in tool ? tool.schema : undefined;
  if (!isInteropZodSchema(schema)) return undefined;
  const parsed = await interopSafeParseAsync(schema, call.args);
  if (parsed.success) return undefined;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") || "arguments";
  return `The arguments of this ${call.tool} call do not fit, so it was not made: ${field}: ${issue?.message ?? "not as the tool describes them"}.`;
}

const refusesRelativePaths: ToolName = "delete";

/** The delete tool of deepagents 1.14 refuses relative paths, which every other file tool takes. */
export function withAbsolutePath(
  tool: string,
  args: Record<string, unknown>,
  workspace: string,
): Record<string, unknown> {
  const path = args.file_path;
  return tool === refusesRelativePaths && typeof path === "string" && !isAbsolute(path)
    ? { ...args, file_path: join(workspace, path) }
    : args;
}

/** The JSON Schema of a tool's arguments, where it has one that can be written. */
export function schemaOf(tool: unknown): Record<string, unknown> | undefined {
  if (typeof tool !== "object" || tool === null || !("schema" in tool)) return undefined;
  try {
    return z
      .record(z.string(), z.unknown())
      .parse(toJsonSchema(tool.schema as Parameters<typeof toJsonSchema>[0]));
  } catch {
    return undefined;
  }
}

/** Two or three lines of a card, whatever alphabet they are written in. */
const mostBytes = 480;
/** A word is kept whole when it is no longer than this. */
const longestWord = 40;

/**
 * On one line and without the marks of Markdown: what would fill a card with empty lines, or stand in a line of its own like the console's words, cannot.
 * @returns nothing for blanks.
 */
export function endOfWords(text: string): Said | undefined {
  // The end of a text of many megabytes is found without looking at the rest of it.
  const near = text.slice(-8 * mostBytes);
  const words = withoutMarks(near).replace(/\s+/gu, " ").trim().toWellFormed();
  if (words === "") return undefined;
  const kept = lastBytes(words, mostBytes);
  const whole = kept === words && near === text;
  return whole ? { text: words } : { text: kept, leftOut: Math.max(1, bytesOf(text) - bytesOf(kept)) };
}

/** At most so many bytes from the end, from the beginning of a character, and of a word where one is near. */
function lastBytes(text: string, most: number): string {
  const characters = [...text];
  let from = characters.length;
  for (let bytes = 0; from > 0; from -= 1) {
    bytes += bytesOf(characters[from - 1] ?? "");
    if (bytes > most) break;
  }
  const kept = characters.slice(from).join("");
  const space = kept.indexOf(" ");
  return from > 0 && space >= 0 && space < longestWord ? kept.slice(space + 1) : kept;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
