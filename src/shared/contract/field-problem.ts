/** Says what is wrong with something a person wrote: which field, in which line of which file, and why. Used by host and page. */
import { z } from "zod";

export const fieldProblemSchema = z.strictObject({
  /** Dotted path, such as `subAgents.0.name`; empty for the whole. */
  field: z.string(),
  message: z.string(),
});
export type FieldProblem = z.infer<typeof fieldProblemSchema>;

export const fileProblemSchema = fieldProblemSchema.extend({
  /** Absolute path. */
  file: z.string(),
  /** Counts from 1. */
  line: z.number().int().min(1),
});
export type FileProblem = z.infer<typeof fileProblemSchema>;

/** One thing a schema refused, with the way to it. */
export type RefusedValue = { path: PropertyKey[]; message: string };

/** One problem per thing that is wrong, in the order of the schema. */
export function nameProblems(error: z.ZodError): FieldProblem[] {
  return listRefused(error).map(({ path, message }) => ({ field: writeField(path), message }));
}

/** As `nameProblems`, for those who look the place up. @param prefix the way to what was parsed, when it was not the whole. */
export function listRefused(error: z.ZodError, prefix: readonly PropertyKey[] = []): RefusedValue[] {
  return error.issues.flatMap((issue) => refusedBy(issue, prefix));
}

/** A path in an input, such as `items.0.id`. */
export function writeField(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

type Issue = z.core.$ZodIssue;

function refusedBy(issue: Issue, prefix: readonly PropertyKey[]): RefusedValue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: "is not known here. Check the spelling, or take it out.",
    }));
  if (issue.code === "invalid_union") {
    // Of several forms a value may have, the one that came furthest is the one that was meant.
    const meant = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
    if (depthOf(meant) > 0) return meant.flatMap((inner) => refusedBy(inner, path));
  }
  return [{ path, message: wordsOf(issue) }];
}

const kinds: Record<string, string> = {
  string: "text in quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Messages that a schema words itself stay; those that it leaves to zod are said in words for people. */
function wordsOf(issue: Issue): string {
  const { message } = issue;
  if (issue.code === "invalid_type" && message.startsWith("Invalid input")) {
    const wanted = kinds[issue.expected] ?? issue.expected;
    return message.endsWith("received undefined") ? `is missing; it is ${wanted}.` : `must be ${wanted}.`;
  }
  if (issue.code === "invalid_value" && message.startsWith("Invalid"))
    return `must be ${issue.values.map(String).join(" or ")}.`;
  if (issue.code === "too_small" && message.startsWith("Too small"))
    return issue.origin === "string" && issue.minimum === 1
      ? "must not be empty."
      : `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}.`;
  if (issue.code === "too_big" && message.startsWith("Too big"))
    return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}.`;
  return message;
}

function measure(origin: string): string {
  return origin === "string" || origin === "array" ? "have" : "be";
}

function unit(origin: string): string {
  return origin === "string" ? " characters" : origin === "array" ? " entries" : "";
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}
