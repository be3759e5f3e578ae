/** The sums of tokens must be what the log says, per turn and model, for a database of any age. */
import type Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { MessageId, TurnId } from "../../shared/ids.ts";
import { migrations } from "../storage/migrations.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";
import { createTokenUseStore, type TokenUseStore } from "./token-use.ts";

const [turn, later] = ["turn" as TurnId, "later" as TurnId];
const small: ModelRef = { provider: "anthropic", model: "small" };
const large: ModelRef = { provider: "anthropic", model: "large" };

let database: Database.Database;
let log: EventLog;
let tokenUse: TokenUseStore;
let clock: number;

beforeEach(() => {
  clock = 1_000_000;
  database = openInMemory();
  addThread(database, () => clock);
  log = createEventLog(
    database,
    () => clock,
    () => {},
  );
  tokenUse = createTokenUseStore(database);
});

let messages = 0;
function finished(
  model: ModelRef | undefined,
  usage: object | undefined,
  more: object = {},
): ThreadEventData {
  messages += 1;
  return {
    type: "message.finished",
    itemId: `message-${messages}` as MessageId,
    turnId: turn,
    agentPath: [],
    text: "hi",
    partial: false,
    model,
    ...(usage && { usage: usage as never }),
    ...more,
  };
}
const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe("the sums of tokens", () => {
  it("are kept per turn and model, with the messages of sub-agents in them", () => {
    log.append(threadId, [
      finished(small, { ...used(100, 10), cacheReadTokens: 60, cacheWriteTokens: 30 }),
      finished(large, used(7, 3), { agentPath: ["writer"] }),
      finished(small, used(1, 1), { turnId: later }),
    ]);
    expect(tokenUse.ofTurn(threadId, turn)).toEqual([
      { model: large, input: 7, output: 3, cacheRead: 0, cacheWrite: 0 },
      { model: small, input: 100, output: 10, cacheRead: 60, cacheWrite: 30 },
    ]);
    expect(tokenUse.ofThread(threadId)).toContainEqual({
      model: small,
      input: 101,
      output: 11,
      cacheRead: 60,
      cacheWrite: 30,
    });
  });

  it("count a call that a crash made run again twice, since it is billed twice", () => {
    const call = finished(small, used(5, 5));
    log.append(threadId, [call]);
    log.append(threadId, [call]);
    expect(tokenUse.ofThread(threadId)).toMatchObject([{ input: 10, output: 10 }]);
  });

  it("leave out what told no tokens or no model, such as an answer that was cut off", () => {
    log.append(threadId, [finished(small, undefined, { partial: true }), finished(undefined, used(1, 1))]);
    expect(tokenUse.ofThread(threadId)).toEqual([]);
  });

  it("go with their thread", () => {
    log.append(threadId, [finished(small, used(1, 1))]);
    log.removeThread(threadId);
    expect(tokenUse.ofThread(threadId)).toEqual([]);
  });

  it("are kept per day as well, where they outlive their thread, without what was imported", () => {
    const noon = new Date(2026, 2, 4, 12).getTime();
    clock = noon;
    log.append(threadId, [finished(small, { ...used(100, 10), cacheReadTokens: 60 })]);
    log.append(threadId, [finished(small, used(1, 1)), finished(large, used(2, 2))]);
    log.append(threadId, [finished(small, used(900, 900))], noon);
    clock = new Date(2026, 2, 4, 23, 59, 59, 999).getTime();
    log.append(threadId, [finished(large, used(3, 3))]);
    clock += 1;
    log.append(threadId, [finished(large, used(50, 50))]);
    log.removeThread(threadId);
    expect(tokenUse.ofDay("2026-03-04")).toEqual([
      { model: large, input: 5, output: 5, cacheRead: 0, cacheWrite: 0 },
      { model: small, input: 101, output: 11, cacheRead: 60, cacheWrite: 0 },
    ]);
    expect(tokenUse.ofDay("2026-03-05")).toMatchObject([{ model: large, input: 50, output: 50 }]);
    expect(tokenUse.ofEachThread()).toEqual(new Map());
  });

  it("are the same read for each thread at once as read for one", () => {
    log.append(threadId, [finished(small, used(3, 4)), finished(large, used(1, 2), { turnId: later })]);
    expect(tokenUse.ofEachThread()).toEqual(new Map([[threadId, tokenUse.ofThread(threadId)]]));
  });

  it("are added up from the log of a database that knew none, without what a fork was copied with", () => {
    const before = migrations.findIndex((step) => step.includes("CREATE TABLE token_use"));
    const database = openInMemory(migrations.slice(0, before));
    database
      .prepare(
        "INSERT INTO threads (id, title, workspace, agent_id, model, created_at, updated_at) VALUES (?, 't', '/', 'a', '{}', ?, ?)",
      )
      .run(threadId, clock, clock);
    const insert = database.prepare("INSERT INTO events (thread_id, item_id, at, data) VALUES (?, ?, ?, ?)");
    const write = (at: number, data: ThreadEventData) =>
      insert.run(threadId, data.itemId, at, JSON.stringify(data));
    write(clock - 1, finished(small, used(500, 500)));
    write(clock, finished(small, used(3, 4)));
    write(clock + 1, finished(small, { ...used(10, 20), contextWindow: 1 }));
    write(clock + 1, finished(undefined, undefined, { partial: true }));
    for (const step of migrations.slice(before)) database.exec(step);
    const migrated = createTokenUseStore(database);
    migrated.count(threadId, finished(small, used(100, 100)));
    expect(migrated.ofThread(threadId)).toEqual([
      { model: small, input: 113, output: 124, cacheRead: 0, cacheWrite: 0 },
    ]);
  });
});
