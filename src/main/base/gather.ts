/** Goes through steps of which there may be very many, with turns of the event loop between them. */
import { giveWay } from "./give-way.ts";

/** What the steps brought; `undefined` is a step that brought nothing. Each step has to be short by itself. */
export async function gather<T>(steps: Iterable<T | undefined>): Promise<T[]> {
  const found: T[] = [];
  for (const one of steps) {
    await giveWay();
    if (one !== undefined) found.push(one);
  }
  return found;
}
