/** The files that a part of a command deletes or writes, for the few programs and redirections of which that is known. */
import type { ShellUnit } from "./shell-unit.ts";
import type { ShellWord } from "./shell-word.ts";
import { programOf } from "./unit-name.ts";

/** A path that cannot be told, such as a pattern, is `undefined`; `below`: with all that is in it. */
export type UnitFiles = {
  deletes: { path: string | undefined; below: boolean }[];
  writes: (string | undefined)[];
  /** The program, when nobody can tell from its words what it does to files. */
  unknown: string | undefined;
};

const devices = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

/** The files that a part of a command writes or deletes by its words; `unknown` where they do not say. */
export function filesOf({ words, redirects }: ShellUnit): UnitFiles {
  const [program, ...rest] = words;
  const written = redirects
    .filter(
      ({ operator, target }) =>
        target !== undefined && operator.includes(">") && !/^\d+-?$|^-$/.test(target.value),
    )
    .flatMap(({ target }) => (target && !devices.test(target.value) ? [pathOf(target)] : []));
  if (program === undefined) return { deletes: [], writes: written, unknown: undefined };
  const known = ofProgram(programOf(program.value), rest);
  return {
    deletes: known?.deletes ?? [],
    writes: [...written, ...(known?.writes ?? [])],
    unknown: known ? undefined : program.problem === undefined ? programOf(program.value) : "",
  };
}

function ofProgram(
  name: string,
  rest: readonly ShellWord[],
): Pick<UnitFiles, "deletes" | "writes"> | undefined {
  const { flags, operands } = split(rest);
  switch (name) {
    case "rm": {
      const below = flags.some((flag) => flag === "--recursive" || /^-[a-zA-Z]*[rR]/.test(flag));
      return { deletes: operands.map((word) => ({ path: pathOf(word), below })), writes: [] };
    }
    case "unlink":
      return { deletes: operands.map((word) => ({ path: pathOf(word), below: false })), writes: [] };
    // Only an empty folder goes, or comes.
    case "rmdir":
    case "mkdir":
    case "echo":
    case "printf":
    case "true":
    case "cd":
      return { deletes: [], writes: [] };
    case "touch":
    case "tee":
    case "truncate":
      return flags.every((flag) => /^-[a-z]$/.test(flag) && !/^-[srdt]$/.test(flag))
        ? { deletes: [], writes: operands.map(pathOf) }
        : undefined;
    default:
      return undefined;
  }
}

/** Behind `--` nothing is a flag. */
function split(words: readonly ShellWord[]): { flags: string[]; operands: ShellWord[] } {
  const end = words.findIndex(({ value }) => value === "--");
  const isFlag = (word: ShellWord, index: number) =>
    word.value.startsWith("-") && word.value !== "-" && (end < 0 || index < end);
  return {
    flags: words.filter(isFlag).map(({ value }) => value),
    operands: words.filter((word, index) => !isFlag(word, index) && index !== end),
  };
}

function pathOf({ value, glob, problem }: ShellWord): string | undefined {
  return glob || problem !== undefined || value === "" ? undefined : value;
}
