/** Gives each word of a cmdlet to the parameter that PowerShell would give it to. */
import { quote } from "../../../shared/foreign-words.ts";
import type { Cmdlet, ParameterKind } from "./cmdlets.ts";
import type { PipelineWord } from "./read-pipeline.ts";

/** One parameter with what was given to it. */
export type Bound = { name: string; kind: ParameterKind; word: PipelineWord };

/** All that was given. */
export type Bindings = { bound: Bound[]; switches: string[] };

/** The same, or why nobody can say to which parameter a word goes. */
type Binding = Bindings | { problem: string };

/** The one parameter that a written name stands for: itself, else the only one it begins. */
function findParameter(written: string, known: Cmdlet): string | undefined {
  if (Object.hasOwn(known.parameters, written)) return written;
  const begun = Object.keys(known.parameters).filter((each) => each.startsWith(written));
  // What is not in the table may begin with the same letters, so a short form must be long enough to be meant.
  return begun.length === 1 && written.length >= 3 ? begun[0] : undefined;
}

function findValueProblem(kind: ParameterKind, word: PipelineWord): string | undefined {
  const values = word.values.map((value) => value.toLowerCase());
  if (kind === "number" && !(values.length === 1 && /^\d{1,7}$/.test(values[0]!)))
    return `${quote(word.text)} is not a plain number.`;
  if (typeof kind === "object" && !values.every((value) => kind.oneOf.includes(value)))
    return `${quote(word.text)} is not on the list of this parameter.`;
  if (kind === "name" && !values.every((value) => /^[\w.*?-]+$/.test(value)))
    return `${quote(word.text)} is more than a name.`;
  if (kind === "property" && !values.every((value) => /^[a-z][a-z0-9]*$/.test(value)))
    return `${quote(word.text)} is not the plain name of a property.`;
  return undefined;
}

/** The value of `-Name:value`, a list included. */
function withoutName(word: PipelineWord): PipelineWord {
  const cut = (text: string) => text.slice(text.indexOf(":") + 1);
  return { text: cut(word.text), values: [cut(word.values[0]!), ...word.values.slice(1)], bare: true };
}

/** Binds the words of one command. Total; an abbreviation that could mean two parameters is a problem. */
export function bindParameters(words: readonly PipelineWord[], known: Cmdlet): Binding {
  const bound: Bound[] = [];
  const switches: string[] = [];
  const loose: PipelineWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const isName = word.bare && word.text.startsWith("-") && !/^-\d/.test(word.text);
    if (!isName) {
      loose.push(word);
      continue;
    }
    const [, written, joined] = /^-([a-z]+)(?::(.+))?$/i.exec(word.text) ?? [];
    const name = written === undefined ? undefined : findParameter(written.toLowerCase(), known);
    if (name === undefined) return { problem: `The parameter ${quote(word.text)} is not on the list.` };
    const kind = known.parameters[name]!;
    if (kind === "switch") {
      if (joined !== undefined) return { problem: `The parameter ${quote(word.text)} takes nothing here.` };
      switches.push(name);
      continue;
    }
    const value = joined === undefined ? words[++at] : withoutName(word);
    if (value === undefined || (joined === undefined && value.bare && /^-(?!\d)/.test(value.text)))
      return { problem: `The parameter ${quote(word.text)} has no value.` };
    bound.push({ name, kind, word: value });
  }
  const free = known.positions.filter((position) => !bound.some(({ name }) => name === position));
  for (const word of loose) {
    const name = free.shift();
    if (name === undefined) return { problem: `The word ${quote(word.text)} has no place.` };
    bound.push({ name, kind: known.parameters[name]!, word });
  }
  const problem = bound
    .map(({ kind, word }) => findValueProblem(kind, word))
    .find((each) => each !== undefined);
  if (problem !== undefined) return { problem };
  return { bound, switches };
}
