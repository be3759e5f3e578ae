/** How remote servers are answered, and what is said of it: over real HTTP, with a real engine and stores. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { batchOf } from "./testing/scripted-server.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, pending, receipts, look, decide, answers, untilReceipt, isWaiting, oneCard } = scene;

describe("an answer", () => {
  it("is one keyed request after a look, without a checkpoint, and its receipt is what the history proves", async () => {
    const row = await oneCard();
    scene.server.heard.length = 0;
    await decide(row);
    await untilReceipt();
    expect(scene.server.heard.slice(0, 4).map(({ route }) => route)).toEqual([
      "thread",
      "state",
      "runs",
      "answer",
    ]);
    const [entry] = [...scene.host.stores.ledger.all()];
    expect(answers().map(({ body }) => body)).toEqual([
      {
        assistant_id: "assistant-1",
        command: { resume: { "int-a": { decisions: [{ type: "approve" }] } } },
        stream_mode: ["messages-tuple"],
        stream_resumable: true,
        multitask_strategy: "reject",
        metadata: { countersign: entry?.executionId },
      },
    ]);
    const [run] = scene.server.threads.get("a")!.runs;
    expect(receipts()).toEqual([{ server: "Build farm", run: run?.run_id, proof: "applied" }]);
    expect(pending()).toEqual([]);
  });

  it.each(["__proto__", "constructor", "toString", "a b/../ü中'\"\u2028", "0", "i".repeat(500)])(
    "is keyed by whatever its server calls question and task: %s",
    async (name) => {
      const asking = scene.server.ask("a", batchOf("ls"), name);
      const lists = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(asking.interrupts["task-a"])}}`);
      scene.server.move("a", { interrupts: lists });
      await enter();
      expect(pending()).toHaveLength(1);
      await decide(pending()[0]!);
      await untilReceipt();
      const { command } = answers()[0]!.body as { command: { resume: object } };
      expect(Object.entries(command.resume)).toEqual([[name, { decisions: [{ type: "approve" }] }]]);
      expect(receipts()).toMatchObject([{ proof: "applied" }]);
    },
  );

  it("to several actions is sent when each has its decision, in their order", async () => {
    const first = await oneCard(batchOf("one", "two"));
    const second = pending()[1]!;
    await decide(second, { type: "reject", message: "not two" });
    expect(answers()).toEqual([]);
    await decide(first, { type: "edit", args: { command: "other" } });
    await untilReceipt();
    expect(scene.server.effects).toEqual([
      {
        decisions: [
          { type: "edit", editedAction: { name: "execute_it", args: { command: "other" } } },
          { type: "reject", message: "not two" },
        ],
      },
    ]);
  });

  it.each([
    ["the thread went on", () => scene.server.move("a", { status: "idle", interrupts: {} }), "gone"],
    [
      "another value has its id",
      () => scene.server.move("a", { interrupts: { "task-a": [{ id: "int-a", value: batchOf("sudo") }] } }),
      "gone",
    ],
    [
      "the same is asked at another checkpoint",
      () => scene.server.move("a", { checkpoint: "later" }),
      "gone",
    ],
    ["another assistant asks", () => scene.server.move("a", { assistant: "assistant-2" }), "gone"],
    ["the thread was deleted", () => scene.server.threads.delete("a"), "gone"],
    ["somebody's answer is worked on", () => scene.server.move("a", { status: "busy" }), "unsent"],
  ])("is not sent when %s since the card was shown", async (_, change, proof) => {
    const row = await oneCard();
    change();
    await decide(row);
    await untilReceipt();
    expect([answers(), receipts()]).toEqual([[], [{ server: "Build farm", proof }]]);
  });

  it("relies on no look that is older than a second when it would be sent", async () => {
    let ms = 0;
    await scene.reopen({ clock: () => ms });
    const row = await oneCard();
    scene.server.instead.set("state", (_response, go) => {
      ms += 1_001;
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([answers(), receipts()[0]?.proof]).toEqual([[], "unsent"]);
    scene.server.instead.clear();
    await decide(pending()[0]!);
    await scene.host.until(() => receipts()[1]?.proof === "applied");
  });

  it("relies on no look that is older than a second when the connection stands", async () => {
    let ms = 0;
    let lookedUp = 0;
    const resolve = async () => {
      lookedUp += 1;
      if (lookedUp === 4) ms += 1_001;
      return [{ address: "127.0.0.1", family: 4 as const }];
    };
    await scene.reopen({ resolve, clock: () => ms });
    scene.server.ask("a", batchOf("ls"));
    await enter({ url: scene.server.url.replace("127.0.0.1", "localhost") });
    const [row] = pending();
    lookedUp = 0;
    await decide(row!);
    await untilReceipt();
    expect([answers(), receipts()[0]?.proof]).toEqual([[], "unsent"]);
  });

  it("waits for no name that is never looked up", async () => {
    const { promise: never } = Promise.withResolvers<never>();
    let lookedUp = 0;
    const resolve = async () => {
      lookedUp += 1;
      return lookedUp > 1 ? never : [{ address: "127.0.0.1", family: 4 as const }];
    };
    await scene.reopen({ resolve, timeoutMs: 20 });
    expect(await enter({ url: scene.server.url.replace("127.0.0.1", "localhost") })).toMatchObject({
      problem: { message: expect.stringContaining("did not answer within") },
    });
  });

  it("that the server refuses is not repeated: it is asked again, and says why", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (response) => response.writeHead(409).end("busy"));
    await decide(row);
    await scene.host.until(isWaiting);
    expect([answers().length, receipts()]).toEqual([1, [{ server: "Build farm", proof: "unsent" }]]);
    expect(pending()[0]).toMatchObject({
      digest: row.digest,
      server: { note: expect.stringContaining("409") },
    });
    scene.server.instead.clear();
    await decide(pending()[0]!);
    await scene.host.until(() => receipts()[1]?.proof === "applied");
    expect(scene.server.effects).toHaveLength(1);
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
    scene.server.instead.set("answer", misbehave);
    await decide(row);
    await untilReceipt();
    expect([answers().length, scene.server.effects.length, receipts()[0]?.proof]).toEqual([1, 1, "applied"]);
  });

  it("that came to nothing is asked again when the same waits still and no run has its mark", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (response) => response.writeHead(502).end());
    await decide(row);
    await scene.host.until(isWaiting);
    expect([answers().length, receipts()[0]?.proof, scene.server.effects]).toEqual([1, "lost", []]);
  });

  it("that the server took and has forgotten is asked again, and says that it may have begun", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ run_id: "forgotten", status: "pending" }));
    });
    await decide(row);
    await scene.host.until(isWaiting);
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, "lost"]);
    expect(pending()[0]?.server?.note).toContain("had begun");
  });

  it("is told apart from that of another who was first", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (_response, go) => {
      const thread = scene.server.threads.get("a")!;
      thread.history.unshift({
        parent_checkpoint: { checkpoint_id: thread.checkpoint! },
        metadata: { run_id: "somebody-else" },
      });
      Object.assign(thread, { interrupts: {}, status: "idle", checkpoint: "after-them" });
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([receipts()[0]?.proof, scene.server.effects]).toEqual(["elsewhere", []]);
  });

  it("to one of two that ask side by side leaves the other, and a question that is asked anew is a card again", async () => {
    const thread = scene.server.ask("a", "left?");
    thread.interrupts["task-right"] = [{ id: "int-right", value: "right?" }];
    await enter();
    const left = pending().find(({ value }) => value === "left?")!;
    scene.server.instead.set("answer", (_response, go) => {
      go();
      thread.interrupts["task-a"] = [{ id: "int-a", value: "left?" }];
      thread.status = "interrupted";
    });
    await decide(left, { type: "respond", answer: "one" });
    await scene.host.until(() => pending().length === 2);
    expect(receipts()).toEqual([expect.objectContaining({ proof: "applied", again: true })]);
    expect(scene.server.effects).toEqual(["one"]);
  });

  it("to what comes back as a ghost is no card again", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (_response, go) => {
      const { interrupts, checkpoint } = scene.server.threads.get("a")!;
      go();
      // As after an update of its state by others: nothing of what was answered is gone from its lists.
      scene.server.move("a", { status: "interrupted", interrupts, checkpoint });
    });
    await decide(row);
    await untilReceipt();
    await look();
    expect([receipts()[0]?.proof, pending()]).toEqual(["applied", []]);
  });
});
