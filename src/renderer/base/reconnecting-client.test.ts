/** The client that outlives its connections, over a host that comes and goes. */
import { expect, it } from "vitest";
import { ContractError } from "../../shared/contract/errors.ts";
import { executionIdSchema } from "../../shared/ids.ts";
import { createReconnectingClient, type ReconnectingClient } from "./reconnecting-client.ts";
import { createFlakyHost } from "./testing/flaky-host.ts";

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

it("hands a lost watch back to its caller", async () => {
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
