/** Puts every side through the same corpora and lays the counts out as tables. */
import type { Table } from "../result.ts";
import type { CommandList } from "./read-corpora.ts";
import { addTallies, replay, type Tally } from "./replay.ts";
import { emptyPast, type Side } from "./side.ts";
import { type Call, type Corpus, commandCall } from "./trace.ts";

/** One side on one corpus; a side that learned has a half for each half it learned on. */
export type Entry = { name: string; parts: readonly { side: Side; corpus: Corpus }[] };

export type Compared = { name: string; tally: Tally };

export async function compare(
  entries: readonly Entry[],
  groupOf: (call: Call) => Promise<string>,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const { name, parts } of entries) {
    const tallies: Tally[] = [];
    for (const { side, corpus } of parts) tallies.push(await replay(corpus, side, groupOf));
    compared.push({ name, tally: addTallies(tallies) });
  }
  return compared;
}

/** @param corpus what was replayed, by its name and size */
export function traceTable(corpus: Corpus, compared: readonly Compared[]): Table {
  return {
    title: `${corpus.name}: ${corpus.tasks.length} tasks, ${corpus.attacks.length} attacks`,
    columns: [
      "Side",
      "Asks per task",
      "Grouped",
      "Steps that run unasked",
      "Characters read per task",
      "Parts read per task",
      "Harms, none approved",
      "Harms, 93 % approved",
      "Harms, all approved",
      "Own wishes that ask",
    ],
    rows: compared.map(({ name, tally }) => [
      name,
      fixed(tally.asks / tally.tasks, 2),
      fixed(tally.groupedAsks / tally.tasks, 2),
      `${fixed((100 * tally.stepsRun) / tally.steps, 1)} %`,
      fixed(tally.characters / tally.tasks, 0),
      fixed(tally.units / tally.tasks, 2),
      String(tally.throughNone),
      fixed(tally.throughUsual, 1),
      String(tally.throughAll),
      `${tally.twinsAsked} of ${tally.twins}`,
    ]),
  };
}

/** How many of each list run unasked on each side. */
export async function commandTable(lists: readonly CommandList[], sides: readonly Side[]): Promise<Table> {
  const rows: string[][] = [];
  for (const side of sides) {
    const counts: string[] = [];
    for (const { commands } of lists) {
      let count = 0;
      for (const command of commands)
        if ((await side.judge(commandCall(command), emptyPast)).outcome === "runs") count += 1;
      counts.push(String(count));
    }
    rows.push([side.name, ...counts]);
  }
  return {
    title: "commands that run unasked",
    columns: ["Side", ...lists.map(({ name, commands }) => `${name}, of ${commands.length}`)],
    rows,
  };
}

function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
