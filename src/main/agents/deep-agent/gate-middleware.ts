/** Puts the gate around every tool call of an agent; the same middleware stands in the agent and in each sub-agent. */
import { GraphInterrupt, getConfig, isGraphBubbleUp, isGraphInterrupt } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware, ToolMessage } from "langchain";
import { z } from "zod";
import type { InterruptOn } from "../../../shared/contract/agents.ts";
import { todoSchema } from "../../../shared/contract/thread-events.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { giveWayAfter } from "../../base/give-way.ts";
import { answersOf, askInterrupt } from "../../gate/ask.ts";
import { CallSuspended, type GatedCall, GateParked, type ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import { announceCall, finishCall } from "../../gate/record.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { isDatabaseError } from "../../storage/storage-error.ts";
import { findProblem, taskConfigSchema, toGatedCall } from "./gated-call.ts";
import { currentRun, enterSubAgent } from "./graph-run.ts";
import { parkingOf } from "./parking.ts";

const taskArgs = z.object({ subagent_type: z.string() });
const planArgs = z.object({ todos: z.array(todoSchema) });

/** @param allowedTools the tools the agent was configured with, `undefined` for all; others are refused whatever asks for them. */
export function createGateMiddleware(
  interruptOn: InterruptOn,
  allowedTools: string[] | undefined,
  journal: Journal,
): AgentMiddleware {
  return createMiddleware({
    name: "ApprovalGate",
    wrapToolCall: async (request, handler) => {
      const context = currentRun();
      const task = taskConfigSchema.parse(getConfig().configurable);
      const call = toGatedCall(request, context, task, interruptOn);
      await giveWayAfter(call.args);
      const problem = await findProblem(call, request, allowedTools);
      if (problem !== undefined) return answerProblem(call, problem, journal);
      enterIfDelegated(call, task.checkpoint_ns);
      const act = (args: GatedCall["args"]) => {
        task.__pregel_scratchpad.resume = answersOf(journal, call);
        return callTool(context, () => handler({ ...request, toolCall: { ...request.toolCall, args } }));
      };
      try {
        const passed = await passGate({ journal, call, run: context, act });
        if (kindOf(call.tool) === "plan") tellPlan(call, journal);
        await giveWayAfter(call.args);
        return passed.kind === "output" ? passed.original : toMessage(call, passed.text, passed.isError);
      } catch (thrown) {
        const error = thrown instanceof CallSuspended ? thrown.cause : thrown;
        if (error instanceof GateParked) throw parkingOf(call.key);
        if (isGraphInterrupt(error)) fileInterrupts(error, call, journal);
        // What cannot be written down is no failure of the tool: the run ends, and the call is asked about again.
        if (isGraphBubbleUp(error) || context.signal.aborted || isDatabaseError(error)) throw error;
        return failedMessage(call, error, context, journal);
      }
    },
  }) as AgentMiddleware;
}

async function callTool<T>({ loop }: RunContext, tool: () => T | Promise<T>): Promise<ToolOutput<T>> {
  loop.leave();
  try {
    return toOutput(await tool());
  } catch (error) {
    throw isGraphInterrupt(error)
      ? new CallSuspended("The call waits for a person.", { cause: error })
      : error;
  } finally {
    await loop.take("result");
  }
}

function answerProblem(call: GatedCall, problem: string, journal: Journal): ToolMessage {
  announceCall(journal, call);
  finishCall(journal, call, { outcome: "failed", result: problem });
  return toMessage(call, problem, true);
}

function toMessage(call: GatedCall, content: string, isError: boolean): ToolMessage {
  const status = isError ? "error" : "success";
  return new ToolMessage({ tool_call_id: call.toolCallId, name: call.tool, content, status });
}

function enterIfDelegated(call: GatedCall, namespace: string): void {
  if (kindOf(call.tool) !== "delegate") return;
  const args = taskArgs.safeParse(call.args);
  const name = args.success ? args.data.subagent_type : "sub-agent";
  enterSubAgent(namespace, { name, itemId: call.itemId });
}

/** A raw interrupt, filed by the innermost gate; the gates around it see the same error pass and leave it alone. */
function fileInterrupts(error: unknown, call: GatedCall, journal: Journal): void {
  if (kindOf(call.tool) === "delegate" || !(error instanceof GraphInterrupt)) return;
  for (const { id, value } of error.interrupts) askInterrupt(journal, call, { id: id ?? call.key, value });
}

function tellPlan(call: GatedCall, journal: Journal): void {
  const plan = planArgs.safeParse(call.args);
  if (!plan.success) return;
  const { todos } = plan.data;
  journal.log.append(call.threadId, [{ type: "plan.changed", itemId: `plan:${call.turnId}`, todos }]);
}

/** Whatever went wrong, the call ends in the transcript, and the model hears of it. */
function failedMessage(call: GatedCall, error: unknown, run: RunContext, journal: Journal): ToolMessage {
  if (error instanceof Error && error.name === "TurnStopped") throw error;
  run.signal.throwIfAborted();
  const content = `The ${call.tool} call failed: ${messageOf(error)}`;
  finishCall(journal, call, { outcome: "failed", result: content });
  return toMessage(call, content, true);
}

/** What a tool gave back, as the gate reads it. */
export function toOutput<T>(result: T): ToolOutput<T> {
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
