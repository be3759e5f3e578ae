/** Puts the gate around every tool call of an agent; the same middleware stands in the agent and in each sub-agent. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import { GraphInterrupt, getConfig, isGraphBubbleUp, isGraphInterrupt } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware, ToolMessage } from "langchain";
import { z } from "zod";
import type { InterruptOn } from "../../../shared/contract/agents.ts";
import { todoSchema } from "../../../shared/contract/thread-events.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { announceCall, CallSuspended, GateParked, passGate, type ToolOutput } from "../../gate/gate.ts";
import type { GatedCall, GatePorts } from "../../gate/gate-ports.ts";
import { currentRun, pathOf, type RunContext } from "../../gate/run-context.ts";
import { faceOf } from "../../gate/tool-face.ts";
import { whyUnusable } from "./check-answer.ts";

const taskArgs = z.object({ subagent_type: z.string() });
const planArgs = z.object({ todos: z.array(todoSchema) });

/** The parts of LangGraph's task configuration the gate reads (not in its public types; see the contract test beside). */
const taskConfigSchema = z.object({
  __pregel_task_id: z.string(),
  checkpoint_ns: z.string(),
  __pregel_scratchpad: z.custom<{ resume: unknown[] }>(
    (value) => typeof value === "object" && value !== null && "resume" in value,
  ),
});

/** @param allowedTools the tools the agent was configured with, `undefined` for all; others are refused whatever asks for them. */
export function createGateMiddleware(
  interruptOn: InterruptOn,
  allowedTools: string[] | undefined,
  ports: GatePorts,
): AgentMiddleware {
  return createMiddleware({
    name: "ApprovalGate",
    wrapToolCall: async (request, handler) => {
      const context = currentRun();
      const task = taskConfigSchema.parse(getConfig().configurable);
      const call = describeCall(request, context, task, interruptOn);
      const problem = await findProblem(call, request, allowedTools);
      if (problem !== undefined) return answerProblem(call, problem, ports);
      registerSubAgent(call, context, task.checkpoint_ns);
      try {
        const passed = await passGate(call, context, ports, async (args) => {
          task.__pregel_scratchpad.resume = ports.answersOf(call);
          try {
            return toOutput(await handler({ ...request, toolCall: { ...request.toolCall, args } }));
          } catch (error) {
            throw isGraphInterrupt(error)
              ? new CallSuspended("The call waits for a person.", { cause: error })
              : error;
          }
        });
        if (kindOf(call.tool) === "plan") tellPlan(call, ports);
        if (passed.kind === "output") return passed.original;
        const status = passed.isError ? "error" : "success";
        return new ToolMessage({
          tool_call_id: call.toolCallId,
          name: call.tool,
          content: passed.text,
          status,
        });
      } catch (thrown) {
        const error = thrown instanceof CallSuspended ? thrown.cause : thrown;
        if (error instanceof GateParked)
          throw new GraphInterrupt([{ id: call.key, value: { parked: call.key } }]);
        if (isGraphInterrupt(error)) fileInterrupts(error, call, ports);
        // What cannot be written down is no failure of the tool: the run ends, and the call is asked about again.
        if (isGraphBubbleUp(error) || context.signal.aborted || ports.isUnwritable(error)) throw error;
        return failedMessage(call, error, context, ports);
      }
    },
  }) as AgentMiddleware;
}

type Request = {
  toolCall: { id?: string; name: string; args: Record<string, unknown> };
  tool: unknown;
  state: { messages: readonly unknown[] };
};
type Task = z.infer<typeof taskConfigSchema>;

