/** Remote servers over real HTTP, with a real engine and stores; the server replays shapes of a real one. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { remoteServerSchema } from "../../../shared/contract/remote-servers.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { noPauses, SourceHost } from "../../engine/testing/source-host.ts";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";

let host: SourceHost;
let server: ScriptedServer;
const key = "secret-key-of-the-server";
const approve = { type: "approve" } as const;

beforeEach(async () => {
  host = new SourceHost();
  server = new ScriptedServer();
  await Promise.all([host.open(), server.start()]);
});
afterEach(async () => {
  await host.close();
  await server.stop();
  host.remove();
});

const enter = (change: object = {}, withKey: string | null = key) =>
  host.serverDesk.save(
    { id: "one", name: "Build farm", url: server.url, auth: "x-api-key", ...change },
    withKey ?? undefined,
  );
const pending = () => host.stores.approvals.pending();
const look = () => host.serverDesk.lookNow("one");
const decide = (row: ApprovalRow, decision: Decision = approve) => host.decide(row, decision);
/** The receipts of all that was decided, oldest first. */
const receipts = () => [...host.stores.ledger.all()].map(({ receipt }) => receipt?.answer);
const answers = () => server.heardOf("answer");
const untilReceipt = () => host.until(() => receipts().some((one) => one !== undefined));
const isWaiting = () => pending().some(({ server: card }) => card?.standing.kind === "waits");

/** One thread that asks, entered and shown. */
async function oneCard(value = batchOf("rm -rf build")): Promise<ApprovalRow> {
  server.ask("a", value);
  await enter();
  return pending()[0]!;
}

describe("what waits on servers", () => {
  it("stands in the one queue, bound to server, thread and all that is asked, and is always asked", async () => {
    const other = new ScriptedServer();
    await other.start();
    other.ask("b", "Which colour?");
    const row = await oneCard();
    await enter({ id: "two", name: "Other", url: other.url, auth: "none" }, null);
    expect(
      pending().map((each) => [each.server?.name, each.server?.thread, each.kind, each.allowed]),
    ).toEqual([
      ["Build farm", "a", "batch", ["approve", "edit", "reject"]],
      ["Other", "b", "interrupt", ["respond"]],
    ]);
    expect(row).toMatchObject({
      risk: "high",
      verdict: { verdict: "ask" },
      args: { command: "rm -rf build" },
    });
    expect(host.stores.threads.get(row.threadId).title).toBe("Build farm: please a");
    await other.stop();
  });

  it("costs one small request a round and server while nothing changes, with a thousand threads", async () => {
    for (let count = 0; count < 1_000; count += 1) {
      server.ask(`t${count}`, batchOf("ls"));
      if (count % 10 > 0) server.move(`t${count}`, { status: "idle" });
    }
    await enter();
    await look();
    expect(pending()).toHaveLength(100);
    server.heard.length = 0;
    await look();
    expect(server.heard.map(({ route }) => route)).toEqual(["list"]);
  });

  it("leaves the queue when it is answered, changed, deleted or failed there, and says why", async () => {
    for (const name of ["answered", "changed", "failed", "gone"]) server.ask(name, batchOf("ls"));
    await enter();
    server.move("answered", { status: "idle", interrupts: {} });
    server.move("changed", { interrupts: { task: [{ id: "int-changed", value: batchOf("ls -l") }] } });
    server.move("failed", {
      status: "error",
      interrupts: { task: [] },
      error: "Number of human decisions (1)",
    });
    server.threads.delete("gone");
    await look();
    expect(pending().map(({ args }) => args)).toEqual([{ command: "ls -l" }]);
    const failed = host.stores.threads.list().find(({ title }) => title.endsWith("please failed"));
    expect([failed?.status, failed?.problem]).toEqual(["failed", expect.stringContaining("Number of human")]);
  });
});

