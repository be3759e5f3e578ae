/** What docs/scale.md says one machine holds is what the kept results say, rounded. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { benchResultSchema } from "./result.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/scale.md"), "utf8");

function measured(bench: string, name: string) {
  const file = join(import.meta.dirname, "results", `${bench}.json`);
  const found = benchResultSchema
    .parse(JSON.parse(readFileSync(file, "utf8")))
    .figures.find((figure) => figure.name === name);
  if (found === undefined) throw new Error(`The bench ${bench} has no figure “${name}”.`);
  return found;
}

/** A sentence of the page, and what stands in it as it is rounded there. */
it.each<[string, string, string, (value: number) => string]>([
  ["load", "event-loop delay p99", "the loop's delay is # at p99", (ms) => `${ms.toFixed(1)} ms`],
  ["load", "memory per parked thread", "| A parked thread | # of memory", (kb) => `${kb.toFixed(0)} KB`],
  ["load", "decision to process start p95", "first instruction # at p95", (ms) => `${ms.toFixed(0)} ms`],
  [
    "startup",
    "start to an answering queue, whole snapshot received",
    "500 waiting cards: # from the start",
    (ms) => `${(ms / 1_000).toFixed(1)} s`,
  ],
  [
    "ui",
    "longest main-thread task, processor time, steady scroll through 10,000 approvals",
    "10,000 cards scrolls with # of processor time",
    (ms) => `${ms.toFixed(0)} ms`,
  ],
  ["memory", "processor time of 300 steps", "(read, write, command) take # of", (s) => `${s.toFixed(1)} s`],
  ["memory", "memory before the first turn", "| Memory | # before", (mb) => `${mb.toFixed(0)} MB`],
  ["memory", "memory after the first turn", "first turn, # after it", (mb) => `${mb.toFixed(0)} MB`],
  ["memory", "memory after 300 steps", "after it, # after 300 steps", (mb) => `${mb.toFixed(0)} MB`],
  [
    "checkpoint",
    "database size at 5,000 steps",
    "10,000 messages: # on the disk",
    (bytes) => `${(bytes / 1e6).toFixed(0)} MB`,
  ],
  [
    "checkpoint",
    "opening a thread of 5,000 steps with all its history",
    "opened in #",
    (ms) => `${(ms / 1_000).toFixed(2)} s`,
  ],
])("says of %s, %s what was measured", (bench, name, sentence, rounded) => {
  expect(page.replaceAll("\n", " ")).toContain(sentence.replace("#", rounded(measured(bench, name).value)));
});
