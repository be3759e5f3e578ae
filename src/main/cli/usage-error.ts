/** What was typed is no use of the command; the message says why, and the usage follows it. */
export class UsageError extends Error {
  override name = "UsageError";
}