describe("an answer", () => {
  it("is one keyed request after a look, without a checkpoint, and its receipt is what the history proves", async () => {
    const row = await oneCard();
    server.heard.length = 0;
    await decide(row);
    await untilReceipt();
    expect(server.heard.slice(0, 4).map(({ route }) => route)).toEqual(["thread", "state", "runs", "answer"]);
    const [entry] = [...host.stores.ledger.all()];
    expect(answers().map(({ body }) => body)).toEqual([
      {
        assistant_id: "assistant-1",
        command: { resume: { "int-a": { decisions: [{ type: "approve" }] } } },
        multitask_strategy: "reject",
        metadata: { countersign: entry?.executionId },
      },
    ]);
    const [run] = server.threads.get("a")!.runs;
    expect(receipts()).toEqual([{ server: "Build farm", run: run?.run_id, proof: "applied" }]);
    expect(pending()).toEqual([]);
  });

  it("to several actions is sent when each has its decision, in their order", async () => {
    const first = await oneCard(batchOf("one", "two"));
    const second = pending()[1]!;
    await decide(second, { type: "reject", message: "not two" });
    expect(answers()).toEqual([]);
    await decide(first, { type: "edit", args: { command: "other" } });
    await untilReceipt();
    expect(server.effects).toEqual([
      {
        decisions: [
          { type: "edit", editedAction: { name: "execute_it", args: { command: "other" } } },
          { type: "reject", message: "not two" },
        ],
      },
    ]);
  });

  it.each([
    ["the thread went on", () => server.move("a", { status: "idle", interrupts: {} }), "gone"],
    [
      "another value has its id",
      () => server.move("a", { interrupts: { "task-a": [{ id: "int-a", value: batchOf("sudo") }] } }),
      "gone",
    ],
    ["the same is asked at another checkpoint", () => server.move("a", { checkpoint: "later" }), "gone"],
    ["another assistant asks", () => server.move("a", { assistant: "assistant-2" }), "gone"],
    ["the thread was deleted", () => server.threads.delete("a"), "gone"],
    ["somebody's answer is worked on", () => server.move("a", { status: "busy" }), "unsent"],
  ])("is not sent when %s since the card was shown", async (_, change, proof) => {
    const row = await oneCard();
    change();
    await decide(row);
    await untilReceipt();
    expect([answers(), receipts()]).toEqual([[], [{ server: "Build farm", proof }]]);
  });

  it("relies on no look that is older than a second when it would be sent", async () => {
    await host.close();
    let ms = 0;
    host = new SourceHost({}, { ...noPauses, clock: () => ms });
    await host.open();
    const row = await oneCard();
    server.instead.set("state", (_response, go) => {
      ms += 1_001;
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([answers(), receipts()[0]?.proof]).toEqual([[], "unsent"]);
    server.instead.clear();
    await decide(pending()[0]!);
    await host.until(() => receipts()[1]?.proof === "applied");
  });

  it("relies on no look that is older than a second when the connection stands", async () => {
    await host.close();
    let ms = 0;
    let lookedUp = 0;
    const resolve = async () => {
      lookedUp += 1;
      if (lookedUp === 4) ms += 1_001;
      return [{ address: "127.0.0.1", family: 4 as const }];
    };
    host = new SourceHost({}, { ...noPauses, resolve, clock: () => ms });
    await host.open();
    server.ask("a", batchOf("ls"));
    await enter({ url: server.url.replace("127.0.0.1", "localhost") });
    const [row] = pending();
    lookedUp = 0;
    await decide(row!);
    await untilReceipt();
    expect([answers(), receipts()[0]?.proof]).toEqual([[], "unsent"]);
  });

  it("waits for no name that is never looked up", async () => {
    await host.close();
    const { promise: never } = Promise.withResolvers<never>();
    let lookedUp = 0;
    const resolve = async () => {
      lookedUp += 1;
      return lookedUp > 1 ? never : [{ address: "127.0.0.1", family: 4 as const }];
    };
    host = new SourceHost({}, { ...noPauses, resolve, timeoutMs: 20 });
    await host.open();
    expect(await enter({ url: server.url.replace("127.0.0.1", "localhost") })).toMatchObject({
      problem: { message: expect.stringContaining("did not answer within") },
    });
  });

  it("that the server refuses is not repeated: it is asked again, and says why", async () => {
    const row = await oneCard();
    server.instead.set("answer", (response) => response.writeHead(409).end("busy"));
    await decide(row);
    await host.until(isWaiting);
    expect([answers().length, receipts()]).toEqual([1, [{ server: "Build farm", proof: "unsent" }]]);
    expect(pending()[0]).toMatchObject({
      digest: row.digest,
      server: { note: expect.stringContaining("409") },
    });
    server.instead.clear();
    await decide(pending()[0]!);
    await host.until(() => receipts()[1]?.proof === "applied");
    expect(server.effects).toHaveLength(1);
  });

  it.each([
    [
      "fails after the effect",
      (response: ServerResponse, go: () => void) => {
        response.writeHead(500).end();
        go();
      },
    ],
    [
      "gets it twice from what stands between, and refuses the second",
      (response: ServerResponse, go: () => void) => {
        response.writeHead(409).end();
        go();
      },
    ],
    [
      "breaks the line before it answers",
      (response: ServerResponse, go: () => void) => {
        response.socket?.destroy();
        go();
      },
    ],
    [
      "answers with half of what it said it would",
      (response: ServerResponse, go: () => void) => {
        response.writeHead(200, { "content-length": "100" }).write("{", () => response.socket?.destroy());
        go();
      },
    ],
  ])("is found by its mark when the server %s, and sent once", async (_, misbehave) => {
    const row = await oneCard();
    server.instead.set("answer", misbehave);
    await decide(row);
    await untilReceipt();
    expect([answers().length, server.effects.length, receipts()[0]?.proof]).toEqual([1, 1, "applied"]);
  });

  it("that came to nothing is asked again when the same waits still and no run has its mark", async () => {
    const row = await oneCard();
    server.instead.set("answer", (response) => response.writeHead(502).end());
    await decide(row);
    await host.until(isWaiting);
    expect([answers().length, receipts()[0]?.proof, server.effects]).toEqual([1, "lost", []]);
  });

  it("that the server took and has forgotten is asked again, and says that it may have begun", async () => {
    const row = await oneCard();
    server.instead.set("answer", (response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ run_id: "forgotten", status: "pending" }));
    });
    await decide(row);
    await host.until(isWaiting);
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, "lost"]);
    expect(pending()[0]?.server?.note).toContain("had begun");
  });

  it("is told apart from that of another who was first", async () => {
    const row = await oneCard();
    server.instead.set("answer", (_response, go) => {
      const thread = server.threads.get("a")!;
      thread.history.unshift({
        parent_checkpoint: { checkpoint_id: thread.checkpoint! },
        metadata: { run_id: "somebody-else" },
      });
      Object.assign(thread, { interrupts: {}, status: "idle", checkpoint: "after-them" });
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([receipts()[0]?.proof, server.effects]).toEqual(["elsewhere", []]);
  });

  it("to one of two that ask side by side leaves the other, and a question that is asked anew is a card again", async () => {
    const thread = server.ask("a", "left?");
    thread.interrupts["task-right"] = [{ id: "int-right", value: "right?" }];
    await enter();
    const left = pending().find(({ value }) => value === "left?")!;
    server.instead.set("answer", (_response, go) => {
      go();
      thread.interrupts["task-a"] = [{ id: "int-a", value: "left?" }];
      thread.status = "interrupted";
    });
    await decide(left, { type: "respond", answer: "one" });
    await host.until(() => pending().length === 2);
    expect(receipts()).toEqual([expect.objectContaining({ proof: "applied", again: true })]);
    expect(server.effects).toEqual(["one"]);
  });

  it("to what comes back as a ghost is no card again", async () => {
    const row = await oneCard();
    server.instead.set("answer", (_response, go) => {
      const { interrupts, checkpoint } = server.threads.get("a")!;
      go();
      // As after an update of its state by others: nothing of what was answered is gone from its lists.
      server.move("a", { status: "interrupted", interrupts, checkpoint });
    });
    await decide(row);
    await untilReceipt();
    await look();
    expect([receipts()[0]?.proof, pending()]).toEqual(["applied", []]);
  });
});

