import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { VerdictName } from "../../shared/contract/decisions.ts";
import { anyCharacter } from "../../shared/testing/any-character.ts";
import { isLongRun, runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";
import { makeRandom, makeSmugglingCommand } from "./testing/seeded-commands.ts";
import { isStricter } from "./verdict.ts";

const fixtureSchema = z.object({ cases: z.array(z.object({ command: z.string(), verdict: z.string() })) });
const { cases } = fixtureSchema.parse(
  JSON.parse(readFileSync(new URL("./shell-cases.json", import.meta.url), "utf8")),
);
const context = makeContext();

function judge(command: string): VerdictName {
  return judgeCommand(command, context).verdict;
}

const strict = cases
  .filter(({ verdict }) => verdict === "ask" || verdict === "deny")
  .map(({ command }) => command);
const denied = cases.filter(({ verdict }) => verdict === "deny").map(({ command }) => command);
const simple = strict.filter((command) => /^[\w./ =~-]+$/.test(command) && !/^\w+=/.test(command));

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const wrappings: ((command: string) => string)[] = [
  (command) => `bash -c ${single(command)}`,
  (command) => `sh -c ${single(command)}`,
  (command) => `timeout 5 bash -c ${single(command)}`,
  (command) => `env CI=1 nice -n 3 bash -c ${single(command)}`,
  (command) => `nohup bash -c ${single(command)}`,
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `while true; do ${command}\ndone`,
  (command) => `! { ${command}\n}`,
  (command) => `time { ${command}\n}`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `cat <(${command}\n)`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `eval ${single(command)}`,
  (command) => `trap ${single(command)} EXIT`,
];

const joins: ((a: string, b: string) => string)[] = [
  (a, b) => `${a}\n${b}`,
  (a, b) => `${b}\n${a}`,
  (a, b) => `${b}; ${a}`,
  (a, b) => `${b} && ${a}`,
  (a, b) => `${b} || ${a}`,
  (a, b) => `${b} | ${a}`,
  (a, b) => `${b} & ${a}`,
];

const harmless = fc.constantFrom(
  "ls",
  "npm test",
  "git status",
  "echo x",
  "cd src",
  "true",
  "CI=1 npm test",
  "rm x",
);
const options = { numRuns: runsOf(400), seed: 7 };

describe("properties of the shell policy", () => {
  it("never becomes more permissive by wrapping an asking or denied command", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...strict),
        fc.array(fc.constantFrom(...wrappings), { minLength: 1, maxLength: 3 }),
        (command, chain) => {
          const wrapped = chain.reduce((text, wrap) => wrap(text), command);
          expect(isStricter(judge(command), judge(wrapped)), wrapped).toBe(false);
        },
      ),
      options,
    );
  });

  it("never becomes more permissive by joining an asking or denied command with another", () => {
    fc.assert(
      fc.property(fc.constantFrom(...strict), harmless, fc.constantFrom(...joins), (command, other, join) => {
        const joined = join(command, other);
        expect(isStricter(judge(command), judge(joined)), joined).toBe(false);
      }),
      options,
    );
  });

  it("never becomes more permissive by quoting, escaping or spacing the words of an asking or denied command", () => {
    const quote = fc.constantFrom<(word: string) => string>(
      (word) => word,
      (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
      (word) => (word.startsWith("~") ? word : `"${word}"`),
      (word) => (word.startsWith("~") ? word : single(word)),
      (word) => (word.startsWith("~") ? word : word.replace(/[a-z]/g, "\\$&")),
      (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
    );
    const space = fc.constantFrom(" ", "  ", "\t", " \\\n ");
    fc.assert(
      fc.property(
        fc.constantFrom(...simple),
        fc.array(quote, { minLength: 8, maxLength: 8 }),
        space,
        (command, quotes, gap) => {
          const words = command.split(" ").map((word, at) => quotes[at % 8]!(word));
          const quoted = words.join(gap);
          expect(isStricter(judge(command), judge(quoted)), quoted).toBe(false);
        },
      ),
      options,
    );
  });

  it("never runs a denied command because text was added around it", () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom(..."abrm-/ .;&|(){}<>'\"\\$`#\n=*~") });
    fc.assert(
      fc.property(fc.constantFrom(...denied), text, text, (command, before, after) => {
        const verdict = judge(`${before} ${command} ${after}`);
        expect(verdict === "safe" || verdict === "covered", `${before} ${command} ${after}`).toBe(false);
      }),
      { numRuns: runsOf(1500), seed: 11 },
    );
  });

  it("keeps a command denied whatever whole words surround it", () => {
    const words = fc.array(
      fc.constantFrom("echo", "ls;", "'", '"', "cat <<E\n", "$(", "#", "git commit -m", "\\\n", ")"),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...denied), words, (command, before) => {
        expect(judge(`${before.join(" ")} ${command}`)).toBe("deny");
      }),
      options,
    );
  });

  it("is deterministic and never throws on a corpus of hostile text", () => {
    const random = makeRandom(3);
    // The parser alone takes two seconds for 8,000 characters of the worst of them.
    const longest = isLongRun ? 4000 : 1000;
    const hostile = [
      ..."$`'\"\\{([<&|;#~*?=!"
        .split("")
        .flatMap((char) => [
          char.repeat(2 * longest),
          `${char}x `.repeat(longest),
          `a${char}`.repeat(longest),
        ]),
      "a()(".repeat(2000),
      "$((".repeat(2500),
      "${x:-".repeat(1500),
      "$(".repeat(3000),
      "<<E ".repeat(2000),
      "rm ".repeat(2600),
      "rm -rf {a,".repeat(700),
      "if ".repeat(2500),
      "a=(".repeat(2500),
      "[[ ".repeat(2500),
      "case x in ".repeat(800),
      "\\\n".repeat(4000),
      "find ".repeat(1600),
      "bash -c '".repeat(800),
      "/../".repeat(2000),
      ...Array.from({ length: runsOf(1200) }, () => makeSmugglingCommand(random)),
      ...fc.sample(fc.string({ maxLength: 400, unit: anyCharacter }), {
        numRuns: runsOf(600),
        seed: 5,
      }),
    ];
    // Time that grows faster than the text would run into the limit of the test.
    for (const command of hostile) {
      const judged = judgeCommand(command, context);
      expect(judgeCommand(command, context)).toEqual(judged);
    }
  });
});
