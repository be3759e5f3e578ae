/** The client that outlives its connections, over a host that comes and goes. */
import { expect, it } from "vitest";
import { contract } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadItem } from "../../shared/contract/threads.ts";
import { executionIdSchema, threadIdSchema } from "../../shared/ids.ts";
import { connectInProcess } from "../../shared/wire/in-process.ts";
import { type Handlers, serveContract } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { createReconnectingClient, type ReconnectingClient } from "./reconnecting-client.ts";

const threadId = threadIdSchema.parse("t1");

/** A host that can hang up, go away, and be there again; pauses end when the test says so. */
function createFlakyHost(given: Partial<Handlers>) {
  const refusing = Object.fromEntries(
    Object.keys(contract).map((name) => [
      name,
      () => {
        throw new ContractError("unavailable", "Not part of this test.");
      },
    ]),
  );
  const handlers = { ...(refusing as unknown as Handlers), ...given };
  const pauses: { ms: number; end(): void }[] = [];
  let newest: Transport | undefined;
  let failure: ContractError | undefined;
  let paused = Promise.withResolvers<void>();
  return {
    pauses,
    hangUp: () => newest?.close("The host stops."),
    goAway: (error = new ContractError("closed", "Nobody answers.")) => {
      failure = error;
      newest?.close();
    },
    comeBack: () => {
      failure = undefined;
    },
    nextPause: () => paused.promise,
    endPause: () => {
      paused = Promise.withResolvers<void>();
      pauses.at(-1)?.end();
    },
    connect: async () => {
      if (failure !== undefined) throw failure;
      const [hostEnd, clientEnd] = connectInProcess();
      newest = hostEnd;
      serveContract(hostEnd, handlers, { clientId: "c", onInternalError: String });
      return clientEnd;
    },
    pause: (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ ms, end: resolve });
      paused.resolve();
      return promise;
    },
  };
}

function until(client: ReconnectingClient, state: string): Promise<void> {
  return new Promise((resolve) => {
    if (client.state() === state) return resolve();
    const stop = client.onState((now) => {
      if (now !== state) return;
      stop();
      resolve();
    });
  });
}

const backup = { "host.backup": () => ({ path: "/b" }) };

it("holds a call made before the first connection until there is one", async () => {
  const host = createFlakyHost(backup);
  const client = createReconnectingClient(host.connect, host.pause);
  expect(client.state()).toBe("connecting");
  expect(await client.call("host.backup", {})).toEqual({ path: "/b" });
  expect(client.state()).toBe("online");
});

it("lets a waiting call go when its signal aborts", async () => {
  const client = createReconnectingClient(() => new Promise(() => {}));
  const controller = new AbortController();
  const calling = client.call("host.backup", {}, { signal: controller.signal });
  controller.abort(new Error("left the page"));
  await expect(calling).rejects.toThrow("left the page");
});

it("tells each state once, says why it is offline, and pauses longer each time up to five seconds", async () => {
  const host = createFlakyHost(backup);
  const client = createReconnectingClient(host.connect, host.pause);
  await until(client, "online");
  const states: string[] = [];
  client.onState((state) => states.push(state));
  host.goAway();
  for (let attempt = 0; attempt < 7; attempt++) {
    await host.nextPause();
    host.endPause();
  }
  await host.nextPause();
  expect(host.pauses.map(({ ms }) => ms)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  expect(client.state()).toBe("offline");
  expect(client.problem()).toBe("Nobody answers.");
  await expect(client.call("host.backup", {})).rejects.toMatchObject({ code: "closed" });
  host.comeBack();
  host.endPause();
  await until(client, "online");
  expect(client.problem()).toBeUndefined();
  expect([...new Set(states)]).toEqual(["connecting", "offline", "online"]);
  expect(await client.call("host.backup", {})).toEqual({ path: "/b" });
});

it("stops trying when it is told that trying is of no use", async () => {
  const host = createFlakyHost(backup);
  host.goAway(new ContractError("forbidden", "Open the printed address."));
  const client = createReconnectingClient(host.connect, host.pause);
  await expect(client.call("host.backup", {})).rejects.toMatchObject({ code: "forbidden" });
  const watching = client.watch("console.watch", {})[Symbol.asyncIterator]();
  await expect(watching.next()).rejects.toMatchObject({ code: "forbidden" });
  expect(client.problem()).toBe("Open the printed address.");
});

it("takes a thread's watch up after the newest event it has, over two losses", async () => {
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
  const reading = (async () => {
    for await (const item of client.watch("threads.watch", { threadId })) {
      kinds.push(item.kind);
      host.hangUp();
      void host.nextPause().then(host.endPause);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "not-found" });
  expect(kinds).toEqual(["page", "events", "deltas"]);
  expect(asked).toEqual([undefined, 7, 9, 9]);
});

it("hands a lost watch without a position back to its caller", async () => {
  const host = createFlakyHost({
    "executions.watch": async function* (_input, { signal }) {
      yield { data: "half of it", state: "running" };
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const client = createReconnectingClient(host.connect, host.pause);
  const reading = (async () => {
    const executionId = executionIdSchema.parse("e");
    for await (const _item of client.watch("executions.watch", { executionId })) host.hangUp();
  })();
  await expect(reading).rejects.toMatchObject({ code: "closed" });
});

it("ends a watch quietly when its signal aborts while there is no connection", async () => {
  const client = createReconnectingClient(() => new Promise(() => {}));
  const controller = new AbortController();
  const watching = client.watch("console.watch", {}, { signal: controller.signal })[Symbol.asyncIterator]();
  const next = watching.next();
  controller.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
