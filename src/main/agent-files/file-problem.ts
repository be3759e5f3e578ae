/** Says of a file that a person may have edited what is wrong with it: which file, which field, and why. */
import type { z } from "zod";

export type FileProblem = { file: string; field: string; message: string };

/** A file, or something that was to be put into one, is refused. */
export class AgentFileError extends Error {
  override name = "AgentFileError";
  readonly problem: FileProblem;
  constructor(problem: FileProblem) {
    super(problem.field ? `${problem.field}: ${problem.message}` : problem.message);
    this.problem = problem;
  }
}

/** One problem per thing that is wrong. @param prefix the field of the file that was parsed, when it was not all of it. */
export function toFileProblems(file: string, error: z.ZodError, prefix: string[] = []): FileProblem[] {
  return error.issues.flatMap((issue) => problemsOf(file, issue, prefix));
}

function problemsOf(file: string, issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): FileProblem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      file,
      field: [...path, key].join("."),
      message: "is not known here. Check the spelling, or take it out.",
    }));
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // Of several forms a value may have, the one that came furthest is the one that was meant.
    const meant = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
    if (depthOf(meant) > 0) return meant.flatMap((inner) => problemsOf(file, inner, path));
  }
  return [{ file, field: path.join("."), message: issue.message }];
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}
