/** A thread that is kept at rest begins nothing, and afterwards what came meanwhile. */
import { once } from "node:events";
import { expect, it } from "vitest";
import type { MessageId, TurnId } from "../../shared/ids.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";
import { createThreadActors } from "./thread-actors.ts";
import type { TurnStatus } from "./turn-store.ts";

/** Actors over real rows; a run is noted and goes on until it is stopped. */
function openActors() {
  const threads = addThread(openInMemory(), () => 1);
  const begun: string[] = [];
  const actors = createThreadActors({
    threads,
    async run(_thread, { id }, _how, signal) {
      begun.push(id);
      await once(signal, "abort");
      return { kind: "done" };
    },
    answersFor: () => [],
    onTurnBegan: () => undefined,
    onTurnEnded: () => undefined,
    onInternalError: (error) => {
      throw error;
    },
    explainError: () => ({ problem: "", retryable: false }),
  });
  function add(name: string, status: TurnStatus): void {
    const turn = { id: name as TurnId, threadId, messageId: name as MessageId, text: "", attachments: [] };
    threads.addTurn({ ...turn, status, checkpointBefore: null });
  }
  function send(name: string): void {
    add(name, "queued");
    actors.poke(threadId);
  }
  return { actors, begun, add, send, threads };
}

it("begins a message that comes meanwhile when it is over, and not before", async () => {
  const { actors, begun, send } = openActors();
  const { promise, resolve } = Promise.withResolvers<void>();
  const acting = actors.atRest(threadId, () => promise);
  send("meanwhile");
  expect([begun, actors.isRunning(threadId)]).toEqual([[], false]);
  await expect(actors.atRest(threadId, async () => undefined)).rejects.toMatchObject({ code: "conflict" });
  resolve();
  await acting;
  expect(actors.isRunning(threadId)).toBe(true);
  await actors.close();
  expect(begun).toEqual(["meanwhile"]);
});

it("begins it as well when what was done failed, and is refused while the thread runs", async () => {
  const { actors, begun, send } = openActors();
  const failing = actors.atRest(threadId, async () => {
    send("first");
    throw new Error("did not work");
  });
  await expect(failing).rejects.toThrow("did not work");
  expect(actors.isRunning(threadId)).toBe(true);
  await expect(actors.atRest(threadId, async () => undefined)).rejects.toMatchObject({
    message: expect.stringContaining("still working"),
  });
  await actors.close();
  expect(begun).toEqual(["first"]);
});

it("lets the app close, and its thread be deleted, only when it is over", async () => {
  const { actors } = openActors();
  const { promise, resolve } = Promise.withResolvers<void>();
  const ends: string[] = [];
  const acting = actors.atRest(threadId, () => promise).then(() => ends.push("acted"));
  const retired = actors.retire(threadId, new Error("deleted")).then(() => ends.push("retired"));
  const closed = actors.close().then(() => ends.push("closed"));
  resolve();
  await Promise.all([acting, retired, closed]);
  expect(ends[0]).toBe("acted");
});

it("begins what was sent meanwhile in a thread that could not be deleted", async () => {
  const { actors, begun, send } = openActors();
  await actors.retire(threadId, new Error("deleted"));
  send("meanwhile");
  expect([begun, actors.isRunning(threadId)]).toEqual([[], false]);
  actors.takeUpAgain(threadId);
  expect(actors.isRunning(threadId)).toBe(true);
  await actors.close();
  expect(begun).toEqual(["meanwhile"]);
});

it("does not go on with a turn that was stopped before those that were taken back", () => {
  const { actors, begun, add, threads } = openActors();
  add("stopped", "stopped");
  threads.update(threadId, { status: "done" });
  expect(() => actors.resume(threadId)).toThrow("nothing to go on with");
  expect(begun).toEqual([]);
});
