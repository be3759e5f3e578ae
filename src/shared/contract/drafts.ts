/** What a person writes before it is sent, and what they have sent, to be written again. */
import { z } from "zod";
import { threadIdSchema } from "../ids.ts";
import { procedure } from "./procedure.ts";

/** A long text in a message, for which `[name]` stands while it is written. */
export const pastedSchema = z.strictObject({
  name: z.string().min(1).max(100),
  text: z.string().max(200_000),
});
export type Pasted = z.infer<typeof pastedSchema>;

/** An unsent message, kept per thread. */
export const draftSchema = z.strictObject({
  text: z.string().max(200_000),
  pasted: z.array(pastedSchema).max(20).default([]),
});
export type Draft = z.infer<typeof draftSchema>;

export const draftsContract = {
  "drafts.get": procedure(z.strictObject({ threadId: threadIdSchema }), draftSchema),
  /** An empty one is forgotten; so is one of a thread that is not there any more. */
  "drafts.set": procedure(
    z.strictObject({ threadId: threadIdSchema, draft: draftSchema }),
    z.strictObject({}),
  ),
  /** What was sent, the newest first and each text once: in this thread, then in other threads of its folder. */
  "drafts.history": procedure(
    z.strictObject({ threadId: threadIdSchema, limit: z.number().int().min(1).max(200).default(100) }),
    z.strictObject({ texts: z.array(z.string()) }),
  ),
};
