/** Lets independent readers of one script confirm each other: none is believed alone, and a doubt asks. */

import type { ParsedScript } from "unbash";
import { quote } from "../../../shared/foreign-words.ts";
import { listScript } from "./plain-list.ts";
import type { GrammarLine, PlainScript } from "./plain-script.ts";
import { listByTreeSitter } from "./tree-sitter-reader.ts";
import { listByUnbash } from "./unbash-list.ts";

/** One script as the recogniser and the policy's parser read it; nested ones are scripts of their own. */
export type ReadScript = {
  text: string;
  plain: { script: PlainScript } | { line: GrammarLine; at: number };
  parsed: ParsedScript | undefined;
};

/**
 * Why a script may not run unasked, and the line of the grammar that decided. It is opaque where the script has words that the
 * language does not know, and is not where it is said to be read in two ways.
 */
export type Doubt = { reason: string; line: GrammarLine; isOpaque: boolean };

function isSameList(a: readonly string[], b: readonly string[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((line, at) => line === b[at]);
}

const withoutDashes = (list: readonly string[]) => list.filter((line) => line !== "word -");

function describeWhy(text: string, at: number): string {
  const rest = /^\S{0,24}/.exec(text.slice(at))![0];
  return rest === ""
    ? "What this will do cannot be told beforehand: it seems to go on after its end."
    : `What this will do cannot be told beforehand, because of ${quote(rest)}`;
}

/** Why a script may not run unasked: it leaves the small language, or the readers of bash do not agree on it. */
export function findDoubt({ text, plain, parsed }: ReadScript): Doubt | undefined {
  if (!("script" in plain)) {
    return { reason: describeWhy(text, plain.at), line: plain.line, isOpaque: plain.at < text.length };
  }
  const list = listScript(plain.script);
  const agreed = parsed !== undefined && isSameList(list, listByUnbash(parsed));
  const other = listByTreeSitter(text);
  if (agreed && isSameList(list, other)) return undefined;
  // That the third reader lists no such text is no other reading of it, nor is the lone dash that it loses before "<<".
  const isOpaque = agreed && (other === undefined || isSameList(withoutDashes(list), withoutDashes(other)));
  return { reason: "This command can be read in more than one way.", line: "script", isOpaque };
}
