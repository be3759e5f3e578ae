/** A thread on a real provider's client, over HTTP: the model shown is the model called, and each failure can be retried. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { holdsText } from "../storage/testing/holds-text.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const key = "sk-test-key-that-must-not-leak";
const mock = new LLMock({ port: 0, host: "127.0.0.1" });

beforeAll(() => mock.start());
afterEach(() => mock.reset());
afterAll(() => mock.stop());

withHost("file");

beforeAll(async () => {
  for (const provider of ["anthropic", "openai"] as const)
    await console.client.call("models.setKey", { provider, key });
});

async function startOn(model: ModelRef, text: string): Promise<ThreadId> {
  const { client } = console;
  const { id } = await client.call("threads.create", {
    commandId: newCommandId(),
    workspace: folders.workspace,
    model,
  });
  await client.call("threads.send", { commandId: newCommandId(), threadId: id, text });
  return id;
}

const models: [string, () => ModelRef][] = [
  ["Anthropic", () => ({ provider: "anthropic", model: "claude-host-test", baseUrl: mock.url })],
  ["OpenAI", () => ({ provider: "openai", model: "gpt-host-test", baseUrl: `${mock.url}/v1` })],
];

describe.each(models)("a thread on the %s protocol", (_name, model) => {
  it("asks for the model it shows, runs parallel tool calls after their approvals, and ends with streamed text", async () => {
    const marker = model().provider;
    mock.on(
      { userMessage: "do both", hasToolResult: false },
      {
        toolCalls: [
          { name: "execute", arguments: JSON.stringify({ command: `echo one > ${marker}-1.txt` }) },
          { name: "write_file", arguments: JSON.stringify({ file_path: `${marker}-2.txt`, content: "two" }) },
        ],
      },
    );
    mock.on({ userMessage: "do both", hasToolResult: true }, { content: "Both are done." });
    const threadId = await startOn(model(), "do both");
    await console.untilPending(threadId, 2);
    await console.approveAll(threadId);
    await console.untilStatus(threadId, "done");
    expect(await console.lastWords(threadId)).toBe("Both are done.");
    expect(await readFile(join(folders.workspace, `${marker}-1.txt`), "utf8")).toBe("one\n");
    expect(await readFile(join(folders.workspace, `${marker}-2.txt`), "utf8")).toBe("two");
    expect(console.threads.get(threadId)?.model.model).toBe(model().model);
    for (const request of mock.getRequests()) expect(request.body).toMatchObject({ model: model().model });
  });

  it("fails honestly when the stream is cut, keeps what was said, and goes on when the person retries", async () => {
    mock.on(
      { userMessage: "long story", sequenceIndex: 0 },
      { content: "once upon a time there was a very long story" },
      { chunkSize: 4, latency: 4, truncateAfterChunks: 6 },
    );
    mock.on({ userMessage: "long story", sequenceIndex: 1 }, { content: "The whole story." });
    const threadId = await startOn(model(), "long story");
    const failed = await console.untilStatus(threadId, "failed");
    expect(failed.problem).toMatch(/cut|broke|interrupted|connection/i);
    const partial = (await console.items(threadId)).find((item) => item.kind === "agentMessage");
    expect(partial).toMatchObject({ partial: true, text: expect.stringContaining("once") });
    await console.client.call("threads.resume", { commandId: newCommandId(), threadId });
    await console.untilStatus(threadId, "done");
    expect(await console.lastWords(threadId)).toBe("The whole story.");
  });

  it("names a wrong key without repeating it, anywhere", async () => {
    mock.onMessage("hi", { error: { message: `Incorrect API key provided: ${key}` }, status: 401 });
    const threadId = await startOn(model(), "hi");
    const failed = await console.untilStatus(threadId, "failed");
    expect(failed.problem).toMatch(/key/i);
    const shown = JSON.stringify([
      failed,
      await console.items(threadId),
      await console.client.call("models.providers", {}),
    ]);
    expect(shown).not.toContain(key);
    expect(await readFile(join(folders.dataDir, "logs/host.jsonl"), "utf8").catch(() => "")).not.toContain(
      key,
    );
    expect(holdsText(join(folders.dataDir, "countersign.db"), key)).toBe(false);
  });
});
