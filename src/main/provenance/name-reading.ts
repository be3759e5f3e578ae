/** Names for a person where a text came from: an address, a server's tool, a command, a file. */
import { factsOf, kindOf } from "../../shared/tools/tools.ts";

const mostChars = 200;

/** In the middle of a sentence, behind "from". */
export function nameReading(tool: string, args: Record<string, unknown>): string {
  const about = factsOf(tool)?.about(args)?.replaceAll(/\s+/gu, " ");
  const short = about === undefined || about.length <= mostChars ? about : `${about.slice(0, mostChars)}…`;
  switch (kindOf(tool)) {
    case "web":
      // A page has an address; what was searched for is words.
      return "url" in args && short ? short : `a web search for ${short ?? ""}`;
    case "command":
      return `the command ${short ?? ""}`;
    case "read":
    case "change":
      return short ? `the file ${short}` : "a file";
    case "delegate":
      return "a sub-agent";
    default:
      return `the tool ${tool.slice(0, mostChars)}`;
  }
}
