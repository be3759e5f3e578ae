/** Measures how long the policy holds the host's loop: for the longest texts, and for ordinary commands. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "unbash";
import { z } from "zod";
import { lookAtDisk } from "../src/main/policy/disk.ts";
import { judgeCommand } from "../src/main/policy/judge-command.ts";
import type { ShellContext } from "../src/main/policy/shell-context.ts";
import { packageVersion } from "./package-version.ts";
import { type BenchOptions, type BenchResult, figure } from "./result.ts";

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

/** Compares judging with parsing alone. */
export async function run({ quick }: BenchOptions): Promise<Pick<BenchResult, "figures" | "notes">> {
  const context: ShellContext = {
    ...{
      workspace,
      cwd: workspace,
      home: homedir(),
      trusted: true,
      rules: [],
      protectedDirs: [],
      shell: "bash",
      tools: "gnu",
    },
    ...lookAtDisk(workspace),
  };
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
  return {
    figures: [
      figure({ name: "judging the worst text of 64 KB", unit: "ms", ...worst(64 * 1024), maxValue: 20 }),
      figure({ name: "judging the worst text of 8 KB", unit: "ms", ...worst(8 * 1024), maxValue: 16 }),
      figure({ name: "judging an everyday command", unit: "ms", value: ordinary, baseline: parsing }),
    ],
    notes: [],
  };
}
