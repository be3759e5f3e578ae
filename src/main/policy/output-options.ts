/** Finds the file that an option says is written, whatever the program: `--junitxml=Makefile`, `-o gradlew`, `-coverprofile main.go`. */

import { quote } from "../../shared/foreign-words.ts";
import { wordsOf } from "./beyond/publishing-names.ts";
import { placePath, resolvePathIn } from "./path-place.ts";
import type { Scene } from "./policy-context.ts";
import type { ShellWord } from "./shell-word.ts";

/** The words of an option's name run together: these take what is written, in the next word too. */
const takesOutput =
  /(?:^o|out|output|dest|destination|j?unit(?:xml)?|lcov|[a-z]prof(?:ile)?|dump|report|(?:out|output|report|reporter|result|log|trace|cache|cov|coverage|stats?|record|artifact|profile|snapshot)s?(?:file|dir|directory|path|location|folder|name)s?)$/;
/** Of these the value is known as such only behind `=`; otherwise they may be switches. */
const mayTakeOutput = /(?:log|save|record|trace|graph|stats|timings?|xml|html|json|har)$/;
const option = /^--?([A-Za-z][\w.:-]*)(?:=(.*))?$/s;
/** `-osrc/a.ts`; other letters behind the first may be options of their own. */
const glued = /^-o([^=]*[A-Z./].*)$/s;
/** Folders of what tools made and make anew. */
const made =
  /^(?:\.\/)?(?:.*\/)?(?:dist|build|out|output|coverage|htmlcov|public|target|site|report|reports|results|test-results|playwright-report|\.[\w-]+)(?:\/|$)/;

function* valuesOf(words: readonly ShellWord[]): Generator<string> {
  for (const [at, { value }] of words.entries()) {
    const name = option.exec(words[at - 1]?.value ?? "");
    if (name && name[2] === undefined && takesOutput.test(wordsOf(name[1]!).join(""))) yield value;
    const own = option.exec(value);
    const joined = own === null ? "" : wordsOf(own[1]!).join("");
    if (own?.[2] !== undefined && (takesOutput.test(joined) || mayTakeOutput.test(joined))) yield own[2];
    else if (glued.test(value)) yield glued.exec(value)![1]!;
  }
}

/** `json`, and `html:reports`, name a form; a plain word names a file where one of that name stands. */
function isObeyed(text: string, { context, cwds }: Scene): boolean {
  if (text === "" || text.startsWith("-") || made.test(text)) return false;
  return cwds.some((cwd) => {
    const real = resolvePathIn(text, cwd, context);
    const isForm = /^[a-z\d-]+$/.test(text) && real !== undefined && context.look?.isThere(real) === false;
    return !isForm && placePath(text, cwd, context).steering;
  });
}

/**
 * Why a rule does not cover words that it does not name: an option among them has a file written that programs may run
 * or obey. A redirection to such a file is not covered either.
 */
export function findObeyedOutput(words: readonly ShellWord[], scene: Scene): string | undefined {
  for (const value of valuesOf(words)) {
    const found = value.split(/[:;,=]/).find((piece) => isObeyed(piece, scene));
    if (found !== undefined) return `It may write ${quote(found)}, which other programs run or obey.`;
  }
  return undefined;
}
