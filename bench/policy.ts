/** Measures how long judging takes, for the longest texts and for ordinary commands, and how long it holds the host's loop. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "unbash";
import { z } from "zod";
import { lookAtDisk } from "../src/main/policy/disk.ts";
import { judgeCommand } from "../src/main/policy/judge-command.ts";
import type { PolicyContext } from "../src/main/policy/policy-context.ts";
import { makeContext } from "../src/main/policy/testing/make-context.ts";
import { judging } from "../src/main/rules/judging-thread.ts";
import { watchTurns } from "./longest-turn.ts";
import { packageVersion } from "./package-version.ts";
import { type BenchOptions, type Findings, figure, noteOnLoad } from "./result.ts";

const workspace = join(import.meta.dirname, "..");
const everydayFile = join(workspace, "src", "main", "policy", "everyday-commands.json");

/** What an attacker would fill a text with: words, redirections, nesting, paths, and names of what never runs. */
const fillings = [
  "x",
  "ls; ",
  ">a ",
  "a:b ",
  "x()",
  "$(",
  "'a' ",
  "{a,b} ",
  "rm -rf a ",
  "find . -delete ",
  "a(){b|",
  "<<'E'\n",
];

function fill(filling: string, bytes: number): string {
  return `ls ${filling.repeat(bytes / filling.length)}`.slice(0, bytes);
}

/** The best of several runs, in milliseconds: what the work takes when nothing else wants the processor. */
function time(rounds: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const stop = watchTurns();
  await work();
  return stop();
}

/** The best of several runs, as `time` takes it. */
async function shortestTurn(rounds: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) best = Math.min(best, await longestTurn(work));
  return best;
}

/** The worst hold over all texts, judged as the host has it done and, for comparison, in the loop itself. */
async function measureHold(texts: readonly string[], rounds: number, context: PolicyContext) {
  let value = 0;
  let own = 0;
  for (const text of texts) {
    value = Math.max(value, await shortestTurn(rounds, () => judging.judge(text, context)));
    own = Math.max(own, await shortestTurn(rounds, async () => judgeCommand(text, context)));
  }
  return { value, own };
}

/** Compares judging with parsing alone. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  const own = { workspace, cwd: workspace, home: homedir(), rules: [], protectedDirs: [] };
  const context = makeContext({ ...own, ...lookAtDisk(workspace) });
  const rounds = quick ? 5 : 20;
  const version = packageVersion("unbash");
  const worst = (bytes: number) => {
    const texts = fillings.map((filling) => fill(filling, bytes));
    const value = Math.max(...texts.map((text) => time(rounds, () => judgeCommand(text, context))));
    const parsed = Math.max(...texts.map((text) => time(rounds, () => parse(text))));
    return {
      value,
      baseline: { name: "unbash, which only parses, on its own worst text", version, value: parsed },
    };
  };
  const everyday = z.array(z.string()).parse(JSON.parse(readFileSync(everydayFile, "utf8")));
  const mean = (work: (command: string) => void) =>
    time(rounds, () => {
      for (const command of everyday) work(command);
    }) / everyday.length;
  const ordinary = mean((command) => judgeCommand(command, context));
  const parsing = { name: "unbash, which only parses", version, value: mean((command) => parse(command)) };
  await judging.judge("ls", context);
  const longTexts = [8, 64].flatMap((kilobytes) =>
    fillings.map((filling) => fill(filling, kilobytes * 1024)),
  );
  const searches = everyday.filter((command) => /^(?:grep -r|rg|cat docs)/.test(command));
  const hold = await measureHold([...longTexts, ...searches], quick ? 2 : 10, context);
  return {
    figures: [
      figure({ name: "judging the worst text of 64 KB", unit: "ms", ...worst(64 * 1024), maxValue: 20 }),
      figure({ name: "judging the worst text of 8 KB", unit: "ms", ...worst(8 * 1024), maxValue: 16 }),
      figure({
        name: "judging an everyday command",
        unit: "ms",
        value: ordinary,
        baseline: parsing,
        maxValue: 4,
      }),
      figure({
        name: "longest hold of the host's loop while one is judged, processor time",
        unit: "ms",
        value: hold.value,
        baseline: { name: "judging it in the loop", value: hold.own },
        maxValue: 16,
      }),
    ],
    notes: [
      `Texts of 8 and 64 KB in ${fillings.length} fillings, and ${everyday.length} everyday commands in this repository; each the best of several runs. The hold is that of the long texts and of searches of whole folders, the worst of them.`,
      "The host has commands judged in a thread of its own; what is left to its loop is the handing over.",
      noteOnLoad(),
    ],
  };
}
