/** Reads the pieces of one command as it stands in the syntax tree: words, assignments and redirections. */
import type { Command, Redirection } from "unbash";
import { opaque } from "./bounded/opaque-reasons.ts";
import type { KnownValue, KnownVariables } from "./known-variables.ts";
import { describeDialectProblem } from "./node-problems.ts";
import type { PlainWord } from "./plain/plain-script.ts";
import { isSameWord } from "./plain/same-word.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ShellUnit, UnitAssignment, UnitRedirect } from "./shell-unit.ts";
import { decodeWord, type ShellWord } from "./shell-word.ts";
import type { Unwrapped } from "./wrapper.ts";

/** Where a word stands: which shell reads it, in which directories, within which loops. */
export type WordPlace = {
  context: PolicyContext;
  dialect: "bash" | "sh";
  cwds: readonly string[];
  loops: ReadonlyMap<string, KnownValue>;
  /** The words of the recogniser by their place; undefined for a script that is not plain. */
  plainWords: ReadonlyMap<number, PlainWord> | undefined;
};

/** A word that is exactly its text. */
export function plainWord(text: string): ShellWord {
  return { text, value: text, pattern: text, glob: false, leadingGlob: false };
}

/** Decodes a word where it stands; a word that two readings disagree on becomes a problem. */
export function decodeIn(
  place: WordPlace,
  word: { text: string; pos: number; value?: string },
  printed = false,
): ShellWord {
  const [only, ...others] = place.cwds;
  const known: KnownVariables = {
    home: place.context.home,
    pwd: others.length === 0 && only === place.context.cwd ? only : undefined,
    loops: place.loops,
    printed,
  };
  const decoded = decodeWord(word.text, known);
  if (decoded.problem !== undefined) return { ...decoded, value: word.value ?? decoded.value };
  if (place.plainWords === undefined) return decoded;
  const plain = place.plainWords.get(word.pos);
  const same =
    plain !== undefined && plain.end - plain.start === word.text.length && isSameWord(plain, decoded, known);
  return same ? decoded : { ...decoded, problem: "Two readings of the word disagree." };
}

/** All pieces of a simple command: its words as they stand, without wrappers taken off. */
export function readCommand(
  place: WordPlace,
  node: Command,
): Pick<ShellUnit, "words" | "assignments" | "redirects" | "problems"> {
  const printed = node.name?.text === "echo";
  const words = [...(node.name ? [node.name] : []), ...node.args].map((word) =>
    decodeIn(place, { ...word, value: typeof word.value === "string" ? word.value : undefined }, printed),
  );
  return {
    words,
    assignments: readAssignments(place, node),
    ...readRedirects(place, node.redirects),
  };
}

function readAssignments(place: WordPlace, node: Command): UnitAssignment[] {
  return node.prefix.flatMap((item): UnitAssignment[] => {
    if (item.type !== "Assignment") return [];
    const plain = /^([A-Za-z_]\w*)=/.exec(item.text);
    if (!plain || item.value.type !== "Word") {
      return [{ name: item.name, value: plainWord(item.text), plain: false }];
    }
    return [
      {
        name: plain[1]!,
        value: decodeIn(place, { text: item.text.slice(plain[0].length), pos: item.pos + plain[0].length }),
        plain: true,
      },
    ];
  });
}

/** The redirections of a command, with the problems that their shape alone raises. */
export function readRedirects(
  place: WordPlace,
  redirections: readonly Redirection[],
): Pick<ShellUnit, "redirects" | "problems"> {
  const problems: string[] = [];
  const redirects: UnitRedirect[] = [];
  for (const item of redirections) {
    const dialect = describeDialectProblem(item, place.dialect);
    if (dialect !== undefined) problems.push(dialect);
    if (item.descriptor?.type === "FileDescriptorVariable") {
      problems.push("A redirection writes its number into a variable.");
    }
    if (item.type === "HereDoc") {
      if (item.closing === undefined) problems.push("A here-document is not closed.");
      const body = item.delimiter?.quoted === true ? "" : item.body.text.replace(/\\[\s\S]/g, "");
      if (item.delimiter === undefined || /`|\$[A-Za-z0-9_@*#?$!({[-]/.test(body)) {
        problems.push(opaque.hereDocument);
      }
      continue;
    }
    const target = item.target && decodeIn(place, item.target);
    if (target === undefined) problems.push("A redirection has no target.");
    else if (item.type === "HereString") {
      if (target.problem !== undefined) problems.push(target.problem);
    } else redirects.push({ operator: item.operator, target });
  }
  return { redirects, problems };
}

/** The unit behind a wrapper: its words, the environment it sets and the file it writes. */
export function withoutWrapper(unit: ShellUnit, inner: Extract<Unwrapped, { kind: "command" }>): ShellUnit {
  const assignments = inner.environment.map((word) => {
    const name = /^[A-Za-z_]\w*(?==)/.exec(word.value)?.[0] ?? "";
    const problem = word.glob ? "The value is a file pattern." : word.problem;
    return {
      name,
      value: { ...word, value: word.value.slice(name.length + 1), problem },
      plain: name !== "",
    };
  });
  const output: UnitRedirect[] = inner.writesOutputFile
    ? [{ operator: ">>", target: plainWord("nohup.out") }]
    : [];
  return {
    ...unit,
    words: inner.words,
    assignments: [...unit.assignments, ...assignments],
    redirects: [...unit.redirects, ...output],
  };
}
