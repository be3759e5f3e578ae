/** On macOS: no word that its tools take for a file goes unjudged, and everyday commands still run unasked. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isLongRun } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { flagProfiles } from "./profiles/read-only-tools.ts";
import { canaryOf, makeBsdCommands } from "./testing/bsd-commands.ts";
import { macosLetters } from "./testing/macos-letters.ts";
import { makeContext } from "./testing/make-context.ts";

const mac = makeContext({ rules: [], tools: "bsd" });
const linux = makeContext({ rules: [] });
const verdictOn = (context: typeof mac, command: string) => judgeCommand(command, context).verdict;

/** Tools of the profiles that macOS does not come with: what is there under these names was added, and is GNU's. */
const added = new Set(["tac", "dir", "vdir", "tree", "b2sum"]);
/** Their sources are not among Apple's published ones that the table of letters was taken from. */
const unseen = new Set(["diff", "cmp", "strings", "file"]);
/** The shell's own, which is bash on every system. */
const builtin = new Set(["type", "command"]);

const reading = Object.entries(flagProfiles).filter(
  ([name, { operands, sameEverywhere }]) =>
    ["content", "metadata"].includes(operands) && !sameEverywhere && !builtin.has(name),
);

/** Options of macOS that read a file of the next or the attached word. */
const filesOfOptions: Record<string, string> = {
  base64: "i",
  grep: "f",
  egrep: "f",
  fgrep: "f",
  hexdump: "f",
};

/** What macOS' own getopt would hand the tool as files; undefined where it only prints its usage. */
function filesOnMacos(tool: string, words: readonly string[], letters: string): string[] | undefined {
  const takes = new Map(
    [...letters.matchAll(/([A-Za-z0-9@%,])(:{0,2})/g)].map((each) => [each[1]!, each[2]!]),
  );
  const files: string[] = [];
  let pattern = !/grep$/.test(tool);
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === "--") {
      at += 1;
      break;
    }
    if (!/^-./.test(word)) break;
    // Long options are another reading, and numbers are no letters.
    if (word.startsWith("--")) return undefined;
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index]!;
      const kind = takes.get(letter);
      if (kind === undefined) return undefined;
      if (kind === "") continue;
      let value = word.slice(index + 1);
      if (value === "" && kind === ":") {
        at += 1;
        value = words[at] ?? "";
      }
      if (filesOfOptions[tool] === letter) files.push(value);
      if (/^[ef]$/.test(letter)) pattern = true;
      break;
    }
  }
  const operands = words.slice(at);
  return [...files, ...(pattern ? operands : operands.slice(1))];
}

describe("the letters of macOS' tools", () => {
  it.each(reading.filter(([name]) => !added.has(name) && !unseen.has(name)))(
    "are known of %s, and take a value where Apple's do",
    (name, { bsd }) => {
      const apple = macosLetters[name];
      expect(apple).toBeDefined();
      expect(bsd).toBeDefined();
      const takes = new Map(
        [...apple!.matchAll(/([A-Za-z0-9@])(:?)/g)].map((each) => [each[1], each[2] === ":"]),
      );
      for (const [, letter, kind] of bsd!.matchAll(/([A-Za-z0-9@])([:<]?)/g))
        expect([letter, takes.get(letter)]).toEqual([letter, kind !== ""]);
    },
  );

  it("are told of every tool that reads files, or it is no tool of macOS", () => {
    expect(reading.filter(([name, { bsd }]) => bsd === undefined && !added.has(name))).toEqual([]);
  });
});

describe("a file behind an operand, as macOS' tools read it", () => {
  it("is judged, for all tools, letters and places", () => {
    const unjudged: string[] = [];
    let judged = 0;
    let opened = 0;
    for (const [tool, profile] of reading) {
      for (const [at, command] of [...makeBsdCommands(tool, profile)].entries()) {
        if (!isLongRun && at % 3 !== 0) continue;
        const words = command.split(" ").slice(1);
        const letters = macosLetters[tool] ?? profile.bsd ?? profile.short ?? "";
        const files = filesOnMacos(tool, words, letters);
        judged += 1;
        if (files?.includes(canaryOf(profile)) !== true) continue;
        opened += 1;
        if (verdictOn(mac, command) === "safe") unjudged.push(command);
      }
    }
    expect(judged).toBeGreaterThan(isLongRun ? 4_000 : 1_300);
    expect(opened).toBeGreaterThan(isLongRun ? 2_000 : 650);
    expect(unjudged).toEqual([]);
  });

  it.each([
    "head README.md -n ~/.ssh/id_rsa",
    "tail README.md -c ~/.ssh/id_rsa",
    "cut -f1 README.md -d ~/.ssh/id_rsa",
    "fold README.md -w .env",
    "nl README.md -s .env",
    "od README.md -A .env",
    "hexdump README.md -s .env",
    "hexdump README.md -e .env",
    "paste README.md -d .env",
    "expand README.md -t .env",
    "unexpand README.md -t .env",
    "column README.md -s .env",
    "fmt -p .env",
    "fmt -p ~/.ssh/id_rsa",
    "ls -w ~/Documents",
    "ls -T ~/Documents",
    "ls -I ~/Documents",
    "grep --context 5 .env",
    "grep -r x . -l",
    "find -fstype ~/Documents -print",
    "find . -name '*.md' -exec grep --context 5 .env {} +",
    "find . | xargs grep -c --context 5 .env",
    "xargs head -n 1 -- .env",
    "base64 -i .env",
    "base64 -di.env",
    "uniq a.txt -c",
    "sed -n p -e .env",
  ])("asks on macOS: %s", (command) => {
    expect(
      verdictOn(
        makeContext({ rules: [], tools: "bsd", findSecretBelow: () => "/home/ada/code/app/.env" }),
        command,
      ),
    ).toBe("ask");
  });

  it("asks about options that read, write or run something on macOS alone, or on GNU's side alone", () => {
    const context = { ...mac, findSecretBelow: () => "/home/ada/code/app/.env" };
    const attacks: string[] = JSON.parse(
      readFileSync(new URL("./testing/bsd-attacks.json", import.meta.url), "utf8"),
    );
    expect(attacks.length).toBeGreaterThan(300);
    expect(attacks.filter((command) => verdictOn(context, command) !== "ask")).toEqual([]);
  });

  it.each(["uniq a.txt -c", "head README.md -n 5", "ls src -la", "cut README.md -d / -f 1", "sort a.txt -u"])(
    "stays as it is where GNU's tools run: %s",
    (command) => expect(verdictOn(linux, command)).toBe("safe"),
  );
});

it("lets at least 95 of 100 everyday commands that only read run unasked on macOS", () => {
  const commands: string[] = JSON.parse(
    readFileSync(new URL("./everyday-commands.json", import.meta.url), "utf8"),
  );
  const asking = commands.filter((command) => verdictOn(mac, command) !== "safe");
  console.log(`${asking.length} of ${commands.length} everyday commands ask on macOS:\n${asking.join("\n")}`);
  expect(asking.length / commands.length).toBeLessThanOrEqual(0.05);
});
