/** Reads an `awk` command: only programs that pick lines and print their fields, sums and counts. */
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";

const profile: FlagProfile = { short: "F:", bsd: "F:", operands: "content", pattern: ["--program"] };

const text = /"(?:[^"\\\n]|\\[tn"\\])*"/;
/** Only where a division cannot stand, or what looks like an expression would hide what follows. */
const regular = /(?<=(?:^|[({},;!~&|])\s*)\/(?:[^/\\\n["'>]|\\[^\n])+\//;
const counter = /\b(?:[a-z]|sum|total|count)\s*(?:\+\+|\+=)/;
const value =
  /\$(?:\d{1,3}|NF|NR|(?=\())|\b(?:NR|NF|FNR|length|FILENAME|[a-z]|sum|total|count)\b|\b\d{1,9}(?:\.\d{1,9})?\b/;
/** Between the parts: no `>`, `|` or `=` by itself, which would write, start a program or set a variable. */
const sign = /[ \t\n,;()]|\+(?![+=])|-(?![-=])|[*%](?![*=])|==|!=|<=?|!?~|&&|\|\||!|\b(?:END|BEGIN)\b/;

function only(...parts: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${parts.map((each) => each.source).join("|")})*$`);
}

const inAction = only(text, regular, counter, value, sign, /\bprint\b/);
const outside = only(text, regular, value, sign, />=?/);

/** Whether a program only prints. What stands in braces may not even compare with `>`, which there opens a file. */
function isHarmlessAwk(program: string): boolean {
  const literals = program.match(new RegExp(`${text.source}|/(?:[^/\\\\\\n]|\\\\.)+/`, "g")) ?? [];
  if (program.length > 400 || literals.some((literal) => /[{}]/.test(literal))) return false;
  const pieces = program.split(/([{}])/);
  return (
    pieces.every((piece, at) => {
      if (piece === "{") return at % 4 === 1;
      if (piece === "}") return at % 4 === 3;
      return (pieces[at - 1] === "{" ? inAction : outside).test(piece);
    }) && pieces.length % 4 === 1
  );
}

/** Reads the words after `awk`. */
export function readAwk(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const reading = readProfile(profile, words, tools);
  if (reading.patterns.length !== 1 || !isHarmlessAwk(reading.patterns[0]!))
    reading.problem ??= "The awk program may do more than pick lines and print their fields.";
  if (reading.content.some((word) => word.value.includes("=")))
    reading.problem ??= "awk would set a variable.";
  return reading;
}
