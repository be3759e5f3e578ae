/** The queue after a person took every rule that it offered while they worked on the other half of the corpus. */
import { createOwnConsole, type OwnConsole } from "./own-console.ts";
import { ownSide } from "./own-sides.ts";
import type { Side } from "./side.ts";
import type { Attack, Call, Corpus, Task } from "./trace.ts";
import type { BenchWorkspace } from "./workspace.ts";

export type Half = { corpus: Corpus; side: Side; rules: string[]; close(): void };

/** Both halves, each with a side that learned from the other alone; tasks and their attacks stay together. */
export async function halvesWithLearnedRules(
  name: string,
  corpus: Corpus,
  place: BenchWorkspace,
): Promise<Half[]> {
  const halves = [halfOf(corpus, 0), halfOf(corpus, 1)];
  const made: Half[] = [];
  for (const [at, half] of halves.entries()) {
    const console = createOwnConsole(place, true);
    const rules = await learn(console, halves[1 - at]!);
    made.push({ corpus: half, side: ownSide(name, console), rules, close: console.close });
  }
  return made;
}

/** Every second wish of a person, wherever it was pursued: what is learned on one half was never seen in the other. */
export function halfOf(corpus: Corpus, which: number): Corpus {
  const wishes = [...new Set(corpus.tasks.map(({ asked }) => asked))];
  const tasks = corpus.tasks.filter(({ asked }) => wishes.indexOf(asked) % 2 === which);
  const ids = new Set(tasks.map(({ id }) => id));
  return { ...corpus, tasks, attacks: corpus.attacks.filter(({ task }) => ids.has(task)) };
}

/** The person approves what serves their tasks and rejects what others wrote; they take every rule that is offered. */
async function learn(console: OwnConsole, { tasks, attacks }: Pick<Corpus, "tasks" | "attacks">) {
  const rules: string[] = [];
  const decide = async (calls: readonly Call[], decision: "approve" | "reject") => {
    for (const call of calls) {
      const route = await console.route(call);
      if (route.kind !== "ask") continue;
      const offer = await console.decide(call, route, decision);
      if (offer) rules.push(offer.text);
    }
  };
  const attacksOn = Map.groupBy(attacks, ({ task }) => task);
  for (const { id, steps } of tasks satisfies Task[]) {
    await decide(steps, "approve");
    for (const { calls } of (attacksOn.get(id) ?? []) satisfies Attack[]) await decide(calls, "reject");
  }
  return rules;
}