describe("a server that cannot be relied on", () => {
  it.each([
    ["fails at", (response: ServerResponse) => void response.writeHead(500).end()],
    ["forbids", (response: ServerResponse) => void response.writeHead(403).end()],
    ["breaks the line at", (response: ServerResponse) => void response.socket?.destroy()],
  ])("and that %s one thread is read and answered for its neighbours", async (_, misbehave) => {
    for (const name of ["a", "b", "c"]) server.ask(name, batchOf("ls"));
    server.instead.set("state", (response, go, { path }) =>
      path.includes("/b/") ? misbehave(response) : go(),
    );
    await enter();
    const { state } = await look();
    expect([state.kind, state.problem]).toEqual(["answers", expect.stringContaining("cannot be read")]);
    expect(pending().map(({ server: card }) => [card?.thread, card?.standing.kind])).toEqual([
      ["a", "waits"],
      ["c", "waits"],
    ]);
    server.instead.clear();
    await look();
    expect(pending()).toHaveLength(3);
  });

  it("has no more cards than anybody decides, and the rest when some are gone", async () => {
    const fifty = batchOf(...Array.from({ length: 50 }, String));
    for (let count = 0; count <= 20; count += 1) server.ask(`t${count}`, fifty);
    await enter();
    expect(pending()).toHaveLength(1_000);
    server.move("t0", { status: "idle", interrupts: {} });
    await look();
    await look();
    expect(pending().filter(({ server: card }) => card?.thread === "t20")).toHaveLength(50);
  });

  it("is said on its cards, and nothing is decided until it answers again", async () => {
    const row = await oneCard();
    await server.stop();
    const { state } = await look();
    expect([state.kind, state.problem]).toEqual(["silent", expect.stringContaining("Nothing answers")]);
    expect(pending()[0]).toMatchObject({ digest: row.digest, server: { standing: { kind: "unseen" } } });
    expect(await decide(row)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("does not answer"),
    });
    await server.start();
    await look();
    await decide(pending()[0]!);
    await untilReceipt();
    expect(server.effects).toHaveLength(1);
  });

  it("is asked by nobody else: a redirect is followed nowhere, and its target is named", async () => {
    const elsewhere = new ScriptedServer();
    await elsewhere.start();
    server.instead.set("list", (response) =>
      response.writeHead(307, { location: `${elsewhere.url}/threads/search` }).end(),
    );
    expect(await enter()).toMatchObject({ problem: { message: expect.stringContaining(elsewhere.url) } });
    expect([elsewhere.heard, host.serverDesk.list()]).toEqual([[], []]);
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
    server.instead.set("list", (response) => void misbehave(response));
    expect(await enter()).toMatchObject({ problem: { message: expect.stringContaining(why) } });
    expect(host.serverDesk.list()).toEqual([]);
  });

  it("may be public only with https, and its name leads nowhere else later", async () => {
    const refused = await enter({ url: "http://192.0.2.1" });
    expect(refused).toMatchObject({ problem: { field: "url" } });
    expect(await enter({ url: "http://169.254.169.254" })).toMatchObject({ problem: { field: "url" } });
    expect(await enter({ url: "http://10.0.0.1" })).toMatchObject({
      problem: { message: expect.stringContaining("https://") },
    });
  });

  it("says of a thread that is wrong in half a million places that it cannot be read", async () => {
    server.ask("a", batchOf("ls"));
    server.instead.set("thread", (response) => {
      const interrupts = { t: Array(500_000).fill(0) };
      response.end(JSON.stringify({ thread_id: "a", status: "interrupted", interrupts }));
    });
    expect(await enter()).toMatchObject({
      server: { state: { kind: "answers", problem: expect.stringContaining("cannot be read") } },
    });
  });

  it("is shown also where it leaves out what is empty", async () => {
    server.ask("a", undefined);
    server.instead.set("state", (response) => {
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
    server.ask("a", batchOf(command));
    server.threads.get("a")!.interrupts = {
      "<meta charset=shift_jis>": server.threads.get("a")!.interrupts["task-a"]!,
    };
    server.instead.set("state", (response, go) => {
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
    expect(server.effects).toEqual([{ decisions: Array.from({ length: 51 }, () => ({ type: "reject" })) }]);
  });

  it("fills no disk with what cannot be shown, and takes one no for it", async () => {
    server.ask("a", batchOf(...Array.from({ length: 40 }, () => "y".repeat(100_000))));
    server.ask("free", { question: "z".repeat(3_000_000) });
    server.ask("members", Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`m${at}`, at])));
    await enter();
    expect(pending().map(({ server: card }) => card?.thread)).toEqual(["a", "free", "members"]);
    expect(JSON.stringify(pending()).length).toBeLessThan(100_000);
    await decide(pending()[0]!, { type: "reject" });
    await untilReceipt();
    expect(server.effects).toEqual([{ decisions: Array.from({ length: 40 }, () => ({ type: "reject" })) }]);
  });

  it("asks two questions under one id, and neither can be allowed", async () => {
    const thread = server.ask("a", batchOf("ls"));
    const [same] = thread.interrupts["task-a"]!;
    thread.interrupts = { "task-a": [same!, same!], "task-b": [{ ...same!, value: batchOf("rm -rf /") }] };
    server
      .ask("twice", batchOf("ls"))
      .interrupts["task-twice"]!.push({ id: "int-twice", value: batchOf("ls") });
    await enter();
    expect(pending().map(({ allowed, server: card }) => [card?.thread, allowed])).toEqual([
      ["a", ["reject"]],
      ["twice", ["approve", "edit", "reject"]],
    ]);
  });

  it("has no more bytes in the queue than are read in a moment", async () => {
    for (let count = 0; count < 70; count += 1) server.ask(`t${count}`, batchOf("y".repeat(250_000)));
    await enter();
    await look();
    await look();
    const bytes = JSON.stringify(pending().map(({ args, value }) => [args, value])).length;
    expect(bytes).toBeLessThan(17_000_000);
    expect(bytes).toBeGreaterThan(15_000_000);
  });

  it("never sees a card decided that holds what cannot be shown whole or exactly", async () => {
    const inexact = ["9007199254740993", "1e400", '{"__proto__":["hidden"]}', '"\\ud800"'];
    server.instead.set("thread", (response, go, { path }) => {
      const [, place] = /number-(\d)/.exec(path) ?? [];
      if (place === undefined) return go();
      const value = `{"actionRequests":[{"name":"pay","args":{"to":${inexact[Number(place)]}}}],"reviewConfigs":[{"actionName":"pay","allowedDecisions":["approve","reject"]}]}`;
      const row = { thread_id: `number-${place}`, status: "interrupted", metadata: { graph_id: "agent" } };
      const interrupts = `{"t":[{"id":"int-number-${place}","value":${value}}]}`;
      response.end(`${JSON.stringify(row).slice(0, -1)},"interrupts":${interrupts}}`);
    });
    for (const place of inexact.keys()) server.ask(`number-${place}`, batchOf("x"));
    server.ask("large", batchOf("y".repeat(300_000)));
    server.ask("many", batchOf(...Array.from({ length: 51 }, String)));
    await enter();
    expect(pending().map(({ allowed, server: card }) => [allowed, card?.limit !== undefined])).toEqual(
      Array.from({ length: inexact.length + 2 }, () => [["reject"], true]),
    );
  });
});

