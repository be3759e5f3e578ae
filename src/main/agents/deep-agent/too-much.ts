/** Says which arguments no tool could use for their mere length, so that none of it is judged, filed, hashed and sent on. */
import { kindOf } from "../../../shared/tools/tools.ts";

/** For all calls of an answer: several times what a model says in its longest. Each one more holds up everybody else. */
export const mostArgumentChars = 2_000_000;
/** No system takes a longer path. */
export const mostPathChars = 4_096;
const pathFields = ["file_path", "new_path", "path", "cwd"];

/**
 * Why the arguments are too many to be read, as a sentence for the model, or undefined.
 *
 * @param chars the length as text of these arguments and of those of the calls before it in the answer
 */
export function describeTooMuch(tool: string, chars: number): string | undefined {
  if (chars <= mostArgumentChars) return undefined;
  return `The arguments of the calls in one answer may have ${mostArgumentChars} characters together, and with this ${tool} call they have more, so it was not made. Do it in several answers, each with a part.`;
}

/** Why an argument is no path on any system, as a sentence for the model, or undefined. Of a foreign tool nobody knows its paths. */
export function describeLongPath(tool: string, args: Record<string, unknown>): string | undefined {
  if (kindOf(tool) === "foreign") return undefined;
  const long = pathFields.find((field) => String(args[field] ?? "").length > mostPathChars);
  return long === undefined
    ? undefined
    : `The ${long} of this ${tool} call is longer than ${mostPathChars} characters, which no system takes for a path, so it was not made.`;
}
