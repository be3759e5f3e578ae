/** What becomes of an error on its way over the wire: a code, a sentence, perhaps a field or a log id, never a stack. */
import type { z } from "zod";
import { ContractError, type WireError } from "../contract/errors.ts";

/** Any error as it may cross. One that is no ContractError is written down by `report`, which returns its log id. */
export function toWireError(error: unknown, report: (error: unknown) => string): WireError {
  if (!(error instanceof ContractError)) return toWireError(internalError(report(error)), report);
  return {
    code: error.code,
    message: error.message.slice(0, 4_000),
    ...(error.field !== undefined && { field: error.field.slice(0, 400) }),
    ...(error.logId !== undefined && { logId: error.logId.slice(0, 100) }),
  };
}

/** What the host threw, as far as it crossed. */
export function fromWireError(error: WireError): ContractError {
  return new ContractError(error.code, error.message, { field: error.field, logId: error.logId });
}

/** The first problem zod found, as an error that names the field. */
export function invalidInput(problem: z.ZodError): ContractError {
  const issue = problem.issues[0];
  const field = issue?.path.map(String).join(".") ?? "";
  const message = issue?.message ?? "Not what is expected here.";
  return new ContractError("invalid-input", field === "" ? message : `${field}: ${message}`, {
    field: field === "" ? undefined : field,
  });
}

/** @param reason one sentence, with its full stop. */
export function closedError(reason: string): ContractError {
  return new ContractError("closed", `The connection to the host has ended. ${reason}`);
}

function internalError(logId: string): ContractError {
  const message = `Something went wrong inside the host. Its log has the details under ${logId}.`;
  return new ContractError("internal", message, { logId });
}
