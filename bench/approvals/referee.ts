/** Holds the rules that were offered against Codex' own program: what it lets run by them, and what this console does. */
import { parseCommandRule } from "../../src/main/policy/command-rule.ts";
import { codexVariable, openCodex } from "./peers/codex.ts";
import { partsOf } from "./peers/command-parts.ts";
import { emptyPast, type Side } from "./side.ts";
import { type Call, commandCall } from "./trace.ts";
import type { BenchWorkspace } from "./workspace.ts";

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
  const patterns = rules.flatMap((rule) => {
    const parsed = parseCommandRule(rule, "bash");
    return "tokens" in parsed ? [parsed.tokens] : [];
  });
  const first = new Set(patterns.map(([word]) => word));
  const commands = new Set(
    calls.flatMap(({ args: { command } }) => (typeof command === "string" ? command : [])),
  );
  const codex = openCodex(
    program,
    patterns.map((rule) => `prefix_rule(pattern=${JSON.stringify(rule)}, decision="allow")\n`).join(""),
  );
  const count = { asked: 0, both: 0, onlyHere: [] as string[], onlyThere: 0 };
  try {
    for (const command of commands) {
      const parts = partsOf(command, place) ?? [];
      // Any other matches no rule.
      if (!parts.some(({ words }) => first.has(words[0]!))) continue;
      count.asked += 1;
      const there = parts.every(({ words }) => codex.decide(words) === "allow");
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
