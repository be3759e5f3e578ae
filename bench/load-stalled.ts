/** Measures what the host keeps for a client that stopped reading, and checks that it is cut back to a fresh page. */
import { setTimeout as wait } from "node:timers/promises";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import type { HostSide } from "./load-sides.ts";

export type Stalled = { heldMb: number; missedMb: number; items: number };

/** Two events a call: more than the host keeps for one client. */
const modelTurns = 10;
const callsPerTurn = 30;

/** @throws Error when the client is not resynchronised. */
export async function measureStalledClient(side: HostSide): Promise<Stalled> {
  const { client } = side;
  const [threadId] = (await side.begin(1, "ls .")) as [ThreadId];
  await untilDone(side, threadId);
  const { client: stalled, close } = await side.connect();
  const stream = stalled.watch("threads.watch", { threadId }, { credits: 1 })[Symbol.asyncIterator]();
  const first = await stream.next();
  const since = first.value?.kind === "page" ? first.value.seq : 0;
  const text = Array.from({ length: modelTurns }, () => "ls .\n".repeat(callsPerTurn)).join("\n");
  await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  await wait(200);
  await untilDone(side, threadId);
  const missed = await readItems(side, threadId, since);
  const holding = await side.process.ask<number>("heapBytes");
  const next = await stream.next();
  if (next.value?.kind !== "page")
    throw new Error(`A client that fell behind got ${next.value?.kind} instead of a fresh page.`);
  close();
  const released = await side.process.ask<number>("heapBytes");
  return {
    heldMb: (holding - released) / 1e6,
    missedMb: missed.reduce((sum, item) => sum + JSON.stringify(item).length, 0) / 1e6,
    items: missed.length,
  };
}

async function untilDone({ client }: HostSide, threadId: ThreadId): Promise<void> {
  for (;;) {
    const { items } = await client.call("threads.page", { threadId, limit: 1 });
    if (items.at(-1)?.kind === "turnEnd") return;
    await wait(100);
  }
}

/** Page by page, as a client that keeps up would have read them. */
async function readItems({ client }: HostSide, threadId: ThreadId, since: number): Promise<object[]> {
  const found: object[] = [];
  for (let before: number | undefined; ; ) {
    const { items, hasMore } = await client.call("threads.page", { threadId, limit: 200, before });
    found.unshift(...items.filter((item) => item.position > since));
    before = items[0]?.position;
    if (!hasMore || before === undefined || before <= since) return found;
  }
}
