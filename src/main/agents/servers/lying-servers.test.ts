/** Servers whose words do not fit together, or change between the card and its answer, over real HTTP: what was seen is what is answered, and no receipt says more than is known. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { batchOf, type Route, type ScriptedThread } from "./testing/scripted-server.ts";
import { createServerScene, key } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, pending, receipts, look, decide, answers, untilReceipt, oneCard, isWaiting } = scene;

function json(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
const runsOf = (count: number, name = "earlier") =>
  Array.from({ length: count }, (_, at) => ({
    run_id: `${name}-${at}`,
    status: "success",
    created_at: "2020",
    metadata: {},
  }));
const thread = () => scene.server.threads.get("a")!;
const change = (interrupts: ScriptedThread["interrupts"]) => scene.server.move("a", { interrupts });
const ends = () => [answers().length, receipts()[0]?.proof];

describe("nothing is sent where", () => {
  const batch = batchOf("rm -rf build") as { reviewConfigs: object[] };
  const onlyNo = { ...batch, reviewConfigs: [{ actionName: "execute_it", allowedDecisions: ["reject"] }] };
  it.each<[string, () => void]>([
    ["the thread failed and lists its question still", () => scene.server.move("a", { status: "error" })],
    [
      "the batch has grown",
      () => change({ "task-a": [{ id: "int-a", value: batchOf("rm -rf build", "sudo") }] }),
    ],
    ["another task asks the same", () => change({ "task-z": [{ id: "int-a", value: batch }] })],
    ["less may be said to it", () => change({ "task-a": [{ id: "int-a", value: onlyNo }] })],
    [
      "it takes another answer",
      () => change({ "task-a": [{ id: "int-a", value: batch, response_schema: {} }] }),
    ],
    [
      "its state lists no task of it",
      () =>
        scene.server.instead.set("state", (response) =>
          json(response, { tasks: [], checkpoint: { checkpoint_id: thread().checkpoint } }),
        ),
    ],
  ])("%s", async (_what, happen) => {
    const row = await oneCard(batch);
    happen();
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([0, "gone"]);
  });

  it.each<Route>(["thread", "state"])("half of the %s is told", async (route) => {
    const row = await oneCard();
    scene.server.instead.set(route, (response) => response.end('{"thread_id":'));
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([0, "unsent"]);
  });

  it("another thread is told", async () => {
    const row = await oneCard();
    const { status, interrupts, assistant } = thread();
    scene.server.instead.set("thread", (response) =>
      json(response, { thread_id: "b", status, interrupts, metadata: { assistant_id: assistant } }),
    );
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([0, "unsent"]);
  });
});

describe("an answer is not called applied where", () => {
  /** Two questions side by side, so that no state proves anything while the other waits. */
  async function oneOfTwo(runs: ScriptedThread["runs"] = []) {
    const asking = scene.server.ask("a", "left?");
    asking.interrupts["task-right"] = [{ id: "int-right", value: "right?" }];
    asking.runs = runs;
    await enter();
    return pending().find(({ value }) => value === "left?")!;
  }

  it("another's run stands behind a whole page of earlier ones", async () => {
    const row = await oneOfTwo(runsOf(150));
    scene.server.instead.set("answer", (_response, go) => {
      delete thread().interrupts["task-a"];
      thread().runs.push(...runsOf(1, "theirs"));
      go();
    });
    await decide(row, { type: "respond", answer: "one" });
    await untilReceipt();
    expect([receipts()[0]?.proof, scene.server.effects]).toEqual(["taken", []]);
  });

  it.each([
    ["its own run is in no list", () => scene.server.instead.set("runs", (response) => json(response, []))],
    ["its server tells no checkpoints", () => scene.server.move("a", { checkpoint: null })],
  ])("%s", async (_what, happen) => {
    await oneOfTwo();
    happen();
    await look();
    const row = pending().find(({ value }) => value === "left?")!;
    await decide(row, { type: "respond", answer: "one" });
    await untilReceipt();
    expect(ends()).toEqual([1, "taken"]);
  });

  it("the state was changed by no run", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (_response, go) => {
      scene.server.move("a", { interrupts: {}, checkpoint: "by-hand", status: "idle" });
      go();
    });
    await decide(row);
    await untilReceipt();
    expect([receipts()[0]?.proof, scene.server.effects]).toEqual(["taken", []]);
  });

  it("the server names another's run as the one that it began", async () => {
    const row = await oneCard();
    scene.server.instead.set("answer", (response) => {
      const [theirs] = runsOf(1, "theirs");
      const marked = { ...theirs!, metadata: { countersign: "of another" } };
      thread().runs.push(marked);
      const parent = { checkpoint_id: thread().checkpoint! };
      thread().history.unshift({ parent_checkpoint: parent, metadata: { run_id: marked.run_id } });
      scene.server.move("a", { status: "idle", interrupts: {}, checkpoint: "later" });
      json(response, marked);
    });
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([1, "unknown"]);
  });

  it("its history names nobody", async () => {
    const row = await oneCard();
    const parent = { checkpoint_id: thread().checkpoint };
    scene.server.instead.set("history", (response) => json(response, [{ parent_checkpoint: parent }]));
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([1, "taken"]);
  });

  it("the line broke and its thread has more runs than are read, and it is not taken for lost", async () => {
    const row = await oneCard();
    thread().runs = runsOf(1_200);
    scene.server.instead.set("answer", (response) => void response.socket?.destroy());
    await decide(row);
    await untilReceipt();
    expect(ends()).toEqual([1, "unknown"]);
  });
});

