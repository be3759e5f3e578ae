/** Holds rules that were taken over from Codex against Codex' own program, on random files of rules and random commands. */
import fc from "fast-check";
import { adoptEntries } from "../../src/main/policy/foreign/adopt-entries.ts";
import { readForeignRules } from "../../src/main/policy/foreign/read-foreign.ts";
import {
  decideAsOther,
  sampleEntries,
  wordList,
  writeSample,
} from "../../src/main/policy/foreign/testing/foreign-samples.ts";
import { judgeCommand } from "../../src/main/policy/judge-command.ts";
import type { CommandRule } from "../../src/main/policy/policy-context.ts";
import { codexVariable, openCodex } from "./peers/codex.ts";
import type { BenchWorkspace } from "./workspace.ts";

const files = 25;
const commandsPerFile = 40;
const effects = { allow: "allow", prompt: "ask", forbidden: "deny" } as const;

/** @returns what was found, in one sentence, or why nothing was asked. */
export function refereeImportsByCodex({ context }: BenchWorkspace): string {
  const program = process.env[codexVariable];
  if (program === undefined)
    return `Rules taken over from Codex were not held against it: ${codexVariable} names no program.`;
  const count = { asked: 0, both: 0, wider: [] as string[], narrower: 0, misread: [] as string[] };
  const texts = fc.sample(sampleEntries("codex"), { numRuns: files, seed: 14 });
  const more = fc.sample(fc.array(wordList, { minLength: commandsPerFile, maxLength: commandsPerFile }), {
    numRuns: files,
    seed: 15,
  });
  let version = "";
  for (const [at, entries] of texts.entries()) {
    const text = writeSample("codex", entries);
    const rules = rulesOf(text);
    const codex = openCodex(program, text);
    version = codex.version;
    try {
      for (const [which, words] of more[at]!.entries()) {
        // Half of them begin as one of the rules does.
        const command =
          which % 2 === 0 ? [...entries[which % entries.length]!.words, ...words.slice(1)] : words;
        const decision = codex.decide(command);
        const there = decision === undefined ? undefined : effects[decision];
        if (there !== decideAsOther("codex", entries, command)) count.misread.push(command.join(" "));
        const runs = (those: readonly CommandRule[]) =>
          /^(?:safe|covered)$/.test(judgeCommand(command.join(" "), { ...context, rules: those }).verdict);
        const here = runs(rules);
        const isWider = here && (there === "ask" || there === "deny" || (there === undefined && !runs([])));
        count.asked += 1;
        if (isWider) count.wider.push(command.join(" "));
        else if (here && there === "allow") count.both += 1;
        else if (there === "allow") count.narrower += 1;
      }
    } finally {
      codex.close();
    }
  }
  const { asked, both, wider, narrower, misread } = count;
  const named = (list: string[]) =>
    `${list.length}${list.length > 0 ? ` (${list.slice(0, 5).join(", ")})` : ""}`;
  return `${version}, asked by \`execpolicy check\` about ${asked} commands under ${files} files of rules that were taken over: both let ${both} run, it alone ${narrower}, this console wider in ${named(wider)}; what its documents say was read otherwise than it does in ${named(misread)}.`;
}

function rulesOf(text: string): CommandRule[] {
  const read = readForeignRules("codex", text);
  if ("problem" in read) throw new Error(read.problem);
  return adoptEntries(read.entries)
    .flatMap(({ rules }) => rules)
    .flatMap((rule, at) =>
      "tokens" in rule
        ? [{ ...rule, id: String(at), scope: "user" as const, text: rule.tokens.join(" ") }]
        : [],
    );
}
