/** Undo: what files and conversation would become again from a turn on, and the way there and back. */
import { z } from "zod";
import { executionIdSchema, threadIdSchema, turnIdSchema } from "../ids.ts";
import { procedure } from "./procedure.ts";

/** Why a file stays as it is. */
export const staysBecauseSchema = z.enum([
  "outside",
  "nameless",
  "link",
  "not-known",
  "not-kept",
  "too-large",
  "changed-since",
  "in-the-way",
  "holds-what-is-lost",
]);

/** A longer list is cut; the counts tell how long it is. */
export const mostFilesShown = 1_000;

/** Why the conversation stays as it is. */
export const conversationStaysSchema = z.enum([
  "not-able",
  "not-over",
  "in-line",
  "taken-back",
  "not-known",
  "too-long",
]);

/** How much goes back; with `both`, all of it or nothing. */
export const takenPartSchema = z.enum(["both", "files", "conversation"]);

const placeSchema = z.strictObject({
  threadId: threadIdSchema,
  turnId: turnIdSchema,
  /** Files from this call of the turn on; the conversation from the turn's message on all the same. */
  executionId: executionIdSchema.optional(),
});
const countSchema = z.number().int().min(0);
const doneSchema = z.strictObject({ files: countSchema, messages: countSchema });

export const undoContract = {
  /** From this turn on, all that the thread did to files, and what was said. Nothing is changed. */
  "undo.preview": procedure(
    placeSchema,
    z.strictObject({
      back: z.array(
        z.strictObject({
          path: z.string(),
          /** What becomes of it: it comes back, gets its content or its permissions back, or goes. */
          how: z.enum(["returns", "content", "permissions", "goes"]),
        }),
      ),
      backCount: countSchema,
      stays: z.array(z.strictObject({ path: z.string(), why: staysBecauseSchema })),
      staysCount: countSchema,
      /** Calls that may have changed more than is known. */
      partlyKnown: countSchema,
      /** How many messages would go back, or why none can. */
      conversation: z.union([
        z.strictObject({ messages: countSchema }),
        z.strictObject({ why: conversationStaysSchema }),
      ]),
      digest: z.string(),
      /** The newest undo of this thread, which can be reversed unless something was said since. */
      last: z
        .strictObject({ id: z.string(), at: z.number(), ...doneSchema.shape, wentOn: z.boolean() })
        .optional(),
    }),
  ),
  /** Does what a preview showed; a conflict when anything of it changed meanwhile. All of it is done, or nothing. */
  "undo.carryOut": procedure(
    z.strictObject({ ...placeSchema.shape, part: takenPartSchema, digest: z.string().min(1).max(200) }),
    doneSchema,
  ),
  /** Reverses the newest undo of the thread; a conflict when any of its files changed since, or the conversation went on. */
  "undo.reverse": procedure(
    z.strictObject({ threadId: threadIdSchema, id: z.string().min(1).max(100) }),
    doneSchema,
  ),
};
