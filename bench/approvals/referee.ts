/** Codex' own program with the rules that were offered: as a side of the comparison, and held against what this console does. */
import { parseCommandRule } from "../../src/main/policy/command-rule.ts";
import type { Half } from "./learned-side.ts";
import { type Codex, codexVariable, openCodex } from "./peers/codex.ts";
import { partsOf } from "./peers/command-parts.ts";
import { asks, emptyPast, isReading, runs, type Side } from "./side.ts";
import { type Call, commandCall } from "./trace.ts";
import type { BenchWorkspace } from "./workspace.ts";

/** What it lets run by these rules. */
type CodexRules = {
  readonly version: string;
  /** @returns whether it does; undefined where no part begins as a rule, so that there was nothing to ask */
  lets(command: string): boolean | undefined;
  close(): void;
};

function openRules(program: string, rules: readonly string[], place: BenchWorkspace): CodexRules {
  const patterns = rules.flatMap((rule) => {
    const parsed = parseCommandRule(rule, "bash");
    return "tokens" in parsed ? [parsed.tokens] : [];
  });
  const first = new Set(patterns.map(([word]) => word));
  const codex: Codex = openCodex(
    program,
    patterns.map((rule) => `prefix_rule(pattern=${JSON.stringify(rule)}, decision="allow")\n`).join(""),
  );
  const known = new Map<string, boolean>();
  return {
    version: codex.version,
    lets(command) {
      const parts = partsOf(command, place) ?? [];
      // Any other matches no rule.
      if (!parts.some(({ words }) => first.has(words[0]!))) return undefined;
      const lets = known.get(command) ?? parts.every(({ words }) => codex.decide(words) === "allow");
      known.set(command, lets);
      return lets;
    },
    close: codex.close,
  };
}

/**
 * The halves of the coding tasks as Codex' own rules judge them, with what this console offered on the other half. Of calls
 * that are no commands `execpolicy` says nothing, so they ask unless they only read.
 * @returns none where no program is named
 */
export function codexHalves(halves: readonly Half[], place: BenchWorkspace) {
  const program = process.env[codexVariable];
  if (program === undefined) return undefined;
  const opened = halves.map(({ rules }) => openRules(program, rules, place));
  const sides = opened.map(
    ({ lets }): Side => ({
      name: "Codex, the offered rules taken, asked by its own program",
      basis: "its own program (`codex execpolicy check`)",
      async judge(call) {
        const { command } = call.args;
        const isFree = typeof command === "string" ? lets(command) === true : isReading(call);
        return isFree ? runs : asks(call);
      },
    }),
  );
  return {
    name: sides[0]!.name,
    parts: halves.map(({ corpus }, at) => ({ corpus, side: sides[at]! })),
    close: () => {
      for (const each of opened) each.close();
    },
  };
}

/** @returns what was found, in one sentence, or why nothing was asked. */
export async function refereeByCodex(
  rules: readonly string[],
  side: Side,
  calls: readonly Call[],
  place: BenchWorkspace,
): Promise<string> {
  const program = process.env[codexVariable];
  if (program === undefined)
    return `Codex was not asked: ${codexVariable} names no program. It brings no list of its own, so it can only be given the rules that were offered here.`;
  const commands = new Set(
    calls.flatMap(({ args: { command } }) => (typeof command === "string" ? command : [])),
  );
  const codex = openRules(program, rules, place);
  const count = { asked: 0, both: 0, onlyHere: [] as string[], onlyThere: 0 };
  try {
    for (const command of commands) {
      const there = codex.lets(command);
      if (there === undefined) continue;
      count.asked += 1;
      const here = (await side.judge(commandCall(command), emptyPast)).outcome === "runs";
      if (here && there) count.both += 1;
      else if (there) count.onlyThere += 1;
      else if (here) count.onlyHere.push(command);
    }
    const { asked, both, onlyHere, onlyThere } = count;
    const more = onlyHere.length > 0 ? ` (${onlyHere.join(", ")})` : "";
    return `${codex.version}, asked by \`execpolicy check\` with the rules ${rules.join(", ")}: of ${asked} commands with a part that begins like one of them both let ${both} run, it alone ${onlyThere}, this console alone ${onlyHere.length}${more}.`;
  } finally {
    codex.close();
  }
}
