/** Real coding agents of others as children, over the real protocol, against a scripted model; `npm run test:agents` runs this. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { missing, program } from "../../sandbox/testing/real-sandbox.ts";
import { nobodyWaits, runsOnce } from "./card-notes.ts";
import { wayToGovern } from "./governing.ts";
import { processesOf, programOf } from "./testing/marked-processes.ts";
import { withNameSpaces } from "./testing/name-spaces.ts";
import { approve, linesOf, reject } from "./testing/outer-scene.ts";
import { type RealAgent, realAgents } from "./testing/real-agent.ts";
import { createScriptedModel, script } from "./testing/scripted-model.ts";

const model = createScriptedModel();
let host: SourceHost;

let codexModel: Awaited<ReturnType<typeof withNameSpaces>>;

beforeAll(async () => {
  await model.start();
  codexModel = await withNameSpaces(() => model.url);
});
afterAll(async () => {
  codexModel.server.close();
  await model.stop();
});

const written = () => linesOf(join(host.workspace, "done.txt"));
const items = (threadId: ThreadId) => host.stores.log.page(threadId, 50).items;

for (const { id, name, missing } of realAgents)
  if (missing !== undefined) console.log(`Skipped ${id}: ${missing}.`);
  else console.log(`${name} is installed.`);

const installed = realAgents.filter(({ missing }) => missing === undefined);

const urlFor = ({ id }: RealAgent) => (id === "codex" ? codexModel.url : model.url);

async function openFor(real: RealAgent, way: typeof wayToGovern, sandbox?: string): Promise<void> {
  host = new SourceHost({
    agentOf: () => real.agent(),
    environment: () => real.environment(join(host.root, "home"), urlFor(real)),
    wayToGovern: way,
    sandbox: async () => sandbox,
  });
  await host.open();
}

afterEach(async () => {
  await host.close();
  host.remove();
});

describe.each(installed)("$name, asking", (real) => {
  beforeEach(() => openFor(real, () => undefined));

  const start = (...steps: Parameters<typeof script>) =>
    host.start("outer", script(...steps), real.agent().id);
  const run = (word: string) => [real.command(`echo ${word} >> done.txt`)];

  it("says what its model says, and stays for the next message", async () => {
    const threadId = start("Good morning");
    await host.untilStatus(threadId, "done");
    expect(JSON.stringify(items(threadId))).toContain("Good morning");
    expect((await processesOf(threadId)).length).toBeGreaterThan(0);
  });

  it("asks before a command, which has its effect once after a yes", async () => {
    const threadId = start(run("once"));
    const card = await host.onePending(threadId);
    expect([written(), card.tool, card.allowed]).toEqual([[], "outer__execute", ["approve", "reject"]]);
    expect(JSON.stringify(card.args)).toContain("echo once");
    await host.decide(card, approve);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual(["once"]);
    expect(host.stores.ledger.ofThread(threadId).map(({ decision }) => decision.type)).toEqual(["approve"]);
  });

  it("does nothing after a no", async () => {
    const threadId = start(run("never"));
    await host.decide(await host.onePending(threadId), reject);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual([]);
  });

  it("leaves no process when it is stopped, neither while it asks nor while it acts", async () => {
    const threadId = start([real.command("echo begun >> done.txt; sleep 600")]);
    const card = await host.onePending(threadId);
    await host.decide(card, approve);
    await expect.poll(written).toEqual(["begun"]);
    await host.engine.actors.stop(threadId, new Error("stopped"));
    expect(await processesOf(threadId)).toEqual([]);
    const asks = start(run("never"));
    await host.onePending(asks);
    await host.engine.actors.stop(asks, new Error("stopped"));
    expect([await processesOf(asks), host.stores.approvals.pendingCount(asks), written()]).toEqual([
      [],
      0,
      ["begun"],
    ]);
  });

  it("is gone after a kill of the host; its card stays, and says that nobody waits", async () => {
    const threadId = start(run("once"));
    const { id } = await host.onePending(threadId);
    await host.kill();
    const card = await host.onePending(threadId);
    expect([card.id, card.description, await processesOf(threadId)]).toEqual([id, nobodyWaits, []]);
    await host.decide(card, reject);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual([]);
  });
});

describe.each(installed.filter(({ ours }) => ours !== undefined))("$name, governed", (real) => {
  beforeEach(() => openFor(real, wayToGovern));

  const start = (...steps: Parameters<typeof script>) =>
    host.start("outer", script(...steps), real.agent().id);
  const run = (command: string) => [{ tool: real.ours!("execute"), args: { command } }];

  it("runs commands and writes files here, each once after a yes, edited too", async () => {
    const file = { file_path: join(host.workspace, "a.txt"), content: "hello" };
    const threadId = start(run("echo once >> done.txt"), [{ tool: real.ours!("write_file"), args: file }]);
    const card = await host.onePending(threadId);
    expect([card.tool, card.args, written()]).toEqual(["execute", { command: "echo once >> done.txt" }, []]);
    await host.decide(card, { type: "edit", args: { command: "echo edited >> done.txt" } });
    await host.until(() => host.stores.approvals.pending(threadId)[0]?.tool === "write_file");
    await host.decide(await host.onePending(threadId), approve);
    await host.untilStatus(threadId, "done");
    expect([written(), readFileSync(file.file_path, "utf8")]).toEqual([["edited"], "hello"]);
    expect(host.stores.ledger.ofThread(threadId).length).toBe(2);
    const shown = items(threadId).filter(({ kind }) => kind === "toolCall");
    expect(shown.map((item) => "tool" in item && item.tool)).toEqual(["execute", "write_file"]);
  });

  it("does nothing after a no, and is told why", async () => {
    const threadId = start(run("echo never >> done.txt"));
    await host.decide(await host.onePending(threadId), { type: "reject", message: "not today" });
    await host.untilStatus(threadId, "done");
    expect([written(), JSON.stringify(model.getLastRequest()?.body)]).toEqual([
      [],
      expect.stringContaining("not today"),
    ]);
  });

  it("cannot run a command by its own tools", async () => {
    const threadId = start([real.command("echo past >> done.txt")], "said");
    await host.until(() => ["done", "failed"].includes(host.stores.threads.get(threadId).status));
    expect([written(), host.stores.approvals.pendingCount(threadId)]).toEqual([[], 0]);
    const thread = host.stores.threads.get(threadId);
    expect([thread.status, host.engine.sources.of(thread).actsItself?.(thread).level]).toEqual([
      "done",
      "governed",
    ]);
  });

  it("is gone after a kill of the host; what was approved meanwhile runs here, once", async () => {
    const threadId = start(run("echo once >> done.txt"));
    const { id, itemId } = await host.onePending(threadId);
    await host.kill();
    const card = await host.onePending(threadId);
    expect([card.id, card.description, await processesOf(threadId)]).toEqual([id, runsOnce, []]);
    await host.decide(card, approve);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual(["once"]);
    expect(host.stores.approvals.unconsumed(threadId)).toEqual([]);
    expect(host.stores.log.item(threadId, itemId)).toBeDefined();
  });

  it("takes its card back when the agent is killed while it waits", async () => {
    const threadId = start(run("echo never >> done.txt"));
    await host.onePending(threadId);
    process.kill(await programOf(threadId), "SIGKILL");
    await host.untilStatus(threadId, "failed");
    expect([host.stores.approvals.pendingCount(threadId), written()]).toEqual([0, []]);
  });
});

const confining = missing === undefined ? installed.filter(({ ours }) => ours !== undefined) : [];

describe.each(confining)("$name, governed and confined", (real) => {
  beforeEach(() => openFor(real, wayToGovern, program));

  it("works with our tools, and goes on with its session in another process", async () => {
    const call = { tool: real.ours!("execute"), args: { command: "echo once >> done.txt" } };
    const threadId = host.start("outer", script([call]), real.agent().id);
    const card = await host.onePending(threadId);
    const thread = host.stores.threads.get(threadId);
    expect(host.engine.sources.of(thread).actsItself?.(thread).level).toBe("confined");
    await host.decide(card, approve);
    await host.untilStatus(threadId, "done");
    expect(written()).toEqual(["once"]);
    process.kill(await programOf(threadId), "SIGKILL");
    await expect.poll(() => processesOf(threadId)).toEqual([]);
    host.send(threadId, script("Good evening"));
    await host.until(() => JSON.stringify(items(threadId)).includes("Good evening"));
    await host.untilStatus(threadId, "done");
    expect(JSON.stringify(items(threadId))).not.toMatch(/begins without knowing|could not be run confined/);
  });
});
