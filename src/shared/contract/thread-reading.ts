/** What a person reads in a thread: pages of items and one whole, what is found in them, and what happens while they look. */
import { z } from "zod";
import { messageIdSchema, threadIdSchema, turnIdSchema } from "../ids.ts";
import { procedure, stream } from "./procedure.ts";
import { threadEventSchema } from "./thread-events.ts";
import { transcriptItemSchema } from "./transcript.ts";

/** Live text of a message that is being written; never stored, the finished message is. */
export const deltaSchema = z.strictObject({
  messageId: messageIdSchema,
  turnId: turnIdSchema,
  agentPath: z.array(z.string()),
  parentItemId: z.string().optional(),
  text: z.string().optional(),
  reasoning: z.string().optional(),
  /** A tool call whose arguments the model is still writing. */
  toolName: z.string().optional(),
});
export type Delta = z.infer<typeof deltaSchema>;

/**
 * What a thread's watcher gets: the newest page once (or the missed events when `since` still is in reach),
 * then events as they are committed and deltas in between.
 */
export const threadItemSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("page"),
    items: z.array(transcriptItemSchema),
    hasMore: z.boolean(),
    seq: z.number().int(),
    live: z.array(deltaSchema),
  }),
  z.strictObject({ kind: z.literal("events"), events: z.array(threadEventSchema) }),
  z.strictObject({ kind: z.literal("deltas"), deltas: z.array(deltaSchema) }),
]);
export type ThreadItem = z.infer<typeof threadItemSchema>;

export const threadReadingContract = {
  "threads.page": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      /** Positions of which at most one is given; with none it is the newest page. */
      before: z.number().int().optional(),
      after: z.number().int().optional(),
      around: z.number().int().optional(),
      limit: z.number().int().min(1).max(200),
    }),
    /** `hasMore` items before the first one, `hasNewer` after the last one. */
    z.strictObject({ items: z.array(transcriptItemSchema), hasMore: z.boolean(), hasNewer: z.boolean() }),
  ),
  /** One item whole. */
  "threads.item": procedure(
    z.strictObject({ threadId: threadIdSchema, itemId: z.string().min(1) }),
    transcriptItemSchema,
  ),
  "threads.search": procedure(
    z.strictObject({
      query: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(100).default(30),
    }),
    z.strictObject({
      hits: z.array(
        z.strictObject({
          threadId: threadIdSchema,
          itemId: z.string(),
          position: z.number().int(),
          snippet: z.string(),
        }),
      ),
    }),
  ),
  /** The items of one thread that show a text, in any case: messages, tool calls with their results, plans, notices. */
  "threads.find": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      query: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(2_000).default(1_000),
    }),
    z.strictObject({
      /** In reading order. */
      hits: z.array(z.strictObject({ itemId: z.string(), position: z.number().int() })),
      /** False when there are more; then these are the newest. */
      complete: z.boolean(),
    }),
  ),
  "threads.watch": stream(
    z.strictObject({
      threadId: threadIdSchema,
      since: z.number().int().optional(),
      tail: z.number().int().min(1).max(200).default(60),
    }),
    threadItemSchema,
  ),
};
