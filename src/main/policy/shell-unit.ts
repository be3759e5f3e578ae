/** The parts of a shell command that are judged one by one. */
import type { ShellWord } from "./shell-word.ts";

/** One redirection of a unit; here-documents and here-strings carry data and have no target. */
export type UnitRedirect = { operator: string; target: ShellWord | undefined };

/** One variable assignment, `plain` when it is `NAME=word` without subscript, array or `+=`. */
export type UnitAssignment = { name: string; value: ShellWord; plain: boolean };

/** One simple command (wrappers removed) or one construct that nobody can judge (`problems`). */
export type ShellUnit = {
  text: string;
  /** Where in the command it stands, or the string with the script it is a part of. */
  at?: number;
  words: ShellWord[];
  assignments: UnitAssignment[];
  redirects: UnitRedirect[];
  problems: string[];
  /** Why the unit never runs, when its shape alone says so. */
  denial?: string;
  /** The problem of a `cd` to outside of the workspace, which is none when nothing follows. */
  leadsOutside?: string;
  /** It stands in a script text, a loop or another compound command. */
  within?: boolean;
  /** The unit whose output this one reads, when both are single commands of one pipeline. */
  pipedFrom?: ShellUnit;
  /** Every directory the unit may run in. More than one after a `cd` that may have failed. */
  cwds: readonly string[];
};
