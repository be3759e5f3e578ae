/** Whose words a streamed answer is: the assistant's, whatever a server that speaks like OpenAI calls it, or forgets to. */
import { z } from "zod";

const deltasSchema = z.object({ choices: z.array(z.object({ delta: z.record(z.string(), z.unknown()) })) });

/**
 * The client takes an answer by another role, or by none, for something else than an answer, and no agent goes on with it.
 * @param isSaid an earlier frame of the same answer said its role.
 * @returns whether `frame`, as JSON gave it, had to be changed, which it was in place.
 */
export function claimForAssistant(frame: unknown, isSaid: boolean): boolean {
  if (!deltasSchema.safeParse(frame).success) return false;
  let changed = false;
  for (const { delta } of (frame as z.infer<typeof deltasSchema>).choices) {
    if (delta.role === "assistant" || (isSaid && delta.role === undefined)) continue;
    delta.role = "assistant";
    changed = true;
  }
  return changed;
}
