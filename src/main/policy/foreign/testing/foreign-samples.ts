/** Random rules in the form of each program, with what that program's documents say of a command by them. For tests only. */
import fc from "fast-check";
import type { RuleFormat } from "../../../../shared/contract/rule-exchange.ts";
import type { Effect } from "../foreign-entry.ts";

type Shape = "whole" | "beginning" | "within";
export type SampleEntry = { words: string[]; shape: Shape; effect: Effect };

const names = ["npm", "npm", "make", "make", "git", "cat", "cargo", "tsc", "touch", "rm", "ls", "npm-x"];
const others = ["test", "run", "test:a", "tes", "-x", "a.txt", "a", "push", "status", "build", "../x", "a+b"];
export const wordList = fc
  .tuple(fc.constantFrom(...names), fc.array(fc.constantFrom(...others), { maxLength: 3 }))
  .map(([name, rest]) => [name, ...rest]);

export const sampleEntries = (format: RuleFormat): fc.Arbitrary<SampleEntry[]> =>
  fc.array(
    fc.record({
      words: wordList,
      shape: fc.constantFrom<Shape>(
        ...(format === "codex" ? (["beginning"] as const) : (["whole", "beginning", "within"] as const)),
      ),
      effect: fc.constantFrom<Effect>(
        "allow",
        "allow",
        "allow",
        "ask",
        ...(format === "vscode" ? [] : (["deny"] as const)),
      ),
    }),
    { minLength: 1, maxLength: 6 },
  );

const decisions = { allow: "allow", ask: "prompt", deny: "forbidden" };
const quote = (text: string) => text.replaceAll(/[./+]/g, "\\$&");

/** The key of an entry in VS Code's list. */
function keyOf({ words, shape }: SampleEntry): string {
  const text = words.join(" ");
  if (shape === "within") return text;
  return `/^${quote(text)}${shape === "whole" ? "$" : "( |$)"}/`;
}

export function writeSample(format: RuleFormat, entries: readonly SampleEntry[]): string {
  if (format === "codex")
    return entries
      .map(
        ({ words, effect }) =>
          `prefix_rule(pattern=${JSON.stringify(words)}, decision="${decisions[effect]}")`,
      )
      .join("\n");
  if (format === "vscode") {
    const list = Object.fromEntries(entries.map((entry) => [keyOf(entry), entry.effect === "allow"]));
    return JSON.stringify({ "chat.tools.terminal.autoApprove": list });
  }
  const ends = { whole: "", beginning: ":*", within: "*" };
  const of = (effect: Effect) =>
    entries
      .filter((entry) => entry.effect === effect)
      .map(({ words, shape }) => `Bash(${words.join(" ")}${ends[shape]})`);
  return JSON.stringify({ permissions: { allow: of("allow"), ask: of("ask"), deny: of("deny") } });
}

function matches(format: RuleFormat, { words, shape }: SampleEntry, command: readonly string[]): boolean {
  if (format === "codex") return words.every((word, at) => command[at] === word);
  const [text, begun] = [command.join(" "), words.join(" ")];
  if (shape === "whole") return text === begun;
  if (shape === "beginning") return text === begun || text.startsWith(`${begun} `);
  return format === "vscode" ? new RegExp(`^${quote(begun)}\\b`).test(text) : text.startsWith(begun);
}

const strength = { allow: 0, ask: 1, deny: 2 };

/** What the other program does about one plain command; undefined where none of the entries is about it. */
export function decideAsOther(
  format: RuleFormat,
  entries: readonly SampleEntry[],
  command: readonly string[],
): Effect | undefined {
  // Of two entries with one key VS Code knows the later one only.
  const counted =
    format === "vscode" ? [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()] : entries;
  return counted
    .filter((entry) => matches(format, entry, command))
    .map(({ effect }) => effect)
    .toSorted((a, b) => strength[b] - strength[a])[0];
}
