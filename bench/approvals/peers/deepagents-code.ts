/**
 * The Deep Agents CLI in its manual mode with the recommended list of shell commands, after its published
 * allow list and the documentation of the tools that it asks about, read in August 2026.
 */
import { basename } from "node:path";
import { kindOf } from "../../../src/shared/tools/tools.ts";
import { asks, runs, type Side } from "../side.ts";
import type { Call } from "../trace.ts";
import type { BenchWorkspace } from "../workspace.ts";
import { insideOf } from "./command-parts.ts";

const recommended = new Set(
  "cat cut diff dir grep groups head hostname id ls lscpu lsmem md5sum nproc ps pwd sha256sum strings tail tr uname uptime wc which whoami".split(
    " ",
  ),
);
/** The paths that these are given have to stay in the folder. */
const bound = new Set("cat grep head md5sum sha256sum strings tail wc".split(" "));
/** A text with one of these is never on the list: expansions, redirections, several lines, a lone `&`. */
const refusedText = /\$[\w({']|[`<>\n\r\t]|(?<!&)&(?!&)/;

export function deepAgentsCode(place: BenchWorkspace): Side {
  function isListed(command: string): boolean {
    if (refusedText.test(command)) return false;
    const pieces = command.split(/&&|\|\||[|;]/).map((piece) => piece.trim());
    return pieces.every((piece) => {
      const words = wordsOf(piece);
      if (words === undefined) return false;
      const [name, ...rest] = words;
      if (name === undefined) return true;
      const program = basename(name);
      if (!recommended.has(program)) return false;
      return !bound.has(program) || rest.every((word) => word.startsWith("-") || staysInside(word));
    });
  }

  function staysInside(word: string): boolean {
    return !word.startsWith("/") && insideOf(word, place) !== undefined;
  }

  function isFree({ tool, args, reads }: Call): boolean {
    const kind = kindOf(tool);
    if (kind === "command") return isListed(String(args.command));
    // It asks about tools of servers but for those that say they only read.
    if (kind === "foreign") return reads === true;
    return kind === "read" || kind === "plan" || kind === "question";
  }

  return {
    name: "Deep Agents CLI, recommended list",
    basis: "re-implemented from its documentation and published defaults",
    judge: async (call) => (isFree(call) ? runs : asks(call)),
  };
}

/** Words as a POSIX shell parts them, quotes taken off; undefined where a quote does not end. */
function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const found = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/s.exec(rest);
    if (found === null) return undefined;
    words.push(found[0].replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, "$1$2$3"));
    rest = rest.slice(found[0].length).trimStart();
  }
  return words;
}
