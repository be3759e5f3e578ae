/** Says what of an answer nobody could use for its mere amount, so that none of it is judged, filed, hashed and sent on. */
import { kindOf } from "../../../shared/tools/tools.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";

/**
 * For what an answer says, and once more for the arguments of all its calls: more than a model says in its longest. Each
 * one more holds up everybody else.
 */
export const mostAnswerBytes = 600_000;
/** Each is a task of its own that carries the whole conversation. */
export const mostCalls = 50;
/** No system takes a longer path. */
export const mostPathChars = 4_096;
const pathFields = ["file_path", "new_path", "path", "cwd"];
/** A plan and a question are read by a person. */
const mostPlanSteps = 500;
const mostReadBytes = 100_000;

/**
 * Why the arguments are too many to be read, as a sentence for the model, or undefined.
 *
 * @param bytes what these arguments take and those of the calls before it in the answer
 */
export function describeTooMuch(tool: string, bytes: number): string | undefined {
  if (bytes <= mostAnswerBytes) return undefined;
  return `The arguments of the calls in one answer may have ${mostAnswerBytes} bytes together, and with this ${tool} call they have more, so it was not made. Do it in several answers, each with a part.`;
}

/** Why none of so many calls is made, as a sentence for the model, or undefined. */
export function describeTooMany(calls: number): string | undefined {
  if (calls <= mostCalls) return undefined;
  return `One answer may make ${mostCalls} calls, and yours made ${calls}, so none of them was made. Make them again in several answers.`;
}

/** Why an argument is no path on any system, as a sentence for the model, or undefined. Of a foreign tool nobody knows its paths. */
export function describeLongPath(tool: string, args: Record<string, unknown>): string | undefined {
  if (kindOf(tool) === "foreign") return undefined;
  const long = pathFields.find((field) => String(args[field] ?? "").length > mostPathChars);
  return long === undefined
    ? undefined
    : `The ${long} of this ${tool} call is longer than ${mostPathChars} characters, which no system takes for a path, so it was not made.`;
}

/** Why a person could not read the plan or the question, as a sentence for the model, or undefined. */
export function describeUnreadable(tool: string, args: Record<string, unknown>): string | undefined {
  const kind = kindOf(tool);
  if (kind !== "plan" && kind !== "question") return undefined;
  const steps = Array.isArray(args.todos) ? args.todos.length : 0;
  if (steps > mostPlanSteps)
    return `A plan may have ${mostPlanSteps} steps, and this one has ${steps}, so it was not taken. Plan in larger steps.`;
  return jsonBytes(args) <= mostReadBytes
    ? undefined
    : `The arguments of this ${tool} call are longer than ${mostReadBytes} bytes, which no person reads, so it was not made. Be brief, and put the rest into a file.`;
}
