import type Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import type { CommandId, MessageId, TurnId } from "../../shared/ids.ts";
import { createOnceOnly } from "./commands.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";
import type { ThreadStore } from "./thread-store.ts";
import type { TurnStatus } from "./turn-store.ts";

let database: Database.Database;
let store: ThreadStore;
let clock: number;

beforeEach(() => {
  database = openInMemory();
  clock = 1_000_000;
  store = addThread(database, () => clock);
});

/** Each turn is added at a clock that went back an hour. */
function addTurn(name: string, status: TurnStatus): void {
  clock -= 3_600_000;
  store.addTurn({
    id: name as TurnId,
    threadId,
    messageId: `message-${name}` as MessageId,
    text: name,
    attachments: [],
    status,
    checkpointBefore: null,
  });
}

describe("with a clock that jumps back", () => {
  it("messages are still taken up in the order they were sent", () => {
    for (const name of ["first", "second", "third"]) addTurn(name, "queued");
    expect(store.queued(threadId).map(({ id }) => id)).toEqual(["first", "second", "third"]);
    expect(store.nextQueued(threadId)?.id).toBe("first");
  });

  it("the newest turn is still the one that began last, and is the one to go on with", () => {
    for (const name of ["first", "second"]) addTurn(name, "failed");
    addTurn("queued", "queued");
    expect(store.latestTurn(threadId)?.id).toBe("second");
  });
});

describe("a command id", () => {
  it("is not noted when its act fails, so that a retry acts", async () => {
    const once = createOnceOnly(
      database,
      () => clock,
      async (act) => database.transaction(act)(),
    );
    const id = "command" as CommandId;
    const fail = () => {
      addTurn("half", "queued");
      throw new Error("disk");
    };
    await expect(once.act(id, fail)).rejects.toThrow("disk");
    expect([once.wasSeen(id), store.queued(threadId)]).toEqual([false, []]);
    expect(await once.act(id, () => ({ n: 1 }))).toEqual({ n: 1 });
    expect(await once.act(id, () => ({ n: 2 }))).toEqual({ n: 1 });
  });
});
