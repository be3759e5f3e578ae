/** Stands around every model call: waits for a slot, and writes the finished message down before anything acts on it. */
import { getConfig } from "@langchain/langgraph";
import { type AgentMiddleware, AIMessage, createMiddleware } from "langchain";
import { z } from "zod";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { MessageId } from "../../shared/ids.ts";
import type { GatePorts } from "./gate-ports.ts";
import type { ModelSlots } from "./model-slots.ts";
import { usageOf } from "./models/usage-of.ts";
import { currentRun, pathOf, type RunContext, whileBusy } from "./run-context.ts";

const taskConfigSchema = z.object({ __pregel_task_id: z.string(), checkpoint_ns: z.string() });

/** The transcript item of the message that a LangGraph model task writes; the same when a crash makes the task run again. */
export function messageItemId(threadId: string, taskId: string): MessageId {
  return `${threadId}:${taskId}` as MessageId;
}

/**
 * @param model what the person sees as this message's author.
 * @param allowedTools the tools the agent was configured with, `undefined` for all.
 */
export function createModelMiddleware(
  model: ModelRef,
  allowedTools: string[] | undefined,
  slots: ModelSlots,
  ports: Pick<GatePorts, "record">,
): AgentMiddleware {
  return createMiddleware({
    name: "ModelCalls",
    wrapModelCall: async (request, handler) => {
      const context = currentRun();
      const task = taskConfigSchema.parse(getConfig().configurable);
      const leave = await slots.acquire(context.threadId, context.signal);
      try {
        const message = await whileBusy(context, async () =>
          handler(allowedTools ? withTools(request, allowedTools) : request),
        );
        if (AIMessage.isInstance(message)) recordMessage(message, model, context, task, ports);
        return message;
      } finally {
        leave();
      }
    },
  }) as AgentMiddleware;
}

/** Backend tools come with the deep agent; what the configuration leaves out is not shown to the model. */
function withTools<R extends { tools: readonly unknown[] }>(request: R, allowed: string[]): R {
  const named = (tool: unknown) => z.object({ name: z.string() }).safeParse(tool);
  return {
    ...request,
    tools: request.tools.filter((tool) => allowed.includes(named(tool).data?.name ?? "")),
  };
}

function recordMessage(
  message: AIMessage,
  model: ModelRef,
  run: RunContext,
  task: z.infer<typeof taskConfigSchema>,
  ports: Pick<GatePorts, "record">,
): void {
  const itemId = messageItemId(run.threadId, task.__pregel_task_id);
  run.finishedMessages.add(itemId);
  const reasoning = reasoningOf(message);
  ports.record(run.threadId, [
    {
      type: "message.finished",
      itemId,
      turnId: run.turnId,
      ...pathOf(run, task.checkpoint_ns),
      text: message.text,
      reasoning,
      model,
      usage: usageOf(message, model.provider),
      partial: false,
    },
  ]);
}

/** Reasoning as the providers' clients normalise it into content blocks. */
export function reasoningOf(message: {
  content: unknown;
  additional_kwargs?: unknown;
  contentBlocks: unknown;
}): string | undefined {
  if (typeof message.content === "string" && Object.keys(message.additional_kwargs ?? {}).length === 0)
    return undefined;
  const blocks = z
    .array(z.looseObject({ type: z.string(), reasoning: z.string().optional() }))
    .safeParse(message.contentBlocks);
  if (!blocks.success) return undefined;
  const text = blocks.data
    .filter((block) => block.type === "reasoning")
    .map((block) => block.reasoning ?? "")
    .join("");
  return text || undefined;
}
