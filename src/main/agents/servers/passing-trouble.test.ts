/** Servers that are slow, refuse or answer with something else: what was decided is neither sent twice nor given up for it. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { batchOf } from "./testing/scripted-server.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { pending, receipts, look, decide, answers, untilReceipt, oneCard } = scene;

describe("an answer", () => {
  it("whose look took too long is sent after the next one", async () => {
    let ms = 0;
    await scene.reopen({ clock: () => ms });
    const row = await oneCard();
    let looks = 0;
    scene.server.instead.set("state", (_response, go) => {
      looks += 1;
      if (looks === 1) ms += 1_001;
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, "applied"]);
  });

  it("that was refused is looked for until its server's list of runs is heard, since it may have come twice", async () => {
    const row = await oneCard();
    let isSent = false;
    scene.server.instead.set("answer", (response, go) => {
      isSent = true;
      response.writeHead(409).end();
      go();
    });
    scene.server.instead.set("runs", (response, go) => {
      if (!isSent) return go();
      isSent = false;
      response.writeHead(502).end();
    });
    await decide(row);
    await untilReceipt();
    expect([answers().length, scene.server.effects.length, receipts()[0]?.proof]).toEqual([1, 1, "applied"]);
  });

  it.each([429, 408])(
    "that was on its way at a start is found out later where its server says %i",
    async (status) => {
      const row = await oneCard();
      const isAsked = new Promise<void>((asked) => {
        scene.server.instead.set("answer", (_response, go) => {
          go();
          asked();
        });
      });
      scene.server.instead.set("run", () => undefined);
      void decide(row);
      await isAsked;
      await scene.host.kill();
      scene.server.instead.clear();
      scene.server.instead.set("runs", (response) => response.writeHead(status).end());
      await look();
      while (scene.server.heardOf("runs").length < 3) await look();
      expect(pending()).toMatchObject([{ server: { standing: { kind: "unknown" } } }]);
      scene.server.instead.clear();
      while (receipts()[0] === undefined) await look();
      expect([answers().length, receipts()[0]?.proof, pending()]).toEqual([1, "applied", []]);
    },
  );
});

describe("one request is sent, whatever comes back:", () => {
  it.each<[string, string, (response: ServerResponse, go: () => void) => void]>([
    [
      "a run whose id leads elsewhere",
      "lost",
      (response) => response.end(JSON.stringify({ run_id: "../../secrets" })),
    ],
    ["a redirect", "lost", (response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end()],
    [
      "a run that nobody knows while something works there",
      "unknown",
      (response) => {
        scene.server.move("a", { status: "busy" });
        response.end(JSON.stringify({ run_id: "forgotten", status: "pending" }));
      },
    ],
    [
      "a web page after the effect",
      "applied",
      (response, go) => {
        response.setHeader("content-type", "text/html").end("<html>");
        go();
      },
    ],
  ])("%s", async (_what, proof, misbehave) => {
    const row = await oneCard();
    scene.server.instead.set("answer", misbehave);
    await decide(row);
    await untilReceipt();
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, proof]);
    expect(scene.server.heard.some(({ path }) => path.includes(".."))).toBe(false);
  });
});

describe("a round", () => {
  it("sends nothing whose grace lasts", async () => {
    const { id, digest, threadId } = await oneCard();
    const by = { kind: "person" as const };
    const made = { items: [{ id, digest }], decision: { type: "approve" as const }, graceMs: 60_000, by };
    await scene.host.engine.decisions.decide(made);
    // A decision that is delivered is used up before anything is asked.
    for (let round = 0; round < 5; round += 1) await look();
    expect([answers(), scene.host.stores.approvals.unconsumed(threadId).length]).toEqual([[], 1]);
  });

  it.each<[string, string, number, (response: ServerResponse) => void]>([
    ["does not take its key at", "refused", 1, (response) => response.writeHead(401).end()],
    ["is silent at", "silent", 3, (response) => void response.socket?.destroy()],
  ])("of a server that %s its threads is %s after %i of them", async (_what, kind, asked, misbehave) => {
    for (const name of ["a", "b", "c", "d", "e"]) scene.server.ask(name, batchOf("ls"));
    scene.server.instead.set("state", misbehave);
    await scene.enter();
    expect([(await look()).state.kind, scene.server.heardOf("list").length]).toEqual([kind, 3]);
    // Two rounds: those that failed come last in the second.
    expect(scene.server.heardOf("state")).toHaveLength(2 * asked);
  });

  it("makes no card of what somebody's answer is worked on for, and one when that rests and nothing else has changed", async () => {
    scene.server.ask("a", batchOf("ls"));
    scene.server.instead.set("thread", (response) => {
      const { interrupts } = scene.server.threads.get("a")!;
      response.end(
        JSON.stringify({ thread_id: "a", status: "busy", interrupts, metadata: { graph_id: "agent" } }),
      );
    });
    await scene.enter();
    expect(pending()).toEqual([]);
    scene.server.instead.clear();
    await look();
    expect(pending()).toHaveLength(1);
  });

  it("looks again at a thread that could not be read behind an answer, although its row is as before", async () => {
    const row = await oneCard();
    const thread = scene.server.threads.get("a")!;
    thread.interrupts = { "task-a": [{ id: "int-a", value: batchOf("sudo") }] };
    let looks = 0;
    scene.server.instead.set("state", (response, go) => {
      looks += 1;
      if (looks === 2) response.writeHead(500).end();
      else go();
    });
    await decide(row);
    await untilReceipt();
    await look();
    await look();
    expect([receipts()[0]?.proof, pending().map(({ args }) => args)]).toEqual([
      "gone",
      [{ command: "sudo" }],
    ]);
  });
});
