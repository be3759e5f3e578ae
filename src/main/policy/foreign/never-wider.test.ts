/** No rule that was taken over lets run what the other program asks about or stops, and none that is written lets more run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleFormat } from "../../../shared/contract/rule-exchange.ts";
import { judgeCommand } from "../judge-command.ts";
import type { CommandRule } from "../policy-context.ts";
import { makeContext } from "../testing/make-context.ts";
import { type Adopted, adoptEntries, startsWith } from "./adopt-entries.ts";
import type { Effect } from "./foreign-entry.ts";
import { readForeignRules } from "./read-foreign.ts";
import {
  decideAsOther,
  type SampleEntry,
  sampleEntries,
  wordList,
  writeSample,
} from "./testing/foreign-samples.ts";
import { writeForeignRules } from "./write-foreign.ts";

const formats: RuleFormat[] = ["claude-code", "codex", "vscode"];

function adopt(format: RuleFormat, text: string): Adopted[] {
  const read = readForeignRules(format, text);
  if ("problem" in read) throw new Error(read.problem);
  return adoptEntries(read.entries);
}

function toRules(adopted: readonly Adopted[]): CommandRule[] {
  return adopted
    .flatMap(({ rules }) => rules)
    .flatMap((rule, at) =>
      "tokens" in rule
        ? [{ ...rule, id: String(at), scope: "user" as const, text: rule.tokens.join(" ") }]
        : [],
    );
}

const runs = (command: string, rules: CommandRule[]) =>
  /^(?:safe|covered)$/.test(judgeCommand(command, makeContext({ rules })).verdict);

/** Ways to say a command in which the other program meets more than its words, or other ones. */
const guises = [
  (text: string) => `CI=1 ${text}`,
  (text: string) => `timeout 5 ${text}`,
  (text: string) => `/usr/bin/${text}`,
  (text: string) => `${text} > out.txt`,
  (text: string) => `bash -c '${text}'`,
  (text: string) => `(${text})`,
  (text: string) => `for i in 1 2; do ${text}; done`,
  (text: string) => `if ${text}; then pwd; fi`,
];
/** Mostly begun as one of the entries, since others match nothing. */
const part = fc.record({
  from: fc.option(fc.nat(), { freq: 4 }),
  more: wordList,
  isLonger: fc.boolean(),
  guise: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...guises) },
  ),
});
type Part = typeof part extends fc.Arbitrary<infer P> ? P : never;

function wordsOf({ from, more, isLonger }: Part, entries: readonly SampleEntry[]): string[] {
  if (from === null) return more;
  const { words } = entries[from % entries.length]!;
  return isLonger ? [...words, ...more.slice(1)] : words;
}

const line = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  joint: fc.constantFrom(" && ", "; ", " | ", " || "),
});

describe.each(formats)("rules of %s", (format) => {
  it("let nothing run here that waits or never runs there", () => {
    let allowed = 0;
    const property = fc.property(
      sampleEntries(format),
      fc.array(line, { minLength: 1, maxLength: 6 }),
      (entries, lines) => {
        const adopted = adopt(format, writeSample(format, entries));
        const rules = toRules(adopted);
        for (const { parts, joint } of lines) {
          const commands = parts.map((one) => ({ words: wordsOf(one, entries), guise: one.guise }));
          const texts = commands.map(({ words, guise }) => guise?.(words.join(" ")) ?? words.join(" "));
          if (!runs(texts.join(joint), rules)) continue;
          for (const [at, { words, guise }] of commands.entries()) {
            const there = guise === undefined ? decideAsOther(format, entries, words) : undefined;
            const isOurs = there === "ask" || there === "deny";
            expect({ text: texts[at], there: isOurs ? there : "none" }).toEqual({
              text: texts[at],
              there: "none",
            });
            if (there === "allow") allowed += 1;
            else
              expect({ text: texts[at], runsByItself: runs(texts[at]!, []) }).toEqual({
                text: texts[at],
                runsByItself: true,
              });
          }
        }
      },
    );
    fc.assert(property, { numRuns: 120, seed: 14 });
    // Else the property would hold of rules that allow nothing.
    expect(allowed).toBeGreaterThan(20);
  });

  it("written from ours let run there only what ours name", () => {
    let allowed = 0;
    const rule = fc.record({
      tokens: wordList,
      exact: fc.boolean(),
      effect: fc.constantFrom<Effect>("allow", "allow", "ask", "deny"),
    });
    const property = fc.property(
      fc.array(rule, { minLength: 1, maxLength: 5 }),
      fc.array(part, { maxLength: 12 }),
      (made, parts) => {
        const rules = made.map((one) => ({ ...one, text: one.tokens.join(" ") }));
        const { text } = writeForeignRules(format, rules);
        const there = toRules(adopt(format, text));
        for (const one of parts) {
          const words = wordsOf(
            one,
            made.map(({ tokens }) => ({ words: tokens, shape: "whole", effect: "allow" })),
          );
          if (strongest(there, words) !== "allow") continue;
          allowed += 1;
          expect({ words, here: strongest(rules, words) }).toEqual({ words, here: "allow" });
        }
      },
    );
    fc.assert(property, { numRuns: 120, seed: 15 });
    expect(allowed).toBeGreaterThan(20);
  });
});

