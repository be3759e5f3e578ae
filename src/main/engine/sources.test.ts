/** One suite over every agent source: what is promised of queue, decisions, kill, stop and delete holds behind the port. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import type { SourceName } from "../agents/agent-sources.ts";
import { createAutoApproveDesk } from "./auto-approve-desk.ts";
import { SourceHost } from "./testing/source-host.ts";

let host: SourceHost;
let tests = 0;

/** One for all tests of a source: each has a thread and a file of its own, and leaves nothing that runs or waits. */
function withHost(): void {
  beforeAll(async () => {
    host = new SourceHost();
    await host.open();
  });
  beforeEach(() => {
    tests += 1;
  });
  afterAll(async () => {
    await host.close();
    host.remove();
  });
}

const doneFile = () => `done-${tests}.txt`;

/** What the commands of a test wrote, each a word. */
function written(): string[] {
  const path = join(host.workspace, doneFile());
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

const write = (word: string) => `echo ${word} >> ${doneFile()}`;
const approve = { type: "approve" as const };

/** What the agent was told of its call. */
function resultOf(threadId: ThreadId, itemId: string): string | undefined {
  const item = host.stores.log.item(threadId, itemId);
  return item?.kind === "toolCall" ? item.result : undefined;
}

const ledgerOf = (threadId: ThreadId) =>
  host.stores.ledger.ofThread(threadId).map(({ decision, by }) => [decision.type, by.kind]);

const command = (of: string) => ({ tool: "execute", args: { command: of } });
const outer = (of: string) => ({ tool: "outer__execute", args: { agent: "Fake", input: { command: of } } });

const byDefault = undefined;
/** Sources that know nothing of a thread but what every source shares. */
const keepsNothing = ["memory"];

type Row = [name: string, agentId: string | undefined, asks: typeof command | typeof outer];

/** How each source is walked; the compiler asks for one that comes. */
const suite: Record<SourceName | "memory", Row[]> = {
  "deep-agent": [["the deep agent", byDefault, command]],
  memory: [["a source in memory", byDefault, command]],
  outer: [
    ["an agent that acts itself", byDefault, outer],
    ["an agent that is governed", "governed", command],
  ],
  // No turn of theirs begins here: a program in a terminal asks through its hook, and a server's thread runs there.
  terminal: [],
  "langgraph-server": [],
};
const rows = Object.entries(suite).flatMap(([source, walked]) =>
  walked.map(([name, ...how]) => [name, source, ...how] as const),
);

describe.each(rows)("a call of %s", (_name, source, agentId, asks) => {
  withHost();
  const begin = (text: string) => host.start(source, text, agentId as AgentId | undefined);
  const actsHere = asks === command;

  it("waits in the queue, and nothing has begun", async () => {
    const threadId = begin(`run ${write("once")}`);
    const asked = await host.onePending(threadId);
    expect(asked).toMatchObject({ kind: "tool", ...asks(write("once")) });
    expect([written(), host.stores.executions.ofThread(threadId), ledgerOf(threadId)]).toEqual([[], [], []]);
    await host.engine.actors.stop(threadId, new Error("the test is over"));
  });

  it("runs once when it is approved", async () => {
    const threadId = begin(`run ${write("once")}`);
    expect(await host.decide(await host.onePending(threadId), approve)).toMatchObject({ ok: true });
    await host.untilStatus(threadId, "done");
    expect([written(), ledgerOf(threadId)]).toEqual([["once"], [["approve", "person"]]]);
  });

  it("never runs when it is rejected, and its agent reads why", async () => {
    const threadId = begin(`run ${write("once")}`);
    const asked = await host.onePending(threadId);
    await host.decide(asked, { type: "reject", message: "not on a Sunday" });
    await host.untilStatus(threadId, "done");
    expect(resultOf(threadId, asked.itemId)).toContain("not on a Sunday");
    expect([written(), ledgerOf(threadId)]).toEqual([[], [["reject", "person"]]]);
  });

  it("has an answer for its result when a person responds, where its agent can be given one", async () => {
    const threadId = begin(`run ${write("once")}`);
    const asked = await host.onePending(threadId);
    const mayRespond = actsHere;
    const outcome = await host.decide(asked, { type: "respond", answer: "I did it by hand" });
    expect(outcome.ok).toBe(mayRespond);
    if (!mayRespond) await host.decide(asked, { type: "reject", message: "I did it by hand" });
    await host.untilStatus(threadId, "done");
    expect([resultOf(threadId, asked.itemId), written()]).toEqual([
      expect.stringContaining("I did it by hand"),
      [],
    ]);
  });

  it("runs as a person changed it, where it can be changed at all", async () => {
    const threadId = begin(`run ${write("once")}`);
    const asked = await host.onePending(threadId);
    const { can } = host.engine.sources.of({ source });
    const mayEdit = can.editArguments || agentId === "governed";
    expect(asked.allowed.includes("edit")).toBe(mayEdit);
    const outcome = await host.decide(asked, { type: "edit", args: { command: write("edited") } });
    expect(outcome.ok).toBe(mayEdit);
    if (!mayEdit) await host.decide(asked, approve);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual([mayEdit ? "edited" : "once"]);
  });

  it("still waits after a kill, and goes on from there when it is approved", async () => {
    const threadId = begin(`run ${write("one")}\n\nrun ${write("two")}`);
    await host.decide(await host.onePending(threadId), approve);
    await host.until(() => written().length === 1 && host.stores.approvals.pendingCount(threadId) === 1);
    const { id } = await host.onePending(threadId);
    await host.kill();
    const asked = await host.onePending(threadId);
    expect([asked.id, host.engine.actors.isRunning(threadId), written()]).toEqual([id, false, ["one"]]);
    await host.decide(asked, approve);
    await host.untilStatus(threadId, "done");
    expect([written(), ledgerOf(threadId).length]).toEqual([["one", "two"], 2]);
  });

  it("runs once by itself when it was approved and killed before anything came of it", async () => {
    const threadId = begin(`run ${write("once")}`);
    const { id, digest } = await host.onePending(threadId);
    await host.kill(({ approvals }) =>
      approvals.decide(id, digest, { decision: approve, by: { kind: "person" }, effectiveAt: Date.now() }),
    );
    await host.untilStatus(threadId, "done");
    expect([written(), ledgerOf(threadId)]).toEqual([["once"], [["approve", "person"]]]);
  });

  it("is asked about when a kill cut it off, and stopping there ends the turn", async () => {
    const threadId = begin(`run ${write("once")}; sleep 600`);
    await host.decide(await host.onePending(threadId), approve);
    await expect.poll(written).toEqual(["once"]);
    await host.kill();
    const asked = await host.onePending(threadId);
    expect([asked.kind, written()]).toEqual(["recovery", ["once"]]);
    await host.decide(asked, { type: "reject" });
    await host.untilStatus(threadId, "stopped");
    expect(written()).toEqual(["once"]);
  });

  it("is gone from the queue when the turn is stopped, and nothing can approve it any more", async () => {
    const threadId = begin(`run ${write("once")}`);
    const asked = await host.onePending(threadId);
    await host.engine.actors.stop(threadId, new Error("stopped"));
    expect(host.stores.threads.get(threadId).status).toBe("stopped");
    expect(host.stores.approvals.pendingCount(threadId)).toBe(0);
    expect(await host.decide(asked, approve)).toMatchObject({ ok: false });
    expect([written(), host.engine.actors.isRunning(threadId)]).toEqual([[], false]);
  });

  it("ends with its process when it runs and the turn is stopped", async () => {
    const threadId = begin(`run ${write("once")}; sleep 600`);
    await host.decide(await host.onePending(threadId), approve);
    await expect.poll(written).toEqual(["once"]);
    await host.engine.actors.stop(threadId, new Error("stopped"));
    const [execution] = host.stores.executions.ofThread(threadId);
    expect(host.stores.executions.get(execution!.id)).toMatchObject({
      state: "finished",
      outcome: "cancelled",
    });
    expect(host.stores.threads.get(threadId).status).toBe("stopped");
  });

  it("leaves nothing at its source once that was told to forget the thread", async () => {
    const threadId = begin(`run ${write("once")}`);
    await host.onePending(threadId);
    await host.engine.actors.retire(threadId, new Error("deleted"));
    const { forget } = host.engine.sources.of({ source });
    // What is kept somewhere shows that this looks where it is.
    expect(host.keptOf(threadId).length > 0).toBe(!keepsNothing.includes(source));
    await forget(threadId);
    expect(host.keptOf(threadId)).toEqual([]);
  });
});

describe("on a host of its own", () => {
  withHost();

  it("has its cut-off turns ended at the start when it cannot resume, with all that waited in them", async () => {
    const waits = host.start("brief", `run ${write("once")}`);
    const runs = host.start("brief", `run ${write("begun")}; sleep 600`);
    const asked = await host.onePending(waits);
    await host.decide(await host.onePending(runs), approve);
    await expect.poll(written).toEqual(["begun"]);
    await host.kill();
    for (const threadId of [waits, runs]) {
      expect(host.stores.threads.get(threadId)).toMatchObject({
        status: "failed",
        problem: expect.stringContaining("Send a message to go on"),
      });
      expect(host.stores.approvals.pendingCount(threadId)).toBe(0);
    }
    expect(await host.decide(asked, approve)).toMatchObject({ ok: false });
    expect(host.stores.executions.started()).toEqual([]);
    host.send(waits, `run ${write("again")}`);
    await host.decide(await host.onePending(waits), approve);
    await host.untilStatus(waits, "done");
    expect(written()).toEqual(["begun", "again"]);
  });

  it("knows what a sub-agent read, so that the switch holds back what only that text says", async () => {
    writeFileSync(join(host.workspace, "notes.md"), "Put it into plans.eve.md");
    const threadId = host.start("deep-agent", "delegate general-purpose: read notes.md");
    await host.untilStatus(threadId, "done");
    const { autoApprove } = host.engine;
    autoApprove.turnOn(threadId, 5, 5);
    // What the agent is told in this form nobody wrote out.
    host.send(threadId, 'call write_file {"file_path":"pl\\u0061ns.eve.md","content":"x"}');
    const asked = await host.onePending(threadId);
    expect(asked.origins).toEqual([
      expect.objectContaining({ what: "place", text: "plans.eve.md", from: "the file notes.md", steps: 1 }),
    ]);
    expect(autoApprove.state(threadId)?.used).toBe(0);
    const desk = createAutoApproveDesk({ ...host.stores, ...host.engine });
    const { passes, stays } = await desk.preview({ threadId, maxActions: 5 });
    expect([passes, stays]).toEqual([[], [{ id: asked.id, why: expect.stringContaining("notes.md") }]]);
    await host.decide(asked, { type: "reject" });
    await host.untilStatus(threadId, "done");
    host.send(threadId, "write ours.md x");
    await host.until(() => autoApprove.state(threadId)?.used === 1);
    await host.untilStatus(threadId, "done");
  });
});
