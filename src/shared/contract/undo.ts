/** Undo: what the files of a turn would become again, and the way there and back. */
import { z } from "zod";
import { threadIdSchema, turnIdSchema } from "../ids.ts";
import { procedure } from "./procedure.ts";

/** Why a file stays as it is. */
export const staysBecauseSchema = z.enum([
  "outside",
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

const turnSchema = z.strictObject({ threadId: threadIdSchema, turnId: turnIdSchema });
const countSchema = z.number().int().min(0);

export const undoContract = {
  /** From this turn on, all that the thread did to files. Nothing is changed. */
  "undo.preview": procedure(
    turnSchema,
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
      digest: z.string(),
      /** The newest undo of this thread, which can be reversed. */
      last: z.strictObject({ id: z.string(), at: z.number(), count: countSchema }).optional(),
    }),
  ),
  /** Does what a preview showed; a conflict when anything of it changed meanwhile. All of it is done, or nothing. */
  "undo.carryOut": procedure(
    z.strictObject({ ...turnSchema.shape, digest: z.string().min(1).max(200) }),
    z.strictObject({ count: countSchema }),
  ),
  /** Reverses the newest undo of the thread; a conflict when any of its files changed since. */
  "undo.reverse": procedure(
    z.strictObject({ threadId: threadIdSchema, id: z.string().min(1).max(100) }),
    z.strictObject({ count: countSchema }),
  ),
};
