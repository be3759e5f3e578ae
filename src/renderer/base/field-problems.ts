/** Brings what is wrong in a form to the fields it is wrong in. */
import { ContractError } from "../../shared/contract/errors.ts";
import type { FieldProblem } from "../../shared/contract/field-problem.ts";
import { describeError } from "./words.ts";

/** An error as the problem of the field that the host says it is of; of the whole, where it says none. */
export function describeAtField(error: unknown): FieldProblem {
  const field = error instanceof ContractError ? (error.field ?? "") : "";
  return { field, message: describeError(error) };
}

/** What stands at one field. */
export function problemOf(field: string, problems: readonly FieldProblem[]): string | undefined {
  return problems.find((one) => one.field === field)?.message;
}
