/** Messages to threads of remote servers over real HTTP, with a real engine and stores; the server replays shapes of a real one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";

let host: SourceHost;
let server: ScriptedServer;
const approve = { type: "approve" } as const;
const ai = (id: string, content: unknown, more: object = {}) => ({ id, type: "ai", content, ...more });

beforeEach(async () => {
  host = new SourceHost();
  server = new ScriptedServer();
  await Promise.all([host.open(), server.start()]);
  // What a test waits for may be what the server hears.
  server.onHeard = () => host.changes.tell({ kind: "host" });
  await host.serverDesk.save({ id: "one", name: "Farm", url: server.url, auth: "none" }, undefined);
});
afterEach(async () => {
  await host.close();
  await server.stop();
  host.remove();
});

const begun = () => server.heardOf("begin");
const statusOf = (threadId: ThreadId) => host.stores.threads.get(threadId).status;
const problemOf = (threadId: ThreadId) => host.stores.threads.get(threadId).problem;
const pending = () => host.stores.approvals.pending();
/** What its transcript shows, in short. */
const shown = (threadId: ThreadId) =>
  host.stores.log.page(threadId, 1_000).items.flatMap((item) => {
    if (item.kind === "userMessage") return `I: ${item.text}`;
    if (item.kind === "agentMessage") return `it: ${item.text}`;
    if (item.kind === "toolCall") return `${item.tool}(${JSON.stringify(item.args)}) ${item.result}`;
    return item.kind === "notice" ? `note: ${item.text}` : [];
  });

/** A thread that begins there with these words. @returns its id here and there, when its message arrived */
async function start(text: string): Promise<{ id: ThreadId; name: string }> {
  const id = host.serverDesk.createThread("one", "assistant-1", text);
  const count = begun().length;
  host.send(id, text);
  await host.until(() => begun().length > count && runOf(id) !== undefined);
  return { id, name: [...server.threads.keys()].at(-1)! };
}
const runOf = (threadId: ThreadId) =>
  host.stores.database.prepare("SELECT run FROM server_threads WHERE thread_id = ?").pluck().get(threadId) ??
  undefined;
const untilRead = async (route: "state" | "list" = "state") => {
  const count = server.heardOf(route).length;
  await host.until(() => server.heardOf(route).length > count + 1);
};

/** A thread of others that waits there, with its card here. */
async function waitingThread(): Promise<ThreadId> {
  server.ask("a", batchOf("rm -rf build"));
  await host.serverDesk.lookNow("one");
  return pending()[0]!.threadId;
}

