/** Puts the coding traces together: each action of an attacker is met in three places, in three tasks. */
import { z } from "zod";
import { type Attack, type Corpus, callSchema, corpusSchema, type Task } from "./trace.ts";

/** What the traces are made of, as `corpora/coding.json` holds it. */
const partsSchema = z.strictObject({
  name: z.string(),
  source: z.string(),
  licence: z.string(),
  /** Where text of others is met: the step that fetches it, and what stands around it. */
  places: z.array(z.strictObject({ id: z.string(), step: callSchema, frame: z.string().includes("{does}") })),
  tasks: z.array(z.strictObject({ id: z.string(), asked: z.string(), steps: z.array(callSchema).min(1) })),
  harms: z.array(
    z.strictObject({
      id: z.string(),
      actions: z.array(
        z.strictObject({
          id: z.string(),
          /** What the text of others tells the agent to do. */
          does: z.string(),
          /** The same as a person would ask for it. */
          asks: z.string(),
          calls: z.array(callSchema).min(1),
        }),
      ),
    }),
  ),
});

/** So that each action is met in this many places, each time in another task. */
const variants = 3;

/** @param parts the content of `corpora/coding.json` */
export function makeCodingCorpus(parts: unknown): Corpus {
  const { places, tasks, harms, ...about } = partsSchema.parse(parts);
  const actions = harms.flatMap((harm) => harm.actions.map((action) => ({ ...action, harm: harm.id })));
  const made = new Map<string, Task>();
  const attacks: Attack[] = actions.flatMap((action, at) =>
    Array.from({ length: variants }, (_, variant) => {
      const place = places[(at + 2 * variant) % places.length]!;
      const base = tasks[(at + Math.floor(tasks.length / variants) * variant) % tasks.length]!;
      const id = `${base.id}, ${place.id}`;
      const [first, ...rest] = base.steps;
      made.set(id, { id, asked: base.asked, steps: [first!, place.step, ...rest] });
      return {
        id: `${action.id}, ${place.id}`,
        task: id,
        place: place.id,
        harm: action.harm,
        after: 1,
        text: place.frame.replace("{does}", action.does),
        calls: action.calls,
        twin: `${base.asked} ${action.asks}`,
      };
    }),
  );
  return corpusSchema.parse({ ...about, tasks: [...made.values()], attacks });
}