describe("after a start", () => {
  it("what waits says that it was not looked at yet, and waits again after a look", async () => {
    await oneCard();
    await host.kill();
    expect(pending()[0]?.server?.standing.kind).toBe("unseen");
    await look();
    expect(pending()[0]?.server?.standing.kind).toBe("waits");
  });

  it.each([
    ["arrived", true, "applied"],
    ["did not arrive", false, "lost"],
  ])(
    "an answer that was on its way and %s is sent no second time, and what became of it is found out",
    async (_, arrives, proof) => {
      const row = await oneCard();
      const isAsked = new Promise<void>((asked) => {
        server.instead.set("answer", (_response, go) => {
          if (arrives) go();
          asked();
        });
      });
      // The answer of the server never reaches this console.
      server.instead.set("run", () => undefined);
      void decide(row);
      await isAsked;
      await host.kill();
      server.instead.clear();
      expect(pending()).toMatchObject([{ allowed: ["reject"], server: { standing: { kind: "unknown" } } }]);
      await look();
      await untilReceipt();
      expect([answers().length, receipts()[0]?.proof]).toEqual([1, proof]);
      await host.until(() => (arrives ? pending().length === 0 : isWaiting()));
    },
  );

  it("an answer that was on its way in a thread that was deleted there has an end", async () => {
    const row = await oneCard();
    const isAsked = new Promise<void>((asked) => server.instead.set("answer", () => asked()));
    void decide(row);
    await isAsked;
    await host.kill();
    server.threads.clear();
    while (host.stores.executions.started().length > 0) await look();
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, "unknown"]);
  });

  it("an answer that was decided and not begun is sent after a look", async () => {
    const row = await oneCard();
    await host.kill((stores) => {
      const made = { decision: approve, by: { kind: "person" as const }, effectiveAt: 0 };
      stores.approvals.decide(row.id, row.digest, made);
    });
    await look();
    await untilReceipt();
    expect([server.effects.length, receipts()[0]?.proof]).toEqual([1, "applied"]);
  });
});

