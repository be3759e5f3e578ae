/** The nature of a unit, and what is said of words by whatever judges it. */
import type { SandboxEffect } from "../../shared/contract/decisions.ts";
import { isOpaque } from "./bounded/opaque-reasons.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";
import { judgeArgument } from "./unit-paths.ts";

/** What a program's own nature says: the best verdict without any rule, and the words a rule has to match. */
export type Nature = {
  verdict: "safe" | "new" | "ask";
  reason: string;
  words: ShellWord[];
  readOnly: boolean;
  covered: boolean;
  /** Only where it waits: what a sandbox would do about all the reasons for that. */
  sandbox?: SandboxEffect;
};

/** It waits for a person, whatever rules say. */
export function asks(reason: string, words: ShellWord[], sandbox?: SandboxEffect): Nature {
  return { verdict: "ask", reason, words, readOnly: false, covered: false, sandbox };
}

/** It may run unasked. */
export function reads(reason: string, words: ShellWord[]): Nature {
  return { verdict: "safe", reason, words, readOnly: true, covered: true };
}

/** The first finding among words; later ones would not change the answer. */
export function findFirst<T>(
  words: readonly ShellWord[],
  judge: (word: ShellWord) => T | undefined,
): T | undefined {
  for (const word of words) {
    const finding = judge(word);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Whether it can be read what the word is. */
export const isLiteral = ({ problem }: ShellWord) => problem === undefined;

/** About words that nobody can read: bounded, unless what can be read of them names a place that is asked about. */
export function effectOnWords(
  words: readonly ShellWord[],
  use: "read" | "write",
  scene: Scene,
): SandboxEffect | undefined {
  const unclear = words.filter((word) => !isLiteral(word));
  if (!unclear.every(({ problem }) => isOpaque(problem!))) return undefined;
  const named = findFirst(unclear, (word) =>
    judgeArgument({ ...word, problem: undefined, glob: false }, use, scene),
  );
  return named === undefined ? "bounds" : undefined;
}