describe("a message", () => {
  it("begins a thread there once, as the person's words with our mark, and what comes of it is shown once", async () => {
    const { id, name } = await start("tidy up");
    const turn = host.stores.threads.currentTurn(id)!;
    expect(begun().map(({ body }) => body)).toEqual([
      {
        assistant_id: "assistant-1",
        input: { messages: [{ type: "human", content: "tidy up", id: turn.messageId }] },
        stream_mode: ["messages-tuple"],
        stream_resumable: true,
        multitask_strategy: "reject",
        metadata: { countersign: turn.id },
      },
    ]);
    const call = { id: "c1", name: "ls", args: { path: "/" } };
    const more = [
      ai("m1", [{ type: "text", text: "I look." }], { tool_calls: [call] }),
      { id: "m2", type: "tool", content: "a.txt", tool_call_id: "c1", name: "ls" },
      { id: "m3", type: "human", content: "from elsewhere" },
    ];
    server.move(name, { messages: [...server.threads.get(name)!.messages!, ...more] });
    await untilRead();
    const messages = [...server.threads.get(name)!.messages!, ai("m4", "Done.")];
    server.finish(name, { messages });
    await host.untilStatus(id, "done");
    expect(shown(id)).toEqual([
      "I: tidy up",
      "it: I look.",
      'ls({"path":"/"}) a.txt',
      "it: *Written on Farm, not here:*\n\nfrom elsewhere",
      "it: Done.",
    ]);
  });

  it("stays here while a question waits there, and goes out when that is answered", async () => {
    const id = await waitingThread();
    host.send(id, "and then test it");
    expect(begun()).toEqual([]);
    await host.decide(pending()[0]!, approve);
    await host.until(() => begun().length === 1);
    server.finish("a");
    await host.untilStatus(id, "done");
    expect([server.effects.length, begun().length]).toEqual([1, 1]);
  });

  it("goes out when the work that an answer began is over", async () => {
    const id = await waitingThread();
    server.instead.set("answer", (_response, go) => {
      go();
      server.move("a", { status: "busy" });
    });
    await host.decide(pending()[0]!, approve);
    await host.until(() => statusOf(id) === "done");
    host.send(id, "next");
    await untilRead();
    expect(begun()).toEqual([]);
    server.move("a", { status: "idle" });
    await host.until(() => begun().length === 1);
    server.finish("a");
    await host.untilStatus(id, "done");
  });

  it("stays here while something works there, also when that began a moment before", async () => {
    const id = await waitingThread();
    server.instead.set("begin", (_response, go) => {
      server.instead.delete("begin");
      server.move("a", { status: "busy" });
      go();
    });
    server.move("a", { status: "idle", interrupts: {} });
    await host.serverDesk.lookNow("one");
    host.send(id, "next");
    await host.until(() => begun().length === 1);
    await untilRead();
    expect([begun().length, statusOf(id)]).toEqual([1, "running"]);
    server.move("a", { status: "idle" });
    await host.until(() => begun().length === 2);
    server.finish("a");
    await host.untilStatus(id, "done");
  });

  it("whose run asks waits in the queue, and its turn goes on with the answer", async () => {
    const { id, name } = await start("build");
    server.finish(name, {
      status: "interrupted",
      interrupts: { task: [{ id: "int-1", value: batchOf("make") }] },
    });
    const row = await host.onePending(id);
    await host.until(() => statusOf(id) === "waiting");
    await host.decide(row, approve);
    await host.untilStatus(id, "done");
    expect([server.effects.length, begun().length]).toEqual([1, 1]);
  });

  it("is found by its mark when the line broke behind it, and is not sent a second time", async () => {
    server.instead.set("begin", (response, go) => {
      response.destroy();
      go();
    });
    const { id, name } = await start("build");
    server.finish(name);
    await host.untilStatus(id, "done");
    expect(begun()).toHaveLength(1);
  });

  it("is found by its mark behind a hundred older runs, too", async () => {
    const id = await waitingThread();
    const older = { status: "success", created_at: "", metadata: {} };
    const runs = Array.from({ length: 150 }, (_, index) => ({ run_id: `old-${index}`, ...older }));
    server.move("a", { status: "idle", interrupts: {}, runs });
    await host.serverDesk.lookNow("one");
    server.instead.set("begin", (response, go) => {
      response.destroy();
      go();
      server.finish("a");
    });
    host.send(id, "build");
    await host.untilStatus(id, "done");
    expect(begun()).toHaveLength(1);
  });

  it("that nobody knows of there is not sent again, and its thread says so", async () => {
    server.instead.set("begin", (response) => void response.destroy());
    const id = host.serverDesk.createThread("one", "assistant-1", "t");
    host.send(id, "build");
    await host.untilStatus(id, "failed");
    host.engine.actors.resume(id);
    await host.untilStatus(id, "failed");
    expect(begun()).toHaveLength(1);
    expect(problemOf(id)).toContain("Nobody knows whether the message arrived");
  });

  it("is offered three times to a server that refuses it, and fails with its reason", async () => {
    server.instead.set("begin", (response) => {
      response.writeHead(422, { "content-type": "application/json" }).end('{"detail":"no such assistant"}');
    });
    const id = host.serverDesk.createThread("one", "assistant-1", "t");
    host.send(id, "build");
    await host.untilStatus(id, "failed");
    expect([begun().length, problemOf(id)]).toEqual([3, expect.stringContaining("no such assistant")]);
  });

  it("goes to no thread that was deleted there, and takes no files along", async () => {
    const id = await waitingThread();
    server.move("a", { status: "idle", interrupts: {} });
    await host.serverDesk.lookNow("one");
    server.threads.delete("a");
    host.send(id, "hello");
    await host.untilStatus(id, "failed");
    expect(problemOf(id)).toContain("was deleted on Farm");
    host.send(id, "look", [{ kind: "file", path: "a.txt" }]);
    await host.until(() => problemOf(id)?.startsWith("Files cannot") === true);
    expect(begun()).toEqual([]);
  });
});

