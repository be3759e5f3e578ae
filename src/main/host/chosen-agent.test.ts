/** Another agent or model is chosen for a thread: it holds from the next message on, and never in the middle of a turn. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Agent, agentSchema } from "../../shared/contract/agents.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

const made = (name: string) => existsSync(join(folders.workspace, name));
const unreachable = {
  provider: "openai-compatible" as const,
  model: "none",
  baseUrl: "http://127.0.0.1:9/v1",
};

async function saveAgent(change: Record<string, unknown>): Promise<Agent> {
  const agent = agentSchema.parse({
    id: "reader",
    name: "Reader",
    prompt: "",
    tools: ["read_file"],
    ...change,
  });
  return console.client.call("agents.save", agent);
}

it("goes on with what was sent as it was sent, and takes the next message to what was chosen", async () => {
  const { id: agentId } = await saveAgent({});
  const threadId = await console.start("run touch first");
  await console.onePending(threadId);
  await console.send(threadId, "run touch second");
  await console.client.call("threads.setAgent", { threadId, agentId });
  await console.until(() => console.threads.get(threadId)?.agentId === agentId, "the thread says so");
  // After a start nothing of the agent that asked is in memory.
  await reopen();
  await console.approve(await console.onePending(threadId), 0);
  await console.until(() => made("first"), "the turn that waited went on");
  await console.approve(await console.onePending(threadId), 0);
  await console.untilStatus(threadId, "done");
  expect(made("second")).toBe(true);
  // The agent that was chosen has no commands.
  await console.run(threadId, "run touch third");
  expect([made("third"), console.pending(threadId)]).toEqual([false, []]);
});

it("takes the model that the agent names, and a model chosen in the middle of a turn not before its end", async () => {
  const { id: agentId } = await saveAgent({ id: "far", name: "Far", tools: undefined, model: unreachable });
  const threadId = await console.start("run touch fourth");
  const asked = await console.onePending(threadId);
  const { model } = console.threads.get(threadId)!;
  await console.client.call("threads.setAgent", { threadId, agentId });
  await console.until(
    () => console.threads.get(threadId)?.model.model === "none",
    "it has the agent's model",
  );
  await console.approve(asked, 0);
  await console.untilStatus(threadId, "done");
  expect(made("fourth")).toBe(true);
  expect(await console.run(threadId, "say hello")).toMatchObject({ status: "failed" });
  // A turn that was left unfinished is gone on with the model that was chosen for that.
  await console.client.call("threads.setModel", { threadId, model });
  await console.client.call("threads.resume", { commandId: newCommandId(), threadId });
  await console.untilStatus(threadId, "done");
});

it("refuses an agent that is not there", async () => {
  const threadId = await console.start();
  await expect(
    console.client.call("threads.setAgent", { threadId, agentId: "nobody" as never }),
  ).rejects.toMatchObject({ code: "not-found", field: "agentId" });
});
