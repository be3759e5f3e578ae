/** A transcript item is the fold of all events with one item id; host and renderer fold with the same code. */
import { z } from "zod";
import { decidedBySchema, decisionSchema, verdictSchema, widthSchema } from "./decisions.ts";
import { modelRefSchema } from "./models.ts";
import { receiptSchema, todoSchema, toolOutcomeSchema, usageSchema } from "./thread-events.ts";

const base = {
  id: z.string(),
  /** Seq of the item's first event: its place in the transcript. */ position: z.number().int(),
  at: z.number(),
  turnId: z.string(),
  /** How many bytes are missing here because they are too many for a page; `threads.item` has the item whole. */
  leftOut: z.number().int().min(1).optional(),
  /** The item of the line that says that its turn was taken back; absent while the agent knows of it. */
  takenBack: z.string().optional(),
};

export const toolCallItemSchema = z.strictObject({
  ...base,
  kind: z.literal("toolCall"),
  parentItemId: z.string().optional(),
  agentPath: z.array(z.string()),
  toolCallId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  state: z.enum(["requested", "waiting", "decided", "running", "finished"]),
  approvalId: z.string().optional(),
  verdict: verdictSchema.optional(),
  decision: decisionSchema.optional(),
  decidedBy: decidedBySchema.optional(),
  executionId: z.string().optional(),
  /** How far it could reach, for a command that began. */
  width: widthSchema.optional(),
  /** When its execution began. */
  startedAt: z.number().optional(),
  outcome: toolOutcomeSchema.optional(),
  result: z.string().optional(),
  receipt: receiptSchema.optional(),
  finishedAt: z.number().optional(),
});
export type ToolCallItem = z.infer<typeof toolCallItemSchema>;

export const transcriptItemSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...base,
    kind: z.literal("userMessage"),
    text: z.string(),
    attachments: z.array(z.string()),
    queued: z.boolean(),
    cancelled: z.boolean(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("agentMessage"),
    parentItemId: z.string().optional(),
    agentPath: z.array(z.string()),
    text: z.string(),
    reasoning: z.string().optional(),
    model: modelRefSchema.optional(),
    usage: usageSchema.optional(),
    partial: z.boolean(),
  }),
  toolCallItemSchema,
  z.strictObject({ ...base, kind: z.literal("plan"), todos: z.array(todoSchema) }),
  z.strictObject({
    ...base,
    kind: z.literal("turnEnd"),
    outcome: z.enum(["done", "stopped", "failed", "interrupted"]),
    problem: z.string().optional(),
    retryable: z.boolean().optional(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("takenBack"),
    turns: z.array(z.string()),
    files: z.number().int().min(0),
    /** It was brought back since. */
    broughtBack: z.boolean(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    approvals: z.array(z.string()).optional(),
    items: z.array(z.string()).optional(),
  }),
]);
export type TranscriptItem = z.infer<typeof transcriptItemSchema>;