it("keeps the key out of everything but the file of keys, and sends it to its server alone", async () => {
  const row = await oneCard();
  await decide(row);
  await untilReceipt();
  expect(new Set(server.heard.map(({ headers }) => headers["x-api-key"]))).toEqual(new Set([key]));
  expect(JSON.stringify(host.serverDesk.list())).not.toContain(key);
  await host.kill();
  const files = readdirSync(host.root, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const holding = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes(key));
  expect(new Set(holding.map(({ name }) => name))).toEqual(new Set(["keys.json"]));
});

it("sends nothing that was decided about a server before it was removed, also when it is entered again", async () => {
  await oneCard(batchOf("one", "two"));
  const [first] = pending();
  await decide(first!);
  await host.serverDesk.remove("one");
  expect(host.stores.approvals.threadsWithUnconsumed()).toEqual([]);
  await enter();
  expect([answers(), pending().map(({ actionIndex }) => actionIndex)]).toEqual([[], [0, 1]]);
});

it("is asked at its new address alone once it was changed, by whoever looks meanwhile", async () => {
  const other = new ScriptedServer();
  await Promise.all([other.start(), enter()]);
  const isAsked = new Promise<void>((asked) => server.instead.set("list", () => asked()));
  const looks = look().then(look);
  await isAsked;
  server.instead.clear();
  await enter({ url: other.url }, "new-key");
  await looks;
  other.heard.length = 0;
  await look();
  expect([
    other.heard.length,
    server.heard.some(({ headers }) => headers["x-api-key"] === "new-key"),
  ]).toEqual([1, false]);
  await other.stop();
});

