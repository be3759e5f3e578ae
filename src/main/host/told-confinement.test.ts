/** A model is told what confined commands cannot do, from its first message on, and only where they are confined. */
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { newCommandId } from "../base/command-id.ts";
import type { Found } from "../sandbox/find-sandbox.ts";
import type { Probe } from "../sandbox/probe.ts";
import type { SandboxMode } from "../sandbox/sandbox.ts";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const look = JSON.stringify({ command: "ls" });
beforeAll(async () => {
  await mock.start();
  mock.on({ userMessage: "hello" }, { content: "Hello." });
  mock.on(
    { userMessage: "look", hasToolResult: false },
    { toolCalls: [{ name: "execute", arguments: look }] },
  );
  mock.on({ userMessage: "look", hasToolResult: true }, { content: "I looked." });
});
afterAll(() => mock.stop());

/** A thread where the sandbox is switched so, and what is found turns out to be like that when the first command asks. */
async function openThread(mode: SandboxMode, found: Found, probed: Probe) {
  const folders = await makeFolders();
  const parts = { find: () => found, probe: async () => probed };
  const { console, close } = await openHost(folders, { sandbox: { mode, parts } });
  onTestFinished(async () => {
    await close();
    await removeFolders(folders);
  });
  await console.client.call("models.setKey", { provider: "openai", key: "sk-test" });
  const { id } = await console.client.call("threads.create", {
    commandId: newCommandId(),
    workspace: folders.workspace,
    model: { provider: "openai", model: "gpt-test", baseUrl: `${mock.url}/v1` },
  });
  return { console, id };
}

const program: Found = { program: process.execPath };
const holds: Probe = { usable: true, program: process.execPath, tries: 1 };
const lies: Probe = { usable: false, why: "a try got through" };
const limits = ["Commands run confined", "in the workspace alone", "no network, no credentials"];

/** Which of the limits stand in what the model was sent last. */
const told = () => limits.filter((limit) => JSON.stringify(mock.getRequests().at(-1)?.body).includes(limit));

it.each<[string, SandboxMode, Found, Probe, string[]]>([
  ["are confined", "auto", program, holds, limits],
  ["are not, since the person switched it off", "off", program, holds, []],
  ["are not, since there is nothing to confine them with", "auto", { why: "it is not installed" }, lies, []],
])("where commands %s", async (_what, mode, found, probed, expected) => {
  const { console, id } = await openThread(mode, found, probed);
  await console.run(id, "hello");
  expect(told()).toEqual(expected);
});

it("what did not hold is told of no more", async () => {
  const { console, id } = await openThread("auto", program, lies);
  await console.run(id, "look");
  await console.run(id, "hello");
  expect(told()).toEqual([]);
});