describe("a card", () => {
  it("of more actions than can be decided takes no no where one of them takes none, and none of its schema's key", async () => {
    const value = batchOf(...Array.from({ length: 51 }, String)) as {
      reviewConfigs: { allowedDecisions: string[] }[];
    };
    value.reviewConfigs[50]!.allowedDecisions = ["approve"];
    scene.server.ask("many", value);
    scene.server.ask("shown", "which?").interrupts["task-shown"]![0]!.response_schema = { title: key };
    await enter();
    expect(pending().map(({ allowed, server }) => [allowed, server?.limit !== undefined])).toEqual([
      [[], true],
      [[], true],
    ]);
  });

  it("that reads in two dialects shows all of it, and is answered in neither", async () => {
    const hidden = {
      action_requests: [{ name: "execute_it", args: { command: "rm -rf /" } }],
      review_configs: [{ action_name: "execute_it", allowed_decisions: ["approve"] }],
    };
    const row = await oneCard({ ...(batchOf("ls") as object), ...hidden });
    expect([row.server?.dialect, row.allowed]).toEqual(["free", ["respond"]]);
    expect(JSON.stringify(row.subject)).toContain("rm -rf /");
  });

  it("that is put back while its server is silent says so, and waits again when it is heard", async () => {
    const row = await oneCard();
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<ServerResponse>();
    scene.server.instead.set("thread", hold);
    void decide(row);
    const held = await isHeld;
    scene.server.instead.set("list", (response) => void response.socket?.destroy());
    expect((await look()).state.kind).toBe("silent");
    held.socket?.destroy();
    await scene.host.until(() => pending()[0]?.server?.standing.kind === "unseen");
    expect(receipts()[0]?.proof).toBe("unsent");
    scene.server.instead.clear();
    await look();
    expect(isWaiting()).toBe(true);
  });

  it("whose sibling is decided leaves the queue when the batch changes, and all of the new one is asked", async () => {
    const row = await oneCard(batchOf("one", "two"));
    await decide(row);
    change({ "task-a": [{ id: "int-a", value: batchOf("one", "two", "three") }] });
    await look();
    expect(pending().map(({ args }) => args.command)).toEqual(["one", "two", "three"]);
    for (const one of pending()) await decide(one);
    await untilReceipt();
    expect(scene.server.effects).toEqual([{ decisions: Array(3).fill({ type: "approve" }) }]);
  });

  it("is that of its thread whatever the server's clock says, and is one however often the thread is listed", async () => {
    scene.server.ask("a", batchOf("ls"));
    const listAt = (...years: number[]) =>
      scene.server.instead.set("list", (response) =>
        json(
          response,
          years.map((year) => ({ thread_id: "a", status: "interrupted", updated_at: `${year}-01-01` })),
        ),
      );
    listAt(2126);
    await enter();
    change({ "task-a": [{ id: "int-a", value: batchOf("ls -l") }] });
    listAt(1926, 2126, 1926);
    await look();
    expect(pending().map(({ args }) => args.command)).toEqual(["ls -l"]);
  });

  it("is answered by its own id among hundreds, and by one that is made of signs", async () => {
    const signs = "'\"\\\n".repeat(100);
    const asking = scene.server.ask("a", "q0", signs);
    for (let at = 1; at < 300; at += 1)
      asking.interrupts[`task-${at}`] = [{ id: `int-${at}`, value: `q${at}` }];
    await enter();
    expect(pending()).toHaveLength(200);
    for (const value of ["q0", "q7"])
      await decide(pending().find((one) => one.value === value)!, { type: "respond", answer: value });
    await scene.host.until(() => receipts().filter(Boolean).length === 2);
    expect(answers().map(({ body }) => (body as { command: object }).command)).toEqual([
      { resume: { [signs]: "q0" } },
      { resume: { "int-7": "q7" } },
    ]);
  });
});