describe("a turn on a server", () => {
  it("is ended there by Stop, which is said, and the cards that wait there stay", async () => {
    const { id, name } = await start("build");
    const run = runOf(id);
    await host.engine.actors.stop(id, new StoppedByPerson("stop"));
    await host.until(() => shown(id).some((line) => line.includes("was told to end it")));
    expect(server.heardOf("cancel").map(({ path }) => path)).toEqual([
      `/threads/${name}/runs/${run}/cancel?action=interrupt`,
    ]);
    const waiting = await waitingThread();
    host.send(waiting, "queued");
    await host.engine.actors.stop(waiting, new StoppedByPerson("stop"));
    expect([pending().length, server.heardOf("cancel").length]).toEqual([1, 1]);
  });

  it("keeps its card when Stop ends it while that waits", async () => {
    const { id, name } = await start("build");
    server.finish(name, {
      status: "interrupted",
      interrupts: { task: [{ id: "int-1", value: batchOf("make") }] },
    });
    const row = await host.onePending(id);
    await host.until(() => statusOf(id) === "waiting");
    await host.engine.actors.stop(id, new StoppedByPerson("stop"));
    expect(pending().map(({ id: one }) => one)).toEqual([row.id]);
    await host.decide(row, approve);
    await host.until(() => server.effects.length === 1);
  });

  it("goes on there over the end of this host, and is picked up after the next start", async () => {
    const { id, name } = await start("build");
    const messages = [...server.threads.get(name)!.messages!, ai("m1", "Built.")];
    await host.kill(() => server.finish(name, { messages }));
    await host.untilStatus(id, "done");
    expect(shown(id).at(-1)).toBe("it: Built.");
    expect([begun().length, server.heardOf("cancel").length]).toEqual([1, 0]);
  });

  it("fails with the server's reason, and while the server is silent it waits", async () => {
    const { id, name } = await start("build");
    server.instead.set("list", (response) => void response.writeHead(503).end());
    await untilRead("list");
    expect(statusOf(id)).toBe("running");
    server.instead.delete("list");
    server.finish(name, { status: "error", interrupts: { task: [] }, error: "out of memory" }, "error");
    await host.untilStatus(id, "failed");
    expect(problemOf(id)).toContain("out of memory");
  });

  it("keeps so much of what is told there, and says that there is more", async () => {
    const { id, name } = await start("build");
    const deep = JSON.parse(`${'{"a":'.repeat(120)}1${"}".repeat(120)}`);
    const many = Array.from({ length: 100 }, (_, index) => ai(`m${index}`, "x".repeat(40_000)));
    const odd = [7, null, { type: "ai", content: 5 }, { type: "ai", id: "../x", content: "here" }];
    const call = ai("c", "", { tool_calls: [{ id: "c1", name: "n", args: deep }] });
    const result = { type: "tool", tool_call_id: "c1", content: "r" };
    server.finish(name, { messages: [call, result, ...odd, ...many] });
    await host.untilStatus(id, "done");
    const events = host.stores.log.after(id, 0, 1_000);
    const kept = events.map(({ data }) => JSON.stringify(data)).join("\n");
    for (const part of ['"tool":"n","args":{}', '"text":"here"', "tells more than is shown here"])
      expect(kept).toContain(part);
    expect(kept.length).toBeLessThan(2_200_000);
  });
});
