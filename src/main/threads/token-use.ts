/** Adds up the tokens of model calls per turn and model as they are logged, so that no sum ever reads the log. */
import type Database from "better-sqlite3";
import { type ModelRef, modelRefSchema } from "../../shared/contract/models.ts";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ThreadId, TurnId } from "../../shared/ids.ts";

/** Whole tokens. `input` includes what was read from and written to the provider's cache. */
export type TokenUse = {
  model: ModelRef;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
};

export type TokenUseStore = {
  /**
   * Counts a finished message that tells its tokens; any other event is none of its business. A call that ran again
   * after a crash counts twice, as it is billed. Belongs into the transaction that writes the event.
   */
  count(threadId: ThreadId, event: ThreadEventData): void;
  /** One entry per model. A fork begins with none: what it starts from was paid in the thread it comes from. */
  ofThread(threadId: ThreadId): TokenUse[];
  /** One entry per model; none for a turn without calls. */
  ofTurn(threadId: ThreadId, turnId: TurnId): TokenUse[];
};

type Row = Omit<TokenUse, "model"> & { model: string };

export function createTokenUseStore(database: Database.Database): TokenUseStore {
  const add = database.prepare(
    "INSERT INTO token_use (thread_id, turn_id, model, input, output, cache_read, cache_write) VALUES (@threadId, @turnId, @model, @input, @output, @cacheRead, @cacheWrite) ON CONFLICT DO UPDATE SET input = input + @input, output = output + @output, cache_read = cache_read + @cacheRead, cache_write = cache_write + @cacheWrite",
  );
  const sums =
    "SELECT model, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite FROM token_use";
  const ofThread = database.prepare(`${sums} WHERE thread_id = ? GROUP BY model`);
  const ofTurn = database.prepare(`${sums} WHERE thread_id = ? AND turn_id = ? GROUP BY model`);
  return {
    count(threadId, event) {
      if (event.type !== "message.finished" || !event.usage || !event.model) return;
      const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = event.usage;
      add.run({
        threadId,
        turnId: event.turnId,
        model: JSON.stringify(event.model),
        input: Math.round(inputTokens),
        output: Math.round(outputTokens),
        cacheRead: Math.round(cacheReadTokens),
        cacheWrite: Math.round(cacheWriteTokens),
      });
    },
    ofThread: (threadId) => (ofThread.all(threadId) as Row[]).map(parseRow),
    ofTurn: (threadId, turnId) => (ofTurn.all(threadId, turnId) as Row[]).map(parseRow),
  };
}

function parseRow(row: Row): TokenUse {
  return { ...row, model: modelRefSchema.parse(JSON.parse(row.model)) };
}
