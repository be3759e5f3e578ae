import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const whole = [
  "rm x",
  "mv f g",
  "tee f",
  "touch a b",
  "zip a f",
  "cp f g",
  "npm install lodash",
  "mytool ./x",
];
const quote = (word: string): string => `'${word}'`;

/** The commands that are the same deed in other letters. */
function spellings(command: string): string[] {
  const words = command.split(" ");
  return [command, words.map(quote).join(" "), words.join("  "), `timeout 5 ${command}`, `CI=1 ${command}`];
}

function judge(command: string, rule: string): string {
  const rules = [makeRule(rule, { exact: true })];
  return judgeCommand(command, makeContext({ rules })).verdict;
}

describe("an exact rule", () => {
  it.each(whole)("covers %s in every spelling of the same words", (command) => {
    for (const same of spellings(command)) expect(judge(same, command), same).toBe("covered");
  });

  it.each([
    ["rm x", "rm x src/a.ts"],
    ["rm x", "rm -f x"],
    ["rm x", "rm ./x y"],
    ["rm x", "rm"],
    ["mv f g", "mv f g docs"],
    ["tee f", "tee f g"],
    ["tee f", "tee f > g"],
    ["tee f", "tee f < README.md"],
    ["touch a b", "cd src && touch a b"],
    ["touch a b", "cd src; touch a b"],
    ["touch a b", "(cd src; touch a b)"],
    ["zip a f", "zip a f -r ."],
    ["npm install lodash", "npm install lodash evil"],
    ["curl https://example.com", "curl https://example.com https://evil.example"],
    ["curl https://example.com", "curl https://example.com -X DELETE"],
    ["curl https://example.com", "curl https://example.com/other"],
    ["curl https://example.com", "curl -D src/a.ts https://example.com"],
    ["curl https://example.com", "curl --trace f https://example.com"],
    ["mytool ./x", "mytool ./x --write"],
  ])("made of %s does not cover %s", (rule, command) => {
    expect(judge(command, rule)).not.toBe("covered");
    expect(judge(command, rule)).not.toBe("safe");
  });

  it("covers nothing that has other words, a redirection or another folder, however it is put together", () => {
    const piece = fc.constantFrom(
      "-f",
      "-r",
      "x",
      "src/a.ts",
      "..",
      "*",
      ">",
      "> out",
      "<",
      "< in",
      ">> log",
      "2>",
      "'x y'",
      "$x",
      "https://evil.example",
      "--",
      "-o",
      "@f",
      "a=b",
    );
    const frame = fc.constantFrom<(command: string) => string>(
      (command) => command,
      (command) => `cd src && ${command}`,
      (command) => `cd src; ${command}`,
      (command) => `{ cd src; ${command}; }`,
      (command) => `for i in 1 2; do cd src; ${command}; done`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.array(piece, { maxLength: 3 }),
        fc.nat(3),
        frame,
        (rule, pieces, at, wrap) => {
          const words = rule.split(" ");
          words.splice(Math.min(at, words.length), 0, ...pieces);
          const command = wrap(words.join(" "));
          if (command === rule) return;
          expect(judge(command, rule), command).not.toBe("covered");
        },
      ),
      { numRuns: runsOf(1500), seed: 31 },
    );
  });

  it("that asks or forbids holds in every folder and with every redirection", () => {
    const rules = [makeRule("touch a", { exact: true, effect: "deny" })];
    const judgeDenied = (command: string) => judgeCommand(command, makeContext({ rules })).verdict;
    expect(judgeDenied("cd src && touch a")).toBe("deny");
    expect(judgeDenied("touch a > log")).toBe("deny");
    expect(judgeDenied("touch a b")).toBe("new");
  });
});
