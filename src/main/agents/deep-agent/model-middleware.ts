/** Stands around every model call: counts it, waits for a slot, and checks the finished message and writes it down before anything acts on it. */
import { getConfig } from "@langchain/langgraph";
import { type AgentMiddleware, AIMessage, createMiddleware } from "langchain";
import { z } from "zod";
import type { ModelRef } from "../../../shared/contract/models.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { giveWay, giveWayAfter } from "../../base/give-way.ts";
import { GateParked } from "../../gate/call.ts";
import type { Journal } from "../../gate/journal.ts";
import { countAsBusy, type RunContext, TurnStopped } from "../../gate/run-context.ts";
import { passSpendingLimit } from "../../gate/spending-limit.ts";
import { withAnswerEnd } from "../../models/answer-end.ts";
import { usageOf } from "../../models/usage-of.ts";
import type { EventLog } from "../../threads/event-log.ts";
import { keptReasoning } from "../../threads/live-text.ts";
import type { ModelSlots } from "../model-slots.ts";
import { type CheckedAnswer, checkAnswer, lastAnswerWasCut } from "./check-answer.ts";
import { countModelCall, currentRun, pathOf } from "./graph-run.ts";
import { parkingOf } from "./parking.ts";

const taskConfigSchema = z.object({ __pregel_task_id: z.string(), checkpoint_ns: z.string() });

/** The transcript item of the message that a LangGraph model task writes; the same when a crash makes the task run again. */
export function messageItemId(threadId: string, taskId: string): MessageId {
  return `${threadId}:${taskId}` as MessageId;
}

/**
 * A hook of its own around the model would be a node of the graph, with a step and a checkpoint for each of its calls.
 *
 * @param callLimit how many calls an agent may make in one run
 * @param model what the person sees as this message's author.
 * @param allowedTools the tools the agent was configured with, `undefined` for all.
 */
export function createModelMiddleware(
  model: ModelRef,
  allowedTools: string[] | undefined,
  callLimit: number,
  slots: ModelSlots,
  journal: Journal,
): AgentMiddleware {
  return createMiddleware({
    name: "ModelCalls",
    wrapModelCall: async (request, handler) => {
      const context = currentRun();
      const task = taskConfigSchema.parse(getConfig().configurable);
      if (countModelCall(task.checkpoint_ns) > callLimit) throw new TurnStopped("failed", tooManyCalls);
      await passLimit(journal, context, task.__pregel_task_id);
      context.loop.leave();
      const leave = await slots.acquire(context.threadId, context.signal);
      try {
        // The middlewares before this one went through the whole conversation, and the provider's client will.
        await giveWay();
        const { result, endedBy } = await withAnswerEnd(() =>
          countAsBusy(context, async () => {
            const answer = await handler(allowedTools ? withTools(request, allowedTools) : request);
            await context.loop.take("answer");
            return answer;
          }),
        );
        if (!AIMessage.isInstance(result)) return result;
        const itemId = messageItemId(context.threadId, task.__pregel_task_id);
        const earlier = request.state.messages;
        // What was said is read here, written down, and written once more into the checkpoint.
        await giveWayAfter([result.content, result.tool_calls]);
        const answer = checkAnswer(result, earlier, itemId, endedBy);
        await giveWayAfter([answer.message.content, answer.message.tool_calls]);
        recordAnswer(answer, model, context, { itemId, namespace: task.checkpoint_ns }, journal.log);
        stopAfterSecondCut(answer, earlier);
        await giveWayAfter([answer.message.content, answer.message.tool_calls]);
        return answer.message;
      } finally {
        leave();
      }
    },
  }) as AgentMiddleware;
}

const tooManyCalls = "The agent reached the limit of model calls for one turn. Resume to let it go on.";

/** Nobody stands in line for a model while a person thinks about its price. */
async function passLimit(journal: Journal, run: RunContext, taskId: string): Promise<void> {
  try {
    await passSpendingLimit(journal, run);
  } catch (error) {
    throw error instanceof GateParked ? parkingOf(taskId) : error;
  }
}

/** The model was told once that its answer broke off; when the next one does too, a person has to do something about it. */
function stopAfterSecondCut({ cut, message }: CheckedAnswer, earlier: readonly unknown[]): void {
  if (!cut || message.tool_calls?.length === 0 || !lastAnswerWasCut(earlier)) return;
  throw new TurnStopped(
    "failed",
    `The model's answer broke off twice in a row: ${cut}. None of its calls was made. Ask for smaller steps or choose another model, then resume.`,
  );
}

/** Backend tools come with the deep agent; what the configuration leaves out is not shown to the model. */
function withTools<R extends { tools: readonly unknown[] }>(request: R, allowed: string[]): R {
  const named = (tool: unknown) => z.object({ name: z.string() }).safeParse(tool);
  return {
    ...request,
    tools: request.tools.filter((tool) => allowed.includes(named(tool).data?.name ?? "")),
  };
}

function recordAnswer(
  { message, cut, empty }: CheckedAnswer,
  model: ModelRef,
  run: RunContext,
  { itemId, namespace }: { itemId: MessageId; namespace: string },
  log: EventLog,
): void {
  const reasoning = reasoningOf(message);
  const finished = {
    type: "message.finished" as const,
    itemId,
    turnId: run.turnId,
    ...pathOf(namespace),
    text: message.text,
    reasoning: keptReasoning(reasoning),
    model,
    usage: usageOf(message, model.provider),
    partial: cut !== undefined,
  };
  const notice = cut
    ? { level: "warning" as const, text: `The model's answer broke off: ${cut}.` }
    : empty
      ? { level: "info" as const, text: "The model ended its answer without a word and without a call." }
      : undefined;
  log.append(run.threadId, [
    finished,
    ...(notice ? [{ type: "notice.added" as const, itemId: `notice:${itemId}`, ...notice }] : []),
  ]);
}

/** What DeepSeek, Qwen, vLLM and others send beside the content; their word for it, and any other type of it is none. */
const aside = z.object({ reasoning_content: z.string() });

/** Reasoning as the providers' clients normalise it into content blocks, or as servers that speak like OpenAI send it. */
export function reasoningOf(message: {
  content: unknown;
  additional_kwargs?: unknown;
  contentBlocks: unknown;
}): string | undefined {
  const kwargs = Object.keys(message.additional_kwargs ?? {});
  // The blocks hold the calls too, whose arguments are read for that.
  if (typeof message.content === "string" && !kwargs.some((name) => name.startsWith("reasoning")))
    return undefined;
  const blocks = z
    .array(z.looseObject({ type: z.string(), reasoning: z.string().optional() }))
    .safeParse(message.contentBlocks);
  const text = (blocks.data ?? [])
    .filter((block) => block.type === "reasoning")
    .map((block) => block.reasoning ?? "")
    .join("");
  return text || aside.safeParse(message.additional_kwargs).data?.reasoning_content || undefined;
}
