/** What was typed is no use of the command; the message says why, and the usage follows it. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** For a word that names no command here, or for none. */
export function noSuchCommand(word: string | undefined): UsageError {
  return new UsageError(word === undefined ? "Which command?" : `There is no command “${word}”.`);
}
