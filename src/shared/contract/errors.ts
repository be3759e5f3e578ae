/** The errors that may cross the wire: a code to act on, a sentence to read, never a stack. */
import { z } from "zod";

export const errorCodeSchema = z.enum([
  "invalid-input",
  "not-found",
  "conflict",
  "forbidden",
  "unavailable",
  "closed",
  "disk-full",
  "read-only",
  "internal",
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const wireErrorSchema = z.strictObject({
  code: errorCodeSchema,
  message: z.string().max(4_000),
  /** The input field the error is about, as a dotted path. */
  field: z.string().max(400).optional(),
  /** Names the line in the host's log where an internal error is written down. */
  logId: z.string().max(100).optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

/** Thrown by handlers and by the client alike; anything else becomes `internal` with a log id. */
export class ContractError extends Error {
  override name = "ContractError";
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly logId: string | undefined;
  constructor(code: ErrorCode, message: string, details: { field?: string; logId?: string } = {}) {
    super(message);
    this.code = code;
    this.field = details.field;
    this.logId = details.logId;
  }
}
