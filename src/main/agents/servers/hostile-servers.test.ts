/** Servers that lie, swap what they tell, or send without an end, over real HTTP. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, look, pending } = scene;
const others: ScriptedServer[] = [];
afterEach(() => Promise.all(others.splice(0).map((one) => one.stop())));

async function enterOther(id: string): Promise<ScriptedServer> {
  const other = new ScriptedServer();
  others.push(other);
  await other.start();
  await scene.host.serverDesk.save({ id, name: id, url: other.url, auth: "none" }, undefined);
  return other;
}

describe("several servers", () => {
  it("each cost one request and 20 kB a round with a thousand threads, a hundred of which wait, and no card is read for it", async () => {
    const all = [scene.server, await enterOther("two"), await enterOther("three")];
    await enter();
    const id = (count: number) => `01a20230-2aa8-754d-9ce5-${String(count).padStart(12, "0")}`;
    for (const server of all)
      for (let count = 0; count < 1_000; count += 1) {
        server.ask(id(count), batchOf("x".repeat(400)));
        if (count % 10 > 0) server.move(id(count), { status: "idle" });
      }
    const round = () =>
      Promise.all(["one", "two", "three"].map((each) => scene.host.serverDesk.lookNow(each)));
    await round();
    expect(pending()).toHaveLength(300);
    const before = all.map(({ heard, sentBytes }) => [heard.length, sentBytes] as const);
    const { approvals } = scene.host.stores;
    const reads = [
      vi.spyOn(approvals, "pending"),
      vi.spyOn(approvals, "get"),
      vi.spyOn(approvals, "pendingBytes"),
    ];
    await round();
    expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    for (const [index, server] of all.entries()) {
      const [heard, bytes] = before[index]!;
      expect(server.heard.slice(heard).map(({ route }) => route)).toEqual(["list"]);
      expect(server.sentBytes - bytes).toBeLessThan(20_000);
    }
  });

  it("that know a thread by the same id have a card each, and each gets its own answer alone", async () => {
    const other = await enterOther("two");
    for (const server of [scene.server, other]) server.ask("same", batchOf("make"));
    await enter();
    await scene.host.serverDesk.lookNow("two");
    const [first, second] = pending();
    expect([first!.threadId === second!.threadId, first!.digest === second!.digest]).toEqual([false, false]);
    await scene.decide(pending().find(({ server }) => server?.id === "two")!);
    await scene.untilReceipt();
    expect([scene.server.effects.length, other.effects.length]).toEqual([0, 1]);
    expect(pending().map(({ server }) => server?.id)).toEqual(["one"]);
  });

  it("leave the cards of one whose name goes on like theirs when they are removed", async () => {
    const other = await enterOther("one-two");
    for (const server of [scene.server, other]) server.ask("same", batchOf("make"));
    await enter();
    await scene.host.serverDesk.lookNow("one-two");
    await scene.host.serverDesk.remove("one");
    expect(pending().map(({ server }) => server?.id)).toEqual(["one-two"]);
  });

  it("that never finish a line hold up no other, nor the end of the host", async () => {
    const slow = await Promise.all(Array.from({ length: 20 }, (_, index) => enterOther(`slow-${index}`)));
    const held: ServerResponse[] = [];
    for (const server of slow)
      server.instead.set("list", (response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("[");
        held.push(response);
        scene.host.changes.tell({ kind: "host" });
      });
    const rounds = slow.map((_, index) => scene.host.serverDesk.lookNow(`slow-${index}`));
    await scene.host.until(() => held.length === 20);
    const row = await scene.oneCard();
    await scene.decide(row);
    await scene.untilReceipt();
    expect(held.filter(({ destroyed }) => destroyed)).toEqual([]);
    await scene.host.close();
    await Promise.all(rounds);
    await scene.host.open();
  });
});

describe("a server that cuts long pages without a word", () => {
  it("has the cards of all that waits there", async () => {
    for (let count = 0; count < 120; count += 1) scene.server.ask(`t${count}`, batchOf("make"));
    scene.server.instead.set("list", (_response, go, { body }) => {
      const page = body as { limit: number };
      page.limit = Math.min(page.limit, 100);
      go();
    });
    await enter();
    expect(pending()).toHaveLength(120);
  });
});

describe("a hostile server", () => {
  it("is asked for no thread by an id that could lead elsewhere, and is read on", async () => {
    scene.server.ask("a", batchOf("make"));
    await enter();
    const asked = () => scene.server.heard.filter(({ route }) => route !== "list").length;
    const before = asked();
    for (const id of ["../assistants", "a/b", "a?x=1", "a#b", "a%2e", "..", "", "a b", "x".repeat(129)]) {
      const row = { thread_id: id, status: "interrupted", updated_at: "1" };
      scene.server.instead.set("list", (response) => response.end(JSON.stringify([row])));
      expect((await look()).state.kind).toBe("silent");
    }
    expect([asked(), pending().length]).toEqual([before, 1]);
    scene.server.instead.clear();
    expect((await look()).state.kind).toBe("answers");
  });

  it("that swaps its questions has the cards that it had", async () => {
    const { interrupts } = scene.server.ask("a", batchOf("one"));
    const both = { ...interrupts, "task-b": [{ id: "int-b", value: batchOf("two") }] };
    scene.server.move("a", { interrupts: both });
    await enter();
    const before = pending().map(({ id, digest }) => [id, digest]);
    expect(before).toHaveLength(2);
    scene.server.move("a", { interrupts: Object.fromEntries(Object.entries(both).reverse()) });
    await look();
    expect(pending().map(({ id, digest }) => [id, digest])).toEqual(before);
  });

  it("that hides a member from who reads JSON gets no yes to it", async () => {
    const value = JSON.parse(
      JSON.stringify(batchOf("ls")).replace('"command"', '"__proto__":{"command":"rm"},"command"'),
    );
    const row = await scene.oneCard(value);
    expect(row.allowed).toEqual(["reject"]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    [
      "packed thousandfold",
      (response) =>
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(64_000_000, " "))),
    ],
    [
      "without an end",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          while (!response.destroyed && response.write(" ".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
    ],
  ])("whose answer is %s is read to a bound", async (_what, answer) => {
    await enter();
    scene.server.instead.set("list", answer);
    expect((await look()).state.problem).toContain("answered with more than 4000000 bytes");
  });
});