it("sends the key that was kept for it to no other address", async () => {
  const other = new ScriptedServer();
  await Promise.all([other.start(), enter()]);
  expect(await enter({ url: other.url }, null)).toMatchObject({
    problem: { field: "key", message: expect.stringContaining("another address") },
  });
  expect(other.heard).toEqual([]);
  expect(await enter({ name: "Renamed", url: `${server.url}/` }, null)).toHaveProperty("server");
  await other.stop();
});

it("says of an answer that was on its way to a server that is removed that nobody knows", async () => {
  const row = await oneCard();
  const isAsked = new Promise<void>((asked) => server.instead.set("answer", () => asked()));
  void decide(row);
  await isAsked;
  await host.serverDesk.remove("one");
  expect([receipts()[0]?.proof, pending(), host.stores.executions.started()]).toEqual(["unknown", [], []]);
  expect(host.stores.threads.get(row.threadId).status).toBe("done");
});

it("keeps the key out of what a server repeats of it", async () => {
  const row = await oneCard(batchOf(`echo ${key}`));
  server.instead.set("answer", (response) => response.writeHead(422).end(`bad header x-api-key: ${key}`));
  await decide(row);
  await host.until(isWaiting);
  server.instead.set("list", (response) => response.writeHead(307, { location: `/login?key=${key}` }).end());
  const { state } = await look();
  const said = JSON.stringify([row, pending(), state, [...host.stores.ledger.all()]]);
  expect(said).toContain("bad header x-api-key: <its key>");
  expect(said).not.toContain(key);
});

it("goes into the header that was named, and into no other", async () => {
  expect(await enter({ auth: "header" })).toMatchObject({ problem: { field: "header" } });
  expect(server.heard).toEqual([]);
  await enter({ auth: "header", header: "Farm-Key" });
  const { headers } = server.heard.at(-1)!;
  expect([headers["farm-key"], headers["x-api-key"], headers.authorization]).toEqual([
    key,
    undefined,
    undefined,
  ]);
});

it.each(["host", "Content-Length", "x-auth-scheme", "a b", "a\r\nb"])(
  "a key never takes the place of the header %j",
  (header) => {
    const entered = { id: "a", name: "A", url: "https://a.example", auth: "header", place: "public", header };
    expect(remoteServerSchema.safeParse(entered).success).toBe(false);
  },
);

it("asks nothing without the key that belongs to it", async () => {
  await enter();
  await host.stores.keys.remove("server:one");
  server.heard.length = 0;
  expect((await look()).state).toMatchObject({ kind: "refused", problem: expect.stringContaining("locked") });
  expect(server.heard).toEqual([]);
});

it("asks with https alone where the file says otherwise", async () => {
  await enter();
  const file = join(host.root, "data-0", "remote-servers.json");
  const text = readFileSync(file, "utf8");
  await host.kill();
  writeFileSync(
    file.replace("data-0", "data-1"),
    text.replace(server.url, "http://farm.test").replace("loopback", "private"),
  );
  expect((await look()).state.problem).toContain("https:// alone");
});

it("keeps no card that nobody could decide of a server that was taken out of the file", async () => {
  await oneCard();
  const file = (at: number) => join(host.root, `data-${at}`, "remote-servers.json");
  await host.kill(() => writeFileSync(file(1), "{"));
  expect(pending()).toHaveLength(1);
  await host.kill(() => rmSync(file(2)));
  expect(pending()).toEqual([]);
});

it("takes cards and key of a server that is removed with it", async () => {
  const row = await oneCard();
  await host.serverDesk.remove("one");
  expect([pending(), host.serverDesk.list(), host.stores.keys.storageOf("server:one")]).toEqual([
    [],
    [],
    undefined,
  ]);
  expect(host.stores.threads.get(row.threadId).status).toBe("done");
});
