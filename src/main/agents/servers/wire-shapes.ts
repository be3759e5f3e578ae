/** What is read of a LangGraph server's JSON: no more than is used, everything of it checked, whatever else stands there. */
import { z } from "zod";

/** Goes into paths: nothing that could lead to another one. */
export const wireIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);
const textSchema = z.string().min(1).max(500);

/** Some servers leave out what is empty, others write `null`. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

const rawInterruptSchema = z.looseObject({
  id: optional(textSchema),
  value: z.unknown().optional(),
  response_schema: z.unknown().optional(),
});

/** As pairs: a task may have any name, and a schema of records leaves out the one that objects inherit by. */
const interruptsOfTasksSchema = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  )
  .transform((lists) => Object.entries(lists))
  .pipe(z.array(z.tuple([z.string(), z.array(rawInterruptSchema)])));

/** A light row: what tells that a thread has to be looked at. */
export const listedSchema = z.looseObject({
  thread_id: wireIdSchema,
  updated_at: optional(z.string().max(100)),
  status: optional(z.string().max(40)),
});
export const listSchema = z.array(listedSchema).max(1_000);

export const threadSchema = z.looseObject({
  thread_id: wireIdSchema,
  status: z.string().max(40),
  updated_at: optional(z.string().max(100)),
  metadata: optional(z.looseObject({ assistant_id: optional(textSchema), graph_id: optional(textSchema) })),
  interrupts: optional(interruptsOfTasksSchema),
});
export type WireThread = z.infer<typeof threadSchema>;

const checkpointSchema = optional(z.looseObject({ checkpoint_id: optional(textSchema) }));

export const stateSchema = z.looseObject({
  values: z.unknown().optional(),
  tasks: optional(
    z.array(
      z.looseObject({
        id: textSchema,
        name: optional(z.string().max(500)),
        error: z.unknown().optional(),
        result: z.unknown().optional(),
        interrupts: optional(z.array(rawInterruptSchema)),
      }),
    ),
  ),
  interrupts: optional(z.array(rawInterruptSchema)),
  checkpoint: checkpointSchema,
});
export type WireState = z.infer<typeof stateSchema>;

export const runSchema = z.looseObject({
  run_id: wireIdSchema,
  status: z.string().max(40),
  created_at: optional(z.string().max(100)),
  metadata: optional(z.record(z.string(), z.unknown())),
});
export type WireRun = z.infer<typeof runSchema>;
export const runsSchema = z.array(runSchema).max(1_000);

/** Who works on such a server, by what starts it. */
export const assistantsSchema = z
  .array(
    z.looseObject({
      assistant_id: wireIdSchema,
      graph_id: optional(z.string().max(500)),
      name: optional(z.string().max(500)),
    }),
  )
  .max(1_000);

/** One message of a thread: what is read of it, and nothing of a message whose parts are of other kinds. */
export const messageSchema = z.looseObject({
  id: optional(z.string().max(500)),
  type: optional(z.string().max(40)),
  role: optional(z.string().max(40)),
  content: z.unknown().optional(),
  name: optional(z.string().max(500)),
  status: optional(z.string().max(40)),
  tool_call_id: optional(z.string().max(500)),
  tool_calls: optional(
    z.array(
      z.looseObject({
        id: optional(z.string().max(500)),
        name: z.string().max(500),
        args: optional(z.record(z.string(), z.unknown())),
      }),
    ),
  ).catch(undefined),
});

/** Of each earlier state only which run made it, and out of what. */
export const historySchema = z
  .array(
    z.looseObject({
      parent_checkpoint: checkpointSchema,
      metadata: optional(z.looseObject({ run_id: optional(z.string().max(200)) })),
    }),
  )
  .max(1_000);
