/** The switch that answers for a thread: on for so long and so many actions, and what it would answer now. */
import { z } from "zod";
import { approvalIdSchema, threadIdSchema } from "../ids.ts";
import { shownApprovalSchema } from "./approvals.ts";
import { procedure } from "./procedure.ts";

/** The auto-approve switch while it is on; `null` elsewhere means off. */
export const autoApproveSchema = z.strictObject({
  startedAt: z.number(),
  expiresAt: z.number(),
  maxActions: z.number().int(),
  used: z.number().int(),
});
export type AutoApprove = z.infer<typeof autoApproveSchema>;

export const autoApproveContract = {
  "threads.setAutoApprove": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      on: z.boolean(),
      minutes: z.number().int().min(1).max(480).default(30),
      maxActions: z.number().int().min(1).max(1_000).default(50),
      /** Of what already waits, that which the person saw and confirmed: approved now, by recorded decisions, and nothing else. */
      approve: z.array(shownApprovalSchema).max(1_000).default([]),
    }),
    z.strictObject({
      autoApprove: autoApproveSchema.nullable(),
      approved: z.array(approvalIdSchema),
      /** Confirmed, but not approved, because it is not what was shown any more. */
      left: z.array(z.strictObject({ id: approvalIdSchema, why: z.string() })),
    }),
  ),
  /** What turning the switch on would do to what waits now; changes nothing. */
  "threads.previewAutoApprove": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      maxActions: z.number().int().min(1).max(1_000).default(50),
    }),
    z.strictObject({
      passes: z.array(shownApprovalSchema),
      stays: z.array(z.strictObject({ id: approvalIdSchema, why: z.string() })),
    }),
  ),
  "threads.stopAllAutoApprove": procedure(z.strictObject({}), z.strictObject({ stopped: z.number().int() })),
};
