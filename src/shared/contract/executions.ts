/** Commands that run: their output as it comes, what a person types into them, and their end. */
import { z } from "zod";
import { executionIdSchema } from "../ids.ts";
import { procedure, stream } from "./procedure.ts";

const nothing = z.strictObject({});

export const executionsContract = {
  "executions.watch": stream(
    z.strictObject({ executionId: executionIdSchema }),
    z.strictObject({
      data: z.string(),
      state: z.enum(["running", "ended"]),
      waitingForInput: z.boolean().optional(),
      /** What the command has written up to here; of one that had ended before, what its log holds in all. */
      bytes: z.number().int().optional(),
      /** Of a command that had ended before: the lines its log holds, unless those are too many to be counted. */
      lines: z.number().int().optional(),
    }),
  ),
  "executions.write": procedure(
    z.strictObject({ executionId: executionIdSchema, data: z.string().max(10_000) }),
    nothing,
  ),
  /** Ends this command with all it started; the turn goes on, and the agent is told. Answers when it has ended. */
  "executions.stop": procedure(z.strictObject({ executionId: executionIdSchema }), nothing),
  "executions.resize": procedure(
    z.strictObject({
      executionId: executionIdSchema,
      cols: z.number().int().min(20).max(500),
      rows: z.number().int().min(5).max(300),
    }),
    nothing,
  ),
};
