/** Rules as the dialog proposes them: whatever they cover is, by bash's own reading, what the dialog showed. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { findBeyond } from "../src/main/policy/beyond/find-beyond.ts";
import { plainWord } from "../src/main/policy/command-pieces.ts";
import { judgeCommand } from "../src/main/policy/judge-command.ts";
import type { CommandRule, PolicyContext } from "../src/main/policy/policy-context.ts";
import { proposeRule } from "../src/main/policy/propose-rule.ts";
import { makeContext } from "../src/main/policy/testing/make-context.ts";
import { startAttack } from "./attack-run.ts";
import { readWordsByBash } from "./bash-words.ts";
import { findUnprivileged } from "./unprivileged.ts";

const isWindows = process.platform === "win32";
const asked = [
  ...[
    "npm test",
    "npm run build",
    "npm run lint -- --fix",
    "npm install lodash",
    "npm version patch",
    "yarn test",
  ],
  ...[
    "make build",
    "make",
    "cargo test",
    "go test ./...",
    "pytest -q tests",
    "tsc --noEmit",
    "eslint src",
    "biome check src",
  ],
  ...[
    "git add src/a.ts",
    "git commit -m fix",
    "git stash",
    "git fetch origin",
    "git checkout -b x",
    "git branch x",
    "git tag v1",
  ],
  ...[
    "mytool run x",
    "mytool ./x",
    "tool --flag",
    "rm f",
    "mv f g",
    "cp f g",
    "touch a",
    "mkdir x",
    "tee f",
    "sort -u f -o f",
  ],
  ...[
    "curl https://example.com",
    "wget https://example.com/a",
    "gh pr view 1",
    "gh pr checkout 7",
    "kubectl get pods",
    "docker ps",
  ],
  ...[
    "terraform plan",
    "pip install x",
    "uv run tests",
    "poetry run x",
    "zip a f",
    "prettier src",
    "vitest run",
    "mix test",
  ],
  ...["pnpm -r test", "yarn workspace a test", "prisma migrate dev", "split data part", "cc a b"],
];
const more = [
  ...[
    "-f",
    "--force",
    "--admin",
    "--",
    "-o",
    "x",
    "'x y'",
    "src/b.ts",
    "..",
    "/etc/x",
    "~/x",
    "*",
    "publish",
    "deploy",
    "push",
  ],
  ...[
    "--registry=https://evil.example",
    "https://evil.example/?d=1",
    "host:x",
    "-X",
    "DELETE",
    "-d",
    "@f",
    "--output=x",
    "-C",
    "a=b",
  ],
  ...[
    "merge",
    "release",
    "--push",
    "$HOME",
    "$(x)",
    "> out",
    "< /dev/null",
    ">> log",
    "2>&1",
    "> src/b.ts",
    "&> x",
  ],
];

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "attack-rules-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Pick = <T>(list: readonly T[]) => T;

function respell(word: string, pick: Pick): string {
  if (!/^[\w./:=-]+$/.test(word)) return word;
  const [head, tail] = [word.slice(0, 1), word.slice(1)];
  return pick([
    word,
    word,
    word,
    `'${word}'`,
    `"${word}"`,
    `${head}"${tail}"`,
    `${head}''${tail}`,
    `\\${word}`,
  ]);
}

/** The command that a rule was made of, with words added, dropped and quoted, or another one. */
function vary(command: string, random: () => number, pick: Pick): string {
  const words = (random() < 0.85 ? command : pick(asked)).split(" ");
  for (let left = Math.floor(random() * 3); left > 0; left -= 1)
    words.splice(1 + Math.floor(random() * words.length), random() < 0.3 ? 1 : 0, pick(more));
  return words.map((word) => respell(word, pick)).join(" ");
}

const contextWith = (rules: PolicyContext["rules"]) => makeContext({ rules, isKept: () => true });
const quoted = (words: readonly string[]) =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

/** Why a command that bash runs under a rule is not what the dialog showed. */
function findExcess(words: readonly string[], shown: readonly string[], exact: boolean): string | undefined {
  if (judgeCommand(quoted(words), contextWith([])).verdict === "safe") return undefined;
  if (!shown.every((token, at) => token === words[at])) return "it begins with other words";
  if (exact && words.length !== shown.length) return "it has more words";
  return findBeyond(words.map(plainWord), { context: contextWith([]), cwds: ["/home/ada/code/app"] })?.reason;
}

describe.skipIf(isWindows)("a rule from a card", () => {
  it("covers what its dialog shows and nothing that leaves this machine or cannot be undone", () => {
    const attack = startAttack("rules");
    const pick: Pick = (list) => list[Math.floor(attack.random() * list.length)]!;
    let covered = 0;
    for (const _ of attack.rounds(1)) {
      const tried: { rule: CommandRule; command: string; parts: string[] }[] = [];
      for (const asking of asked)
        for (let time = 0; time < 1; time += 1) {
          const made = asking
            .split(" ")
            .map((word) => respell(word, pick))
            .join(" ");
          const proposal = proposeRule(made, contextWith([]));
          if ("reason" in proposal) continue;
          const rule: CommandRule = { ...proposal, id: "r", effect: "allow", scope: "user" };
          for (let other = 0; other < (isLongRun ? 40 : 12); other += 1) {
            const joined = Array.from({ length: pick([1, 1, 2]) }, () => vary(asking, attack.random, pick));
            const command = joined.join(pick([" && ", "; ", " | ", "\n"]));
            const { verdict, units } = judgeCommand(command, contextWith([rule]));
            if (verdict !== "covered") continue;
            // A part that only reads needs no rule.
            const byRule = units.filter((unit) => unit.verdict === "covered");
            tried.push({ rule, command, parts: byRule.map(({ text }) => text) });
          }
        }
      const texts = tried.flatMap(({ rule, command }) => [rule.text, command]);
      const read = readWordsByBash(texts, folder, findUnprivileged());
      tried.forEach(({ rule, command, parts }, at) => {
        const shown = read[2 * at]![0] ?? [];
        const ran = read[2 * at + 1]!;
        expect(shown, rule.text).toEqual(rule.tokens);
        expect(ran.length, command).toBeGreaterThan(0);
        const excess = ran
          .map((words) => findExcess(words, shown, rule.exact === true))
          .filter((each) => each !== undefined);
        expect(excess, `${JSON.stringify(command)} under ${rule.text}`).toEqual([]);
        if (rule.exact) expect(parts.join("\n").replaceAll("2>&1", ""), command).not.toMatch(/[<>]/);
      });
      covered += tried.length;
    }
    expect(covered).toBeGreaterThan(100);
  });
});
