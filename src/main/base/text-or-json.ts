/** What a person answered, for whoever takes text alone. */

/** @returns text as it is, and all else as JSON */
export const textOrJson = (answer: unknown): string =>
  typeof answer === "string" ? answer : JSON.stringify(answer);
