/** Real coding agents of others as children, over the real protocol, against a scripted model; `npm run test:agents` runs this. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { processesOf } from "./testing/marked-processes.ts";
import { realAgents } from "./testing/real-agent.ts";
import { createScriptedModel, script } from "./testing/scripted-model.ts";
import { nobodyWaits } from "./unheard.ts";

const model = createScriptedModel();
let host: SourceHost;

beforeAll(() => model.start());
afterAll(() => model.stop());

const approve = { type: "approve" as const };
const reject = { type: "reject" as const };

const written = () => {
  const path = join(host.workspace, "done.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};
const items = (threadId: ThreadId) => host.stores.log.page(threadId, 50).items;

for (const { id, name, missing } of realAgents)
  if (missing !== undefined) console.log(`Skipped ${id}: ${missing}.`);
  else console.log(`${name} is installed.`);

describe.each(realAgents.filter(({ missing }) => missing === undefined))("$name, asking", (real) => {
  beforeEach(async () => {
    host = new SourceHost({
      agentOf: () => real.agent(),
      environment: () => real.environment(join(host.root, "home"), model.url),
    });
    await host.open();
  });

  afterEach(async () => {
    await host.close();
    host.remove();
  });

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
