/** One stream over a host that hangs up in the middle of it. */
import { expect, it } from "vitest";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadItem } from "../../shared/contract/thread-reading.ts";
import { threadIdSchema } from "../../shared/ids.ts";
import { followStream } from "./follow-stream.ts";
import { createReconnectingClient } from "./reconnecting-client.ts";
import { createFlakyHost } from "./testing/flaky-host.ts";

const threadId = threadIdSchema.parse("t1");

it("asks anew after each loss from where its reader is, and ends where trying again is of no use", async () => {
  const asked: (number | undefined)[] = [];
  const items: ThreadItem[] = [
    { kind: "page", items: [], hasMore: false, seq: 7, live: [] },
    {
      kind: "events",
      events: [8, 9].map((seq) => ({
        seq,
        threadId,
        at: 0,
        data: { type: "notice.added", itemId: "n", level: "info", text: "" },
      })),
    },
    { kind: "deltas", deltas: [] },
  ];
  const host = createFlakyHost({
    "threads.watch": async function* ({ since }, { signal }) {
      asked.push(since);
      const next = items[asked.length - 1];
      if (next === undefined) throw new ContractError("not-found", "That thread is gone.");
      yield next;
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const client = createReconnectingClient(host.connect, host.pause);
  const kinds: string[] = [];
  const problems: string[] = [];
  let since: number | undefined;
  const take = (item: ThreadItem) => {
    kinds.push(item.kind);
    if (item.kind === "page") since = item.seq;
    if (item.kind === "events") since = item.events.at(-1)?.seq;
    host.hangUp();
    void host.nextPause().then(host.endPause);
  };
  const never = new AbortController().signal;
  await followStream(
    client,
    "threads.watch",
    () => ({ threadId, since }),
    take,
    never,
    (problem) => problems.push(problem.message),
  );
  expect(problems).toEqual(["That thread is gone."]);
  expect(kinds).toEqual(["page", "events", "deltas"]);
  expect(asked).toEqual([undefined, 7, 9, 9]);
});
