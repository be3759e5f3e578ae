/** What waits on remote servers, also after a start, over real HTTP, with a real engine and stores; the server replays shapes of a real one. */
import { describe, expect, it } from "vitest";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, pending, receipts, look, decide, answers, untilReceipt, isWaiting, oneCard } = scene;
const approve = { type: "approve" } as const;

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
    expect(scene.host.stores.threads.get(row.threadId).title).toBe("Build farm: please a");
    await other.stop();
  });

  it("leaves the queue when it is answered, changed, deleted or failed there, and says why", async () => {
    for (const name of ["answered", "changed", "failed", "gone"]) scene.server.ask(name, batchOf("ls"));
    await enter();
    scene.server.move("answered", { status: "idle", interrupts: {} });
    scene.server.move("changed", { interrupts: { task: [{ id: "int-changed", value: batchOf("ls -l") }] } });
    scene.server.move("failed", {
      status: "error",
      interrupts: { task: [] },
      error: "Number of human decisions (1)",
    });
    scene.server.threads.delete("gone");
    await look();
    expect(pending().map(({ args }) => args)).toEqual([{ command: "ls -l" }]);
    const failed = scene.host.stores.threads.list().find(({ title }) => title.endsWith("please failed"));
    expect([failed?.status, failed?.problem]).toEqual(["failed", expect.stringContaining("Number of human")]);
  });
});

describe("after a start", () => {
  it("what waits says that it was not looked at yet, and waits again after a look", async () => {
    await oneCard();
    await scene.host.kill();
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
        scene.server.instead.set("answer", (_response, go) => {
          if (arrives) go();
          asked();
        });
      });
      // The answer of the server never reaches this console.
      scene.server.instead.set("run", () => undefined);
      void decide(row);
      await isAsked;
      await scene.host.kill();
      scene.server.instead.clear();
      expect(pending()).toMatchObject([{ allowed: ["reject"], server: { standing: { kind: "unknown" } } }]);
      await look();
      await untilReceipt();
      expect([answers().length, receipts()[0]?.proof]).toEqual([1, proof]);
      await scene.host.until(() => (arrives ? pending().length === 0 : isWaiting()));
    },
  );

  it("a question whose lost answer was put away meanwhile is asked again with all that may be said to it", async () => {
    const row = await oneCard();
    const isAsked = new Promise<void>((asked) => scene.server.instead.set("answer", () => asked()));
    void decide(row);
    await isAsked;
    await scene.host.kill();
    await decide(pending()[0]!, { type: "reject" });
    await scene.host.until(() => pending().length === 0);
    while (!isWaiting()) await look();
    expect([receipts().find(Boolean)?.proof, pending()[0]?.allowed]).toEqual(["lost", row.allowed]);
  });

  it("an answer that was on its way in a thread that was deleted there has an end", async () => {
    const row = await oneCard();
    const isAsked = new Promise<void>((asked) => scene.server.instead.set("answer", () => asked()));
    void decide(row);
    await isAsked;
    await scene.host.kill();
    scene.server.threads.clear();
    while (scene.host.stores.executions.started().length > 0) await look();
    expect([answers().length, receipts()[0]?.proof]).toEqual([1, "unknown"]);
  });

  it("an answer that was decided and not begun is sent after a look", async () => {
    const row = await oneCard();
    await scene.host.kill((stores) => {
      const made = { decision: approve, by: { kind: "person" as const }, effectiveAt: 0 };
      stores.approvals.decide(row.id, row.digest, made);
    });
    await look();
    await untilReceipt();
    expect([scene.server.effects.length, receipts()[0]?.proof]).toEqual([1, "applied"]);
  });
});
