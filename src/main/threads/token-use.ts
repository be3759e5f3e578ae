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
   * @param day when it was spent here, as YYYY-MM-DD; absent for an imported thread, which was paid elsewhere.
   */
  count(threadId: ThreadId, event: ThreadEventData, day?: string): void;
  /** One entry per model. A fork begins with none: what it starts from was paid in the thread it comes from. */
  ofThread(threadId: ThreadId): TokenUse[];
  /** One entry per model; none for a turn without calls. */
  ofTurn(threadId: ThreadId, turnId: TurnId): TokenUse[];
  /** As `ofThread`, for every thread that used any, with one look at the table. */
  ofEachThread(): Map<ThreadId, TokenUse[]>;
  /** One entry per model; threads that were deleted since count as well. */
  ofDay(day: string): TokenUse[];
};

type Row = Omit<TokenUse, "model"> & { model: string };

/** Sums in tokens, by thread, turn and model, and by day and model. */
export function createTokenUseStore(database: Database.Database): TokenUseStore {
  const add = database.prepare(
    "INSERT INTO token_use (thread_id, turn_id, model, input, output, cache_read, cache_write) VALUES (@threadId, @turnId, @model, @input, @output, @cacheRead, @cacheWrite) ON CONFLICT DO UPDATE SET input = input + @input, output = output + @output, cache_read = cache_read + @cacheRead, cache_write = cache_write + @cacheWrite",
  );
  const addToDay = database.prepare(
    "INSERT INTO day_use (day, model, input, output, cache_read, cache_write) VALUES (@day, @model, @input, @output, @cacheRead, @cacheWrite) ON CONFLICT DO UPDATE SET input = input + @input, output = output + @output, cache_read = cache_read + @cacheRead, cache_write = cache_write + @cacheWrite",
  );
  const sums =
    "SELECT model, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite FROM token_use";
  const ofThread = database.prepare(`${sums} WHERE thread_id = ? GROUP BY model`);
  const ofTurn = database.prepare(`${sums} WHERE thread_id = ? AND turn_id = ? GROUP BY model`);
  const ofEachThread = database.prepare(
    `${sums.replace("SELECT", "SELECT thread_id AS threadId,")} GROUP BY thread_id, model`,
  );
  const ofDay = database.prepare(
    "SELECT model, input, output, cache_read AS cacheRead, cache_write AS cacheWrite FROM day_use WHERE day = ?",
  );
  return {
    count(threadId, event, day) {
      if (event.type !== "message.finished" || !event.usage || !event.model) return;
      const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = event.usage;
      const use = {
        model: JSON.stringify(event.model),
        input: Math.round(inputTokens),
        output: Math.round(outputTokens),
        cacheRead: Math.round(cacheReadTokens),
        cacheWrite: Math.round(cacheWriteTokens),
      };
      add.run({ threadId, turnId: event.turnId, ...use });
      if (day !== undefined) addToDay.run({ day, ...use });
    },
    ofThread: (threadId) => (ofThread.all(threadId) as Row[]).map(parseRow),
    ofTurn: (threadId, turnId) => (ofTurn.all(threadId, turnId) as Row[]).map(parseRow),
    ofEachThread() {
      const uses = new Map<ThreadId, TokenUse[]>();
      for (const { threadId, ...row } of ofEachThread.all() as (Row & { threadId: ThreadId })[])
        uses.set(threadId, [...(uses.get(threadId) ?? []), parseRow(row)]);
      return uses;
    },
    ofDay: (day) => (ofDay.all(day) as Row[]).map(parseRow),
  };
}

/** Thousands of rows share a handful of models, so each distinct text is checked once. */
const knownModels = new Map<string, ModelRef>();

function parseRow(row: Row): TokenUse {
  const model = knownModels.get(row.model) ?? modelRefSchema.parse(JSON.parse(row.model));
  knownModels.set(row.model, model);
  return { ...row, model };
}
