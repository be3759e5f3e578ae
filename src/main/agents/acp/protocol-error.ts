/** Errors of the protocol by their numbers. */

/** What the protocol answers to who is not signed in. */
const authRequired = -32000;

/** Whether an agent answered that the person has to sign in first. */
export function wantsSignIn(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === authRequired;
}