type Named = { tokens: string[]; exact?: boolean; effect: Effect };

/** What the rules say of a command by its words alone. */
function strongest(rules: readonly Named[], words: readonly string[]): Effect | undefined {
  const effects = rules
    .filter(
      ({ tokens, exact }) =>
        startsWith(words, { tokens, exact: false }) && (!exact || tokens.length === words.length),
    )
    .map(({ effect }) => effect);
  return (["deny", "ask", "allow"] as const).find((effect) => effects.includes(effect));
}

describe("a rule that ends within a word", () => {
  const claude = JSON.stringify({
    permissions: { allow: ["Bash(npm run:*)"], deny: ["Bash(npm run dep-*)"], ask: ["Bash(cat src/a*)"] },
  });
  const vsCode = JSON.stringify({
    "chat.tools.terminal.autoApprove": { "npm run": true, "npm run dep": false, "cat src/a": false },
  });
  it.each([
    ["claude-code", claude],
    ["vscode", vsCode],
  ] as const)("holds for the whole word, also of what would run by itself (%s)", (format, text) => {
    const rules = toRules(adopt(format, text));
    const commands = ["npm run dep-x", "npm run dep-x --y", "cat src/a.ts", "npm run test", "cat src/b.ts"];
    expect(commands.filter((command) => runs(command, rules))).toEqual(["npm run test", "cat src/b.ts"]);
    expect(runs("cat src/a.ts", [])).toBe(true);
  });
});

describe("what is written", () => {
  const rule = (text: string, effect: Effect, more = {}) => ({
    tokens: text.split(" "),
    exact: false,
    text,
    effect,
    ...more,
  });
  it("says beginnings and whole commands as each program knows them", () => {
    const rules = [
      rule("npm test", "allow"),
      rule("rm a.txt", "allow", { exact: true }),
      rule("git push", "ask"),
      rule("npm run dep", "deny", { partial: true }),
    ];
    expect(JSON.parse(writeForeignRules("claude-code", rules).text)).toEqual({
      permissions: {
        allow: ["Bash(npm test:*)", "Bash(rm a.txt)"],
        ask: ["Bash(git push:*)"],
        deny: ["Bash(npm run dep*)"],
      },
    });
    expect(JSON.parse(writeForeignRules("vscode", rules).text)).toEqual({
      "chat.tools.terminal.autoApprove": {
        "/^npm test( |$)/": true,
        "/^rm a\\.txt$/": true,
        "/^git push( |$)/": false,
        "/^npm run dep/": false,
      },
    });
    expect(writeForeignRules("codex", rules)).toEqual({
      text: `prefix_rule(pattern=["npm", "test"], decision="allow")\nprefix_rule(pattern=["git", "push"], decision="prompt")\n`,
      left: [
        { rule: "rm a.txt", reason: "Codex knows beginnings of commands only." },
        { rule: "npm run dep", reason: "Codex knows whole words only." },
      ],
    });
  });

  it("leaves out what lets more run without a rule that cannot be said there", () => {
    const odd = { ...rule("npm run", "deny"), tokens: ["npm", "run", "a b"], text: "npm run 'a b'" };
    const { text, left } = writeForeignRules("claude-code", [
      rule("npm run", "allow"),
      rule("make", "allow"),
      odd,
    ]);
    expect(JSON.parse(text).permissions.allow).toEqual(["Bash(make:*)"]);
    expect(left.map((one) => one.rule)).toEqual(["npm run 'a b'", "npm run"]);
  });
});