function describeCall(request: Request, run: RunContext, task: Task, interruptOn: InterruptOn): GatedCall {
  const { name } = request.toolCall;
  const toolCallId = request.toolCall.id ?? `${task.__pregel_task_id}-call`;
  const key = `${run.threadId}:${task.__pregel_task_id}:${shortId(toolCallId)}`;
  return {
    key,
    threadId: run.threadId,
    turnId: run.turnId,
    itemId: key,
    ...pathOf(run, task.checkpoint_ns),
    toolCallId,
    tool: name,
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
async function findProblem(
  call: GatedCall,
  request: Request,
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
async function findArgumentProblem(call: GatedCall, tool: unknown): Promise<string | undefined> {
  const schema = typeof tool === "object" && tool !== null && "schema" in tool ? tool.schema : undefined;
  if (!isInteropZodSchema(schema)) return undefined;
  const parsed = await interopSafeParseAsync(schema, call.args);
  if (parsed.success) return undefined;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") || "arguments";
  return `The arguments of this ${call.tool} call do not fit, so it was not made: ${field}: ${issue?.message ?? "not as the tool describes them"}.`;
}

function answerProblem(call: GatedCall, problem: string, ports: GatePorts): ToolMessage {
  announceCall(call, ports);
  ports.finishCall(call, { outcome: "failed", result: problem });
  return errorMessage(call, problem);
}

function errorMessage(call: GatedCall, content: string): ToolMessage {
  return new ToolMessage({ tool_call_id: call.toolCallId, name: call.tool, content, status: "error" });
}

/** The delete tool of deepagents 1.14 refuses relative paths, which every other file tool takes. */
function withAbsolutePath(
  tool: string,
  args: Record<string, unknown>,
  workspace: string,
): Record<string, unknown> {
  const path = args.file_path;
  return tool === "delete" && typeof path === "string" && !isAbsolute(path)
    ? { ...args, file_path: join(workspace, path) }
    : args;
}

function schemaOf(tool: unknown): Record<string, unknown> | undefined {
  if (typeof tool !== "object" || tool === null || !("schema" in tool)) return undefined;
  try {
    return z
      .record(z.string(), z.unknown())
      .parse(toJsonSchema(tool.schema as Parameters<typeof toJsonSchema>[0]));
  } catch {
    return undefined;
  }
}

/** Everything that runs inside this `task` call has its namespace as a prefix. */
function registerSubAgent(call: GatedCall, run: RunContext, namespace: string): void {
  if (kindOf(call.tool) !== "delegate") return;
  const name = taskArgs.safeParse(call.args);
  run.subAgents.set(namespace.split("|").at(-1)!, {
    name: name.success ? name.data.subagent_type : "sub-agent",
    itemId: call.itemId,
  });
}

/** A raw interrupt, filed by the innermost gate; the gates around it see the same error pass and leave it alone. */
function fileInterrupts(error: unknown, call: GatedCall, ports: GatePorts): void {
  if (kindOf(call.tool) === "delegate" || !(error instanceof GraphInterrupt)) return;
  for (const { id, value } of error.interrupts) ports.askInterrupt(call, { id: id ?? call.key, value });
}

function tellPlan(call: GatedCall, ports: GatePorts): void {
  const plan = planArgs.safeParse(call.args);
  if (plan.success) ports.planChanged(call, plan.data.todos);
}

/** Whatever went wrong, the call ends in the transcript, and the model hears of it. */
function failedMessage(call: GatedCall, error: unknown, run: RunContext, ports: GatePorts): ToolMessage {
  if (error instanceof Error && error.name === "TurnStopped") throw error;
  run.signal.throwIfAborted();
  const content = `The ${call.tool} call failed: ${error instanceof Error ? error.message : String(error)}`;
  ports.finishCall(call, { outcome: "failed", result: content });
  return errorMessage(call, content);
}

function toOutput<T>(result: T): ToolOutput<T> {
  const messages = toolMessagesIn(result);
  return {
    text: messages.map((message) => message.text).join("\n"),
    isError: messages.some((message) => message.status === "error"),
    original: result,
  };
}

/** A tool answers with a message, or with a command that carries one. */
function toolMessagesIn(result: unknown): ToolMessage[] {
  if (ToolMessage.isInstance(result)) return [result];
  const update = z.object({ update: z.object({ messages: z.array(z.unknown()) }) }).safeParse(result);
  return update.success
    ? update.data.update.messages.filter((message) => ToolMessage.isInstance(message))
    : [];
}
