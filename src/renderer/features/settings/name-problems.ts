/** Turns what a schema refused into fields and sentences, for forms and files that a person writes. */
import type { z } from "zod";

export type FieldProblem = {
  /** Dotted path, such as `subAgents.0.name`; empty for the whole. */
  field: string;
  message: string;
};

/** One problem per thing that is wrong, in the order of the schema. */
export function nameProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, []));
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, prefix: readonly PropertyKey[]): FieldProblem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: [...path, key].join("."),
      message: "is not known here. Check the spelling, or take it out.",
    }));
  }
  if (issue.code === "invalid_union") {
    // Of several forms a value may have, the one that came furthest is the one that was meant.
    const meant = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
    if (depthOf(meant) > 0) return meant.flatMap((inner) => problemsOf(inner, path));
  }
  return [{ field: path.map(String).join("."), message: issue.message }];
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}
