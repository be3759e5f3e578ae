/** Where a walk through a script stands, and the units that it has written down so far. */
import type { WordPlace } from "./command-pieces.ts";
import type { ReadScript } from "./plain/agreement.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ShellUnit } from "./shell-unit.ts";

/** What a step of the walk knows; a step below gets a copy, and adds to the same lists. */
export type ScriptWalk = WordPlace & {
  source: string;
  /** Where everything of this source is said to stand, when its places are not those of the command. */
  standsAt?: number;
  depth: number;
  inLoop: boolean;
  /** Below a compound command, or in the text of a script. */
  within: boolean;
  units: ShellUnit[];
  scripts: ReadScript[];
};

/** A stretch of the source, and where in the command that is. */
export type SourcePart = Pick<ShellUnit, "text" | "at">;

/** The start of a walk: the command itself, in the workspace's directory. */
export function startWalk(command: string, context: PolicyContext): ScriptWalk {
  return {
    context,
    source: command,
    dialect: "bash",
    depth: 0,
    inLoop: false,
    within: false,
    cwds: [context.cwd],
    loops: new Map(),
    plainWords: undefined,
    units: [],
    scripts: [],
  };
}

/** The part of the source that a node of its tree was read from. */
export function partOf(walk: ScriptWalk, { pos, end }: { pos: number; end: number }): SourcePart {
  return { text: walk.source.slice(pos, end), at: walk.standsAt ?? pos };
}

/** A whole source as a part. */
export function wholeOf(walk: ScriptWalk, text: string): SourcePart {
  return walk.standsAt === undefined ? { text } : { text, at: walk.standsAt };
}

/** Writes down a unit that is no simple command: what it has besides its place, everything else empty. */
export function addUnit(walk: ScriptWalk, part: SourcePart, unit: Partial<ShellUnit>): void {
  walk.units.push({
    ...part,
    words: [],
    assignments: [],
    redirects: [],
    problems: [],
    ...unit,
    cwds: walk.cwds,
  });
}

/** Writes down what nobody can judge. @param denial why it never runs, when its shape alone says so. */
export function addProblem(walk: ScriptWalk, part: SourcePart, problem: string, denial?: string): void {
  addUnit(walk, part, { problems: [problem], denial });
}
