/** Reads a script with every reader that has to agree on it before anything in it runs unasked. */
import { type ParsedScript, parse } from "unbash";
import type { ReadScript } from "./agreement.ts";
import { readPlain } from "./read-plain.ts";

/** More expansions than this cost the parser too much time; their text is left to the raw deny scan. */
const maxExpansions = 128;

/** @returns why it cannot be read where it cannot. @param blankBytes as `readPlain` */
export function readScript(
  text: string,
  blankBytes: boolean,
): (ReadScript & { parsed: ParsedScript }) | string {
  if ((text.match(/[$<>]\(|\$\{|\$\[|`/g)?.length ?? 0) > maxExpansions)
    return "The command holds too many expansions to read.";
  const parsed = parseOrNothing(text);
  if (parsed === undefined) return "The command could not be read as bash.";
  return { text, plain: readPlain(text, blankBytes), parsed };
}

function parseOrNothing(text: string): ParsedScript | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
