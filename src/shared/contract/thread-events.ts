/** The append-only log of a thread: what happened, in past tense, each event durable before anyone is told. */
import { z } from "zod";
import {
  approvalIdSchema,
  executionIdSchema,
  messageIdSchema,
  threadIdSchema,
  turnIdSchema,
} from "../ids.ts";
import { decidedBySchema, decisionSchema, verdictSchema, widthSchema } from "./decisions.ts";
import { modelRefSchema } from "./models.ts";
import { serverReceiptSchema } from "./remote-servers.ts";

export const usageSchema = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** How much of the input the provider had in its cache, and how much it put there; absent where it does not say. */
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  contextWindow: z.number().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const todoSchema = z.strictObject({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed"]),
});
export type Todo = z.infer<typeof todoSchema>;

export const toolOutcomeSchema = z.enum(["ok", "failed", "rejected", "answered", "cancelled", "denied"]);
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;

/** What a side effect did, as far as it is known. */
export const receiptSchema = z.strictObject({
  executionId: executionIdSchema,
  exitCode: z.number().int().nullable().optional(),
  durationMs: z.number(),
  bytes: z.number().optional(),
  truncated: z.boolean().optional(),
  /** For a file change: its path inside the workspace and how many lines changed. */
  path: z.string().optional(),
  added: z.number().int().optional(),
  removed: z.number().int().optional(),
  /** The lines it changed, as they were and as they are, and the number of the first of them. */
  excerpt: z
    .strictObject({ line: z.number().int().min(1), before: z.string(), after: z.string() })
    .optional(),
  /** For an answer to a remote server: what is known of it there. */
  answer: serverReceiptSchema.optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

const data = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("message.sent"),
    itemId: messageIdSchema,
    turnId: turnIdSchema,
    text: z.string(),
    attachments: z.array(z.string()),
    queued: z.boolean(),
  }),
  z.strictObject({ type: z.literal("message.dequeued"), itemId: messageIdSchema, cancelled: z.boolean() }),
  z.strictObject({
    type: z.literal("message.finished"),
    itemId: messageIdSchema,
    turnId: turnIdSchema,
    /** The item of the `task` call it was written in; absent for the thread's own agent. */
    parentItemId: z.string().optional(),
    agentPath: z.array(z.string()),
    text: z.string(),
    reasoning: z.string().optional(),
    model: modelRefSchema.optional(),
    usage: usageSchema.optional(),
    /** True when the text was cut by a stop, a crash or a lost connection. */
    partial: z.boolean(),
  }),
  z.strictObject({
    type: z.literal("toolCall.requested"),
    itemId: z.string(),
    turnId: turnIdSchema,
    /** The item of the `task` call this one runs inside; absent for the thread's own agent. */
    parentItemId: z.string().optional(),
    agentPath: z.array(z.string()),
    toolCallId: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    type: z.literal("approval.requested"),
    itemId: z.string(),
    approvalId: approvalIdSchema,
    verdict: verdictSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("approval.decided"),
    itemId: z.string(),
    approvalId: approvalIdSchema,
    decision: decisionSchema,
    by: decidedBySchema,
  }),
  z.strictObject({
    type: z.literal("approval.cancelled"),
    itemId: z.string(),
    approvalId: approvalIdSchema,
    reason: z.string(),
  }),
  z.strictObject({
    type: z.literal("execution.started"),
    itemId: z.string(),
    executionId: executionIdSchema,
    /** How far the command can reach; absent for what is none. */
    width: widthSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("toolCall.finished"),
    itemId: z.string(),
    outcome: toolOutcomeSchema,
    result: z.string(),
    receipt: receiptSchema.optional(),
  }),
  z.strictObject({ type: z.literal("plan.changed"), itemId: z.string(), todos: z.array(todoSchema) }),
  z.strictObject({
    type: z.literal("turn.finished"),
    itemId: z.string(),
    turnId: turnIdSchema,
    outcome: z.enum(["done", "stopped", "failed", "interrupted"]),
    problem: z.string().optional(),
    retryable: z.boolean().optional(),
  }),
  /** A stretch of the conversation that the agent does not know of any more, and how many files went back with it. */
  z.strictObject({
    type: z.literal("turns.takenBack"),
    itemId: z.string(),
    turns: z.array(turnIdSchema),
    files: z.number().int().min(0),
  }),
  /** The item's first event is the `turns.takenBack` that this reverses. */
  z.strictObject({ type: z.literal("turns.broughtBack"), itemId: z.string(), turns: z.array(turnIdSchema) }),
  z.strictObject({
    type: z.literal("notice.added"),
    itemId: z.string(),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    approvals: z.array(approvalIdSchema).optional(),
    /** The tool calls a receipt is about, by their transcript items. */
    items: z.array(z.string()).optional(),
  }),
]);
export type ThreadEventData = z.infer<typeof data>;

export const threadEventSchema = z.strictObject({
  seq: z.number().int(),
  threadId: threadIdSchema,
  at: z.number(),
  data,
  /** How many bytes of it are missing here because they are too many for a stream; `threads.item` has them. */
  leftOut: z.number().int().min(1).optional(),
});
export type ThreadEvent = z.infer<typeof threadEventSchema>;
export const threadEventDataSchema = data;
