/** How the guard of a program is written down: its flags and its words that always ask. */
import type { ShellWord } from "../shell-word.ts";
import type { FlagGuard } from "./flag-guard.ts";

/** @returns from `check` why these words ask, if they do. */
export type ProgramGuard = FlagGuard & { check?: (args: readonly ShellWord[]) => string | undefined };

/** Names of flags, long ones apart by spaces; `valued` are the short ones that a value follows. */
export function guard(
  reason: string,
  long: string,
  short = "",
  valued = "",
  check?: ProgramGuard["check"],
): ProgramGuard {
  return { reason, long: long.split(" ").filter((each) => each !== ""), short, valued, check };
}

/** What the words come to. */
export function values(args: readonly ShellWord[]): string[] {
  return args.map((word) => word.value);
}

/** The first word that is no option; none is empty. */
export function firstOperand(args: readonly ShellWord[]): string {
  return values(args).find((value) => !value.startsWith("-")) ?? "";
}

/** Asks on a first operand like this. */
export function askOn(pattern: RegExp, reason: string): (args: readonly ShellWord[]) => string | undefined {
  return (args) => (pattern.test(firstOperand(args)) ? reason : undefined);
}
