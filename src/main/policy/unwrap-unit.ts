/** Takes the wrappers off a unit until the command or the script remains that the shell runs in the end. */
import { withoutWrapper } from "./command-pieces.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { readUnitName } from "./unit-name.ts";
import { findShellBuiltin, type Unwrapped, unwrapCommand } from "./wrapper.ts";

type UnitScript = Extract<Unwrapped, { kind: "script" }>;

/** The unit behind all wrappers, the program it names when that is known, and the script when a shell is to read one. */
export type BareUnit = { unit: ShellUnit; program?: string; script?: UnitScript };

/** What remains of a unit without its wrappers; one that hides what it starts keeps them and gets the problem. */
export function unwrapUnit(unit: ShellUnit): BareUnit {
  const first = unit.words[0];
  const read = first && readUnitName(first);
  if (read === undefined || "problem" in read) return { unit };
  const inner = unwrapCommand(read.name, unit.words);
  switch (inner.kind) {
    case "command": {
      const own = read.name === "command" || read.name === "time";
      const builtin = own ? undefined : findShellBuiltin(inner.words);
      if (builtin === undefined) return unwrapUnit(withoutWrapper(unit, inner));
      return withProblem(
        unit,
        `${builtin} is a part of the shell, and ${read.name} can only start a program of that name.`,
      );
    }
    case "opaque":
      return withProblem(unit, inner.reason);
    case "script":
      return { unit, script: inner };
    case "plain":
      return { unit, program: read.name };
  }
}

function withProblem(unit: ShellUnit, problem: string): BareUnit {
  return { unit: { ...unit, problems: [...unit.problems, problem] } };
}
