/** Threads of the deepagents CLI on this computer, and taking one over. */
import { z } from "zod";
import { procedure } from "./procedure.ts";
import { threadSummarySchema } from "./threads.ts";

export const deepagentsContract = {
  /** The newest first; its database is copied and read, and never written. */
  "deepagents.threads": procedure(
    z.strictObject({}),
    z.strictObject({
      threads: z.array(
        z.strictObject({
          id: z.string(),
          agent: z.string().optional(),
          updatedAt: z.string().optional(),
          /** Where it worked there, as it says. */
          folder: z.string().optional(),
          /** The beginning of what a person first wrote in it. */
          title: z.string().optional(),
          /** Calls that wait at its end. */
          waiting: z.number().int().min(0),
        }),
      ),
    }),
  ),
  /** Nothing runs before it is resumed. */
  "deepagents.import": procedure(
    z.strictObject({ id: z.string().min(1).max(200), workspace: z.string().min(1).max(4_096) }),
    threadSummarySchema,
  ),
};
