/** Remote servers that cannot be relied on: hostile, broken, slow or gone. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, pending, receipts, look, decide, untilReceipt, oneCard } = scene;

describe("a server that cannot be relied on", () => {
  it.each([
    ["fails at", (response: ServerResponse) => void response.writeHead(500).end()],
    ["forbids", (response: ServerResponse) => void response.writeHead(403).end()],
    ["breaks the line at", (response: ServerResponse) => void response.socket?.destroy()],
  ])("and that %s one thread is read and answered for its neighbours", async (_, misbehave) => {
    for (const name of ["a", "b", "c"]) scene.server.ask(name, batchOf("ls"));
    scene.server.instead.set("state", (response, go, { path }) =>
      path.includes("/b/") ? misbehave(response) : go(),
    );
    await enter();
    const { state } = await look();
    expect([state.kind, state.problem]).toEqual(["answers", expect.stringContaining("cannot be read")]);
    expect(pending().map(({ server: card }) => [card?.thread, card?.standing.kind])).toEqual([
      ["a", "waits"],
      ["c", "waits"],
    ]);
    scene.server.instead.clear();
    await look();
    expect(pending()).toHaveLength(3);
  });

  it("has no more cards than anybody decides, and the rest when some are gone", async () => {
    const fifty = batchOf(...Array.from({ length: 50 }, String));
    for (let count = 0; count <= 20; count += 1) scene.server.ask(`t${count}`, fifty);
    await enter();
    expect(pending()).toHaveLength(1_000);
    scene.server.move("t0", { status: "idle", interrupts: {} });
    await look();
    await look();
    expect(pending().filter(({ server: card }) => card?.thread === "t20")).toHaveLength(50);
  });

  it("is said on its cards, and nothing is decided until it answers again", async () => {
    const row = await oneCard();
    await scene.server.stop();
    const { state } = await look();
    expect([state.kind, state.problem]).toEqual(["silent", expect.stringContaining("Nothing answers")]);
    expect(pending()[0]).toMatchObject({ digest: row.digest, server: { standing: { kind: "unseen" } } });
    expect(await decide(row)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("does not answer"),
    });
    await scene.server.start();
    await look();
    await decide(pending()[0]!);
    await untilReceipt();
    expect(scene.server.effects).toHaveLength(1);
  });

  it("is asked by nobody else: a redirect is followed nowhere, and its target is named", async () => {
    const elsewhere = new ScriptedServer();
    await elsewhere.start();
    scene.server.instead.set("list", (response) =>
      response.writeHead(307, { location: `${elsewhere.url}/threads/search` }).end(),
    );
    expect(await enter()).toMatchObject({ problem: { message: expect.stringContaining(elsewhere.url) } });
    expect([elsewhere.heard, scene.host.serverDesk.list()]).toEqual([[], []]);
    await elsewhere.stop();
  });

  it.each([
    [
      "a web page",
      (response: ServerResponse) => response.setHeader("content-type", "text/html").end("<html>"),
      "web page",
    ],
    ["no JSON", (response: ServerResponse) => response.end("{"), "no JSON"],
    ["other JSON", (response: ServerResponse) => response.end('{"a":1}'), "no answer of a LangGraph server"],
    [
      "more than is read",
      (response: ServerResponse) => response.end(`["${"x".repeat(4_000_001)}"]`),
      "more than",
    ],
    [
      "a path for an id",
      (response: ServerResponse) => response.end('[{"thread_id":"../../secrets"}]'),
      "no answer of a LangGraph server",
    ],
    [
      "depths",
      (response: ServerResponse) => response.end(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
      "too deep",
    ],
    [
      "no with its key",
      (response: ServerResponse) => response.writeHead(401).end(),
      "does not take this key",
    ],
    ["a failure", (response: ServerResponse) => response.writeHead(500).end(), "failed (500)"],
    [
      "another protocol",
      (response: ServerResponse) =>
        response.socket?.write(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        ),
      "broke",
    ],
  ])("that answers with %s is not entered, and the reason is one sentence", async (_, misbehave, why) => {
    scene.server.instead.set("list", (response) => void misbehave(response));
    expect(await enter()).toMatchObject({ problem: { message: expect.stringContaining(why) } });
    expect(scene.host.serverDesk.list()).toEqual([]);
  });

  it("is asked nothing any more once its name leads to another kind of network", async () => {
    let address = "127.0.0.1";
    await scene.reopen({ resolve: async () => [{ address, family: 4 }] });
    scene.server.ask("a", batchOf("ls"));
    await enter({ url: scene.server.url.replace("127.0.0.1", "agents.example") });
    const row = pending()[0]!;
    const heard = scene.server.heard.length;
    // Also this machine, by an address that is not taken for it.
    address = "0.0.0.0";
    const { state } = await look();
    expect(state.problem).toContain("another kind of network");
    expect((await decide(row)).ok).toBe(false);
    expect(scene.server.heard).toHaveLength(heard);
  });

  it("may be public only with https", async () => {
    const refused = await enter({ url: "http://192.0.2.1" });
    expect(refused).toMatchObject({ problem: { field: "url" } });
    expect(await enter({ url: "http://169.254.169.254" })).toMatchObject({ problem: { field: "url" } });
    expect(await enter({ url: "http://10.0.0.1" })).toMatchObject({
      problem: { message: expect.stringContaining("https://") },
    });
  });

  it("says of a thread that is wrong in half a million places that it cannot be read", async () => {
    scene.server.ask("a", batchOf("ls"));
    scene.server.instead.set("thread", (response) => {
      const interrupts = { t: Array(500_000).fill(0) };
      response.end(JSON.stringify({ thread_id: "a", status: "interrupted", interrupts }));
    });
    expect(await enter()).toMatchObject({
      server: { state: { kind: "answers", problem: expect.stringContaining("cannot be read") } },
    });
  });

  it("is shown also where it leaves out what is empty", async () => {
    scene.server.ask("a", undefined);
    scene.server.instead.set("state", (response) => {
      const interrupts = [{ id: "int-a" }];
      response.end(
        JSON.stringify({ checkpoint: { checkpoint_id: "c" }, tasks: [{ id: "task-a", interrupts }] }),
      );
    });
    await enter();
    expect(pending().map(({ server: card }) => card?.interrupt)).toEqual(["int-a"]);
  });

  it("is read as it writes, whatever a page in its messages or its head says of characters", async () => {
    const command = 'echo "é"; rm -rf ~';
    scene.server.ask("a", batchOf(command));
    scene.server.threads.get("a")!.interrupts = {
      "<meta charset=shift_jis>": scene.server.threads.get("a")!.interrupts["task-a"]!,
    };
    scene.server.instead.set("state", (response, go) => {
      response.setHeader("content-type", "application/json; charset=shift_jis");
      go();
    });
    await enter();
    expect(pending()[0]?.args).toEqual({ command });
  });

  it("asks about more actions than can be decided, and takes one no for all of them", async () => {
    const row = await oneCard(batchOf(...Array.from({ length: 51 }, String)));
    await decide(row, { type: "reject" });
    await untilReceipt();
    expect(receipts()[0]?.proof).toBe("applied");
    expect(scene.server.effects).toEqual([
      { decisions: Array.from({ length: 51 }, () => ({ type: "reject" })) },
    ]);
  });

  it("fills no disk with what cannot be shown, and takes one no for it", async () => {
    scene.server.ask("a", batchOf(...Array.from({ length: 40 }, () => "y".repeat(100_000))));
    scene.server.ask("free", { question: "z".repeat(3_000_000) });
    scene.server.ask(
      "members",
      Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`m${at}`, at])),
    );
    await enter();
    expect(pending().map(({ server: card }) => card?.thread)).toEqual(["a", "free", "members"]);
    expect(JSON.stringify(pending()).length).toBeLessThan(100_000);
    await decide(pending()[0]!, { type: "reject" });
    await untilReceipt();
    expect(scene.server.effects).toEqual([
      { decisions: Array.from({ length: 40 }, () => ({ type: "reject" })) },
    ]);
  });

  it("asks two questions under one id, and neither can be allowed", async () => {
    const thread = scene.server.ask("a", batchOf("ls"));
    const [same] = thread.interrupts["task-a"]!;
    thread.interrupts = { "task-a": [same!, same!], "task-b": [{ ...same!, value: batchOf("rm -rf /") }] };
    scene.server
      .ask("twice", batchOf("ls"))
      .interrupts["task-twice"]!.push({ id: "int-twice", value: batchOf("ls") });
    await enter();
    expect(pending().map(({ allowed, server: card }) => [card?.thread, allowed])).toEqual([
      ["a", ["reject"]],
      ["twice", ["approve", "edit", "reject"]],
    ]);
  });

  it("has no more bytes in the queue than are read in a moment", async () => {
    for (let count = 0; count < 70; count += 1) scene.server.ask(`t${count}`, batchOf("y".repeat(250_000)));
    await enter();
    await look();
    await look();
    const bytes = JSON.stringify(pending().map(({ args, value }) => [args, value])).length;
    expect(bytes).toBeLessThan(17_000_000);
    expect(bytes).toBeGreaterThan(15_000_000);
  });

  it("never sees a card decided that holds what cannot be shown whole or exactly", async () => {
    const inexact = ["9007199254740993", "1e400", '{"__proto__":["hidden"]}', '"\\ud800"'];
    scene.server.instead.set("thread", (response, go, { path }) => {
      const [, place] = /number-(\d)/.exec(path) ?? [];
      if (place === undefined) return go();
      const value = `{"actionRequests":[{"name":"pay","args":{"to":${inexact[Number(place)]}}}],"reviewConfigs":[{"actionName":"pay","allowedDecisions":["approve","reject"]}]}`;
      const row = { thread_id: `number-${place}`, status: "interrupted", metadata: { graph_id: "agent" } };
      const interrupts = `{"t":[{"id":"int-number-${place}","value":${value}}]}`;
      response.end(`${JSON.stringify(row).slice(0, -1)},"interrupts":${interrupts}}`);
    });
    for (const place of inexact.keys()) scene.server.ask(`number-${place}`, batchOf("x"));
    scene.server.ask("large", batchOf("y".repeat(300_000)));
    scene.server.ask("many", batchOf(...Array.from({ length: 51 }, String)));
    await enter();
    expect(pending().map(({ allowed, server: card }) => [allowed, card?.limit !== undefined])).toEqual(
      Array.from({ length: inexact.length + 2 }, () => [["reject"], true]),
    );
  });
});
