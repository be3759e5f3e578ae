/** The record of what was decided and done, and what it says of how the person decides. */
import { z } from "zod";
import { approvalIdSchema, executionIdSchema, threadIdSchema } from "../ids.ts";
import { countSchema, leftOutSchema } from "./approvals.ts";
import { decidedBySchema, decisionSchema, seenSchema, verdictSchema, widthSchema } from "./decisions.ts";
import { procedure } from "./procedure.ts";
import { receiptSchema } from "./thread-events.ts";

/** Where a line comes from that arrived with an imported thread: nothing of it was decided or done on this machine. */
const importedLineSchema = z.strictObject({
  /** When it was imported. */
  at: z.number(),
  /** Its thread, its id and what it named in the ledger it was first written to. */
  threadId: threadIdSchema,
  line: z.number().int(),
  approvalId: approvalIdSchema.optional(),
  executionId: executionIdSchema.optional(),
});

export const ledgerEntrySchema = z.strictObject({
  id: z.number().int(),
  at: z.number(),
  threadId: threadIdSchema,
  threadTitle: z.string(),
  agentPath: z.array(z.string()),
  tool: z.string(),
  originalArgs: z.record(z.string(), z.unknown()),
  finalArgs: z.record(z.string(), z.unknown()).optional(),
  cwd: z.string(),
  verdict: verdictSchema,
  decision: decisionSchema,
  by: decidedBySchema,
  /** How far the command could reach; absent for what is none, and in lines from before it was recorded. */
  width: widthSchema.optional(),
  /** Only of what a person decided; absent where it is not known, as in lines from before it was recorded. */
  seen: seenSchema.optional(),
  approvalId: approvalIdSchema.optional(),
  executionId: executionIdSchema.optional(),
  /** The transcript item of the tool call that was executed, and its place; absent for refusals and once its thread is deleted. */
  itemId: z.string().optional(),
  position: z.number().int().optional(),
  receipt: receiptSchema.optional(),
  imported: importedLineSchema.optional(),
  leftOut: leftOutSchema,
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const ledgerContract = {
  "approvals.ledger": procedure(
    z.strictObject({
      query: z.string().max(200).optional(),
      threadId: threadIdSchema.optional(),
      /** Only what a person decided: seen in full, or not known to have been. */
      seen: z.enum(["inFull", "notInFull"]).optional(),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(200),
    }),
    /** Fewer than asked for when they are large; long texts are shortened. */
    z.strictObject({ entries: z.array(ledgerEntrySchema), hasMore: z.boolean() }),
  ),
  /** One line whole. */
  "approvals.ledgerEntry": procedure(z.strictObject({ id: z.number().int() }), ledgerEntrySchema),
  /** What the ledger says of some tool calls of a thread, oldest first; a call that never started has no entry. */
  "approvals.ledgerOfCalls": procedure(
    z.strictObject({ threadId: threadIdSchema, itemIds: z.array(z.string()).min(1).max(200) }),
    z.strictObject({ entries: z.array(ledgerEntrySchema) }),
  ),
  "approvals.exportLedger": procedure(z.strictObject({}), z.strictObject({ path: z.string() })),
  /** How the person decided lately, counted on this machine from their own decisions; nothing of it leaves the machine. */
  "approvals.fatigue": procedure(
    z.strictObject({}),
    z.strictObject({
      decided: countSchema,
      /** Since the first of these. */
      days: countSchema,
      /** In hours in which somebody sat there. */
      perHour: z.number(),
      perThread: z.number(),
      approved: countSchema,
      /** How long a card was in view when it was decided alone, the median; absent where nobody measured it. */
      lookMs: countSchema.optional(),
      looked: countSchema,
      /** Approvals of cards of high risk, and those of them that were in view for less than a second. */
      risky: countSchema,
      hurried: countSchema,
      /** Approvals of which the like was rejected later. */
      regretted: countSchema,
      /** The one change that would have spared most; absent where none would have spared much. */
      change: z.strictObject({ kind: z.enum(["rules", "together"]), spared: countSchema }).optional(),
    }),
  ),
};
