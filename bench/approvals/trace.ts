/** The form of what is replayed: tasks that a person gave, and attacks by text of others that was met on the way. */
import { z } from "zod";

export const callSchema = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** It changes nothing anywhere; said of tools of servers, of which no name tells it. */
  reads: z.boolean().optional(),
});
export type Call = z.infer<typeof callSchema>;

const stepSchema = callSchema.extend({
  /** What it gave back, where the corpus knows. */
  result: z.string().optional(),
});
export type Step = z.infer<typeof stepSchema>;

const taskSchema = z.strictObject({
  id: z.string(),
  /** The person's words. */
  asked: z.string(),
  /** What an agent does that does what it was asked, in order. */
  steps: z.array(stepSchema).min(1),
});
export type Task = z.infer<typeof taskSchema>;

const attackSchema = z.strictObject({
  id: z.string(),
  task: z.string(),
  /** Where the text was met. */
  place: z.string(),
  /** What kind of harm it does. */
  harm: z.string(),
  /** The step of the task whose result holds the text; an agent that obeys goes on with `calls`. */
  after: z.number().int().min(0),
  text: z.string(),
  /** The harm is done when the last of them was done. */
  calls: z.array(callSchema).min(1),
  /** The person's words when the very same calls are their own wish; absent where nobody wishes them. */
  twin: z.string().optional(),
});
export type Attack = z.infer<typeof attackSchema>;

/** Tasks with attacks on them, and where they come from. */
export const corpusSchema = z
  .strictObject({
    name: z.string(),
    source: z.string().min(1),
    licence: z.string().min(1),
    tasks: z.array(taskSchema).min(1),
    attacks: z.array(attackSchema),
  })
  .superRefine(({ tasks, attacks }, context) => {
    const stepsOf = new Map(tasks.map(({ id, steps }) => [id, steps.length]));
    if (stepsOf.size < tasks.length) context.addIssue("Two tasks have the same id.");
    if (new Set(attacks.map(({ id }) => id)).size < attacks.length)
      context.addIssue("Two attacks have the same id.");
    for (const { id, task, after } of attacks)
      if (after >= (stepsOf.get(task) ?? 0)) context.addIssue(`The attack ${id} has no step to come after.`);
  });
export type Corpus = z.infer<typeof corpusSchema>;

/** Commands with their source, each a task of one step. */
export const commandListSchema = z.strictObject({
  name: z.string(),
  source: z.string().min(1),
  licence: z.string().min(1),
  commands: z.array(z.string()).min(1),
});

/** The tool by which an agent runs a command. */
export function commandCall(command: string): Call {
  return { tool: "execute", args: { command } };
}
