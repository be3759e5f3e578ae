/** The rounds of a loop over words: with which values its body is judged. */
import type { CommandNode } from "unbash";
import { plainWord } from "./command-pieces.ts";
import { addProblem, addUnit, partOf, type ScriptWalk } from "./script-walk.ts";
import type { ShellWord } from "./shell-word.ts";

export type ForLoop = Extract<CommandNode, { type: "For" }>;

/** Most rounds of a loop that are looked at one by one. */
const maxRounds = 64;

/**
 * Writes down what many rounds, or names that only the disk knows, ask about.
 * @param values its words. @returns those that the body is to be judged with, at least one
 */
export function readRounds(walk: ScriptWalk, node: ForLoop, values: readonly ShellWord[]): ShellWord[] {
  const patterns = values.filter((value) => value.glob);
  // The loop itself prints nothing, but its body may tell every name that these match.
  if (patterns.length > 0)
    addUnit(walk, partOf(walk, node), {
      text: patterns.map(({ text }) => text).join(" "),
      words: [plainWord(":"), ...patterns],
    });
  const rounds = partOf(walk, node.body).text.includes(node.name.text)
    ? values.slice(0, maxRounds)
    : values.slice(0, 1);
  if (rounds.length < values.length && rounds.length === maxRounds)
    addProblem(walk, partOf(walk, node), `The loop has more than ${maxRounds} rounds.`);
  return rounds.length === 0 ? [plainWord("")] : rounds;
}
