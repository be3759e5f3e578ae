/** Turns on servers whose settings change, that are stopped, or whose requests something between repeats. */
import { beforeEach, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, oneCard, decide, receipts, untilReceipt, answers } = scene;
beforeEach(() => {
  // What a test waits for may be what the server hears.
  scene.server.onHeard = () => scene.host.changes.tell({ kind: "host" });
});

const begun = () => scene.server.heardOf("begin");
const stop = (id: ThreadId) => scene.host.engine.actors.stop(id, new StoppedByPerson("stop"));
const threadOf = (id: ThreadId) => scene.host.stores.threads.get(id);
const notices = (id: ThreadId) =>
  scene.host.stores.log.page(id, 100).items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));
const runOf = (id: ThreadId) =>
  scene.host.stores.database.prepare("SELECT run FROM server_threads WHERE thread_id = ?").pluck().get(id);
const untilAsked = (route: "list" | "thread") => {
  const count = scene.server.heardOf(route).length;
  return scene.host.until(() => scene.server.heardOf(route).length > count + 2);
};

function send(text = "build"): ThreadId {
  const id = scene.host.serverDesk.createThread("one", "assistant-1", text);
  scene.host.send(id, text);
  return id;
}
async function start(): Promise<{ id: ThreadId; name: string }> {
  const id = send();
  await scene.host.until(() => typeof runOf(id) === "string");
  return { id, name: [...scene.server.threads.keys()].at(-1)! };
}
const refuse = (status: number) =>
  scene.server.instead.set("begin", (response, go) => {
    scene.server.instead.delete("begin");
    response.writeHead(status, { "content-type": "application/json" }).end('{"detail":"already running"}');
    go();
  });

it.each([409, 422, 408, 400, 429])(
  "a message that something between sent twice is known for ours although %i was heard, and goes out once",
  async (status) => {
    await enter();
    refuse(status);
    const { id, name } = await start();
    scene.server.finish(name);
    await scene.host.untilStatus(id, "done");
    expect(begun()).toHaveLength(1);
  },
);

it("a refused message of which nobody tells whether it runs is not sent again", async () => {
  await enter();
  scene.server.instead.set("runs", (response) => void response.writeHead(500).end());
  refuse(409);
  const id = send();
  await scene.host.untilStatus(id, "failed");
  expect([begun().length, threadOf(id).problem]).toEqual([
    1,
    expect.stringContaining("Nobody knows whether the message arrived"),
  ]);
});

it("an answer that something between sent twice is no unsent one, whatever its second sending met", async () => {
  const row = await oneCard();
  scene.server.instead.set("answer", (response, go) => {
    response.writeHead(422, { "content-type": "application/json" }).end("{}");
    go();
  });
  await decide(row);
  await untilReceipt();
  expect([receipts()[0]?.proof, answers().length, scene.pending()]).toEqual(["applied", 1, []]);
});

it("a turn goes on when the settings of its server change, and its message is not sent again", async () => {
  await enter();
  const { id, name } = await start();
  await enter({ name: "Renamed" });
  await untilAsked("list");
  expect(threadOf(id).status).toBe("running");
  scene.server.finish(name);
  await scene.host.untilStatus(id, "done");
  expect(begun()).toHaveLength(1);
});

it("a turn whose request was out when the settings changed is looked for by its mark", async () => {
  await enter();
  scene.server.instead.set("begin", (response, go) => {
    void enter({ name: "Renamed" });
    scene.server.instead.delete("begin");
    setImmediate(() => {
      go();
      response.destroy();
    });
  });
  const { id, name } = await start();
  scene.server.finish(name);
  await scene.host.untilStatus(id, "done");
  expect(begun()).toHaveLength(1);
});

it("a turn ends with the reason when its server is removed", async () => {
  await enter();
  const { id } = await start();
  await scene.host.serverDesk.remove("one");
  await scene.host.untilStatus(id, "failed");
  expect(threadOf(id).problem).toContain("removed here");
});

it("Stop ends the run of a message that it overtook, and says so where nobody knows of one", async () => {
  await enter();
  scene.server.instead.set("begin", (_response, go) => {
    // It takes the message up after it was asked for its runs.
    scene.server.instead.set("runs", (response) => {
      scene.server.instead.delete("runs");
      response.end("[]");
      go();
    });
    void stop(scene.host.stores.threads.list()[0]!.id);
  });
  const id = send();
  await scene.host.until(() => notices(id).length > 0);
  expect([notices(id)[0], scene.server.heardOf("cancel").length]).toEqual([
    expect.stringContaining("was told to end it"),
    1,
  ]);
  scene.server.instead.set("begin", () => void stop(lost));
  const lost = send("other");
  await scene.host.until(() => notices(lost).length > 0);
  expect(notices(lost)[0]).toContain("Nobody knows whether the message arrived");
});

it("Stop ends nothing that another console began there", async () => {
  await enter();
  const { id, name } = await start();
  const other = { run_id: "theirs", status: "running", created_at: "", metadata: { countersign: "turn-x" } };
  scene.server.move(name, { runs: [...scene.server.threads.get(name)!.runs, other] });
  await stop(id);
  await scene.host.until(() => notices(id).length > 0);
  expect(scene.server.heardOf("cancel").map(({ path }) => path.includes("theirs"))).toEqual([false]);
});

it("Stop in the moment in which a turn goes on ends its run there, too", async () => {
  await enter();
  const { id } = await start();
  const cancels = () => scene.server.heardOf("cancel").length;
  await stop(id);
  await scene.host.until(() => cancels() === 1);
  scene.host.engine.actors.resume(id);
  await scene.host.until(() => threadOf(id).status === "running");
  await stop(id);
  await scene.host.until(() => cancels() === 2);
});
