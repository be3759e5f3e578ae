/** Tells whether a program that copies or packs whole folders would carry secrets under names that say nothing of them. */
import { describeLinks, describeRoot } from "./broad-search.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";

/** What a program does with the folders among its words. */
type Gathering = { packs: boolean; follows: boolean };

function hasFlag(args: readonly string[], long: string, short: RegExp): boolean {
  return args.some(
    (arg) =>
      (arg.startsWith("--") ? arg.length > 3 && long.startsWith(arg.slice(2)) : short.test(arg)) ||
      arg === `--${long}`,
  );
}

/** The first word of tar may bundle letters without a dash. */
function readTar(args: readonly string[]): Gathering {
  const letters = args.filter((arg, at) => /^-[a-zA-Z]/.test(arg) || (at === 0 && /^[a-zA-Z]+$/.test(arg)));
  const makes = ["create", "append", "update", "catenate", "concatenate"].some((long) =>
    hasFlag(args, long, /^$/),
  );
  return {
    packs: makes || letters.some((arg) => /[cruA]/.test(arg)),
    follows: hasFlag(args, "dereference", /^$/) || letters.some((arg) => /[hL]/.test(arg)),
  };
}

function readCopy(args: readonly string[], { context }: Scene): Gathering {
  const deep = hasFlag(args, "recursive", /^-\w*[rRa]/) || hasFlag(args, "archive", /^$/);
  // Where the tools may be BSD's, `-r` alone follows links as well.
  const byItself = context.tools !== "gnu" && args.some((arg) => /^-\w*r/.test(arg));
  return { packs: false, follows: deep && (byItself || hasFlag(args, "dereference", /^-\w*[LH]/)) };
}

function readGathering(name: string, args: readonly string[], scene: Scene): Gathering | undefined {
  switch (name) {
    case "tar":
      return readTar(args);
    case "zip":
      return {
        packs: hasFlag(args, "recurse-paths", /^-\w*[rR]/),
        follows: !hasFlag(args, "symlinks", /^-\w*y/),
      };
    case "cp":
      return readCopy(args, scene);
    default:
      return undefined;
  }
}

/**
 * Why an archive of a folder, or a copy of it through links, would hold secrets in a file that anything may print then.
 * A plain copy of a folder keeps the names by which its files are known.
 */
export function describePacked(name: string, words: readonly ShellWord[], scene: Scene): string | undefined {
  const gathering = readGathering(
    name,
    words.map(({ value }) => value),
    scene,
  );
  if (gathering === undefined || !(gathering.packs || gathering.follows)) return undefined;
  const operands = words.filter(({ value, problem }) => problem === undefined && !value.startsWith("-"));
  for (const word of operands) {
    const through = gathering.follows ? describeLinks([word], scene, true) : undefined;
    if (through !== undefined) return through;
    const search = { hidden: true };
    const found = gathering.packs ? describeRoot(word.glob ? "." : word.value, search, scene) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
