/** Makes commands idempotent: a command id that was seen answers with its first result and does nothing again. */
import type Database from "better-sqlite3";
import type { CommandId } from "../../shared/ids.ts";

export type OnceOnly = {
  /** `act` runs inside one transaction with the note that it ran; it must be synchronous and its result plain JSON. */
  act<T>(commandId: CommandId, act: () => T): Promise<T>;
  wasSeen(commandId: CommandId): boolean;
  /** What `note` wrote down under the command's id. */
  answerOf(commandId: CommandId): unknown;
  /** For a command whose transaction is its own: call it in there. */
  note(commandId: CommandId, answer: unknown): void;
};

/** @param commit runs a function in a transaction; resolves when it is on disk. */
export function createOnceOnly(
  database: Database.Database,
  now: () => number,
  commit: <T>(act: () => T) => Promise<T>,
): OnceOnly {
  const seen = database.prepare("SELECT result FROM commands WHERE id = ?").pluck();
  const note = database.prepare("INSERT INTO commands (id, result, at) VALUES (?, ?, ?)");
  return {
    act: (commandId, act) =>
      commit(() => {
        const earlier = seen.get(commandId) as string | undefined;
        if (earlier !== undefined) return JSON.parse(earlier);
        const result = act();
        note.run(commandId, JSON.stringify(result ?? null), now());
        return result;
      }),
    answerOf(commandId) {
      const answer = seen.get(commandId) as string | undefined;
      return answer === undefined ? undefined : JSON.parse(answer);
    },
    note: (commandId, answer) => void note.run(commandId, JSON.stringify(answer), now()),
    wasSeen: (commandId) => seen.get(commandId) !== undefined,
  };
}
