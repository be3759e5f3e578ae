/** Commands of the reading tools with their options at all places, and a secret among their words. For tests only. */
import type { FlagProfile } from "../profiles/flag-profile.ts";

/** What a tool must not tell of: one that prints files a secret, one that lists names what lies outside. */
export function canaryOf({ operands }: FlagProfile): string {
  return operands === "content" ? ".env" : "../outside";
}

type Letter = { flag: string; takes: boolean };

function lettersOf({ short = "", bsd = "" }: FlagProfile): Letter[] {
  return [...`${short} ${bsd}`.matchAll(/([A-Za-z0-9])([:<]?)/g)].map((each) => ({
    flag: `-${each[1]}`,
    takes: each[2] !== "",
  }));
}

function longOf({ long = "" }: FlagProfile): string[] {
  const names = long.split(" ").map((each) => each.replace(/[=<?]$/, ""));
  return names
    .filter((name) => name !== "" && name !== "help" && name !== "version")
    .map((name) => `--${name}`);
}

/** Each option alone, before and behind an operand, with the canary attached, next to it and further on. */
function withOne(tool: string, options: readonly string[], canary: string): string[] {
  return options.flatMap((option) =>
    [
      `a.txt ${option} C`,
      `${option} C`,
      `${option} C a.txt`,
      `${option} 1 C`,
      `a.txt ${option} 1 C`,
      `${option} a.txt C`,
      `x a.txt ${option} C`,
      `${option} x C a.txt`,
      option.startsWith("--") ? `${option}=C a.txt` : `${option}C a.txt`,
      `a.txt ${option}`,
      `-- a.txt ${option} C`,
    ].map((words) => `${tool} ${words.replace("C", canary)}`),
  );
}

/** Each option with some of the others, the canary behind either. */
function withTwo(tool: string, letters: readonly Letter[], canary: string): string[] {
  return letters.flatMap((one, at) =>
    [1, 2, 5].flatMap((step) => {
      const two = letters[(at + step) % letters.length]!;
      const value = one.takes ? " 1" : "";
      return [
        `${tool} ${one.flag}${value} a.txt ${two.flag} ${canary}`,
        `${tool} ${one.flag} ${two.flag} ${canary} a.txt`,
        `${tool} ${one.flag}${value} x ${two.flag} ${canary} a.txt`,
      ];
    }),
  );
}

/** All commands of one tool, always in the same order. */
export function makeBsdCommands(tool: string, profile: FlagProfile): string[] {
  const letters = lettersOf(profile);
  const options = [...letters.map(({ flag }) => flag), ...longOf(profile)];
  const canary = canaryOf(profile);
  return [...new Set([...withOne(tool, options, canary), ...withTwo(tool, letters, canary)])];
}
