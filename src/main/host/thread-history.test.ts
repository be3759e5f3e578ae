import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import type { MessageId, ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, makeFolders, openHost, removeFolders, withHost } from "./testing/host-fixture.ts";

withHost("file");

async function sayAll(threadId: ThreadId, ...texts: string[]): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (const text of texts) {
    const { messageId, turnId } = await console.send(threadId, text);
    await console.untilTurnEnd(threadId, turnId);
    ids.push(messageId);
  }
  return ids;
}

async function talk(threadId: ThreadId, on = console): Promise<string[]> {
  return (await on.items(threadId)).flatMap((item) =>
    item.kind === "userMessage" || item.kind === "agentMessage" ? [item.text] : [],
  );
}

function fork(threadId: ThreadId, messageId: MessageId, text?: string) {
  return console.client.call("threads.fork", { commandId: newCommandId(), threadId, messageId, text });
}

async function eventsSince(threadId: ThreadId, since: number, count: number): Promise<ThreadEvent[]> {
  const events: ThreadEvent[] = [];
  for await (const item of console.client.watch("threads.watch", { threadId, since })) {
    if (item.kind === "events") events.push(...item.events);
    if (events.length >= count) break;
  }
  return events;
}

describe("a fork", () => {
  it("has what came before the message, for the person and for the agent, and nothing after", async () => {
    const threadId = await console.start();
    const [, second] = await sayAll(threadId, "say one", "say two", "say three");
    const { id, forkedFrom } = await fork(threadId, second!, "say other");
    await console.untilStatus(id, "done");
    expect(forkedFrom).toBe(threadId);
    expect(await talk(id)).toEqual(["say one", "one", "say other", "other"]);
    expect(await talk(threadId)).toEqual(["say one", "one", "say two", "two", "say three", "three"]);
    const bytes = async (of: ThreadId) =>
      (await console.client.call("threads.diskUse", { threadId: of })).checkpointBytes;
    expect(await bytes(id)).toBeGreaterThan(0);
  });

  it("can be forked at a message it inherited, also at the very first", async () => {
    const threadId = await console.start();
    const [first, second] = await sayAll(threadId, "say one", "say two");
    const child = await fork(threadId, second!);
    const [third] = await sayAll(child.id, "say three");
    const again = await fork(child.id, third!, "say four");
    const fresh = await fork(child.id, first!, "say anew");
    await console.untilStatus(again.id, "done");
    await console.untilStatus(fresh.id, "done");
    expect(await talk(again.id)).toEqual(["say one", "one", "say four", "four"]);
    expect(await talk(fresh.id)).toEqual(["say anew", "anew"]);
    const resume = console.client.call("threads.resume", { commandId: newCommandId(), threadId: child.id });
    await expect(resume).rejects.toMatchObject({ code: "conflict" });
  });

  it("asks anew about what the original was allowed, and is refused at a message not taken up yet", async () => {
    const threadId = await console.start();
    const { messageId, turnId } = await console.send(threadId, "run echo x >> forked");
    const asked = await console.onePending(threadId);
    const queued = await console.send(threadId, "say later");
    await expect(fork(threadId, queued.messageId)).rejects.toMatchObject({
      code: "conflict",
      field: "messageId",
    });
    await console.approve(asked);
    await console.untilTurnEnd(threadId, turnId);
    const { id } = await fork(threadId, messageId, "run echo x >> forked");
    await console.decide(await console.onePending(id), { type: "reject" });
    await console.untilStatus(id, "done");
    expect(await readFile(join(folders.workspace, "forked"), "utf8")).toBe("x\n");
  });
});

describe("a turn whose model call failed", () => {
  it("goes on from where it was when the model can be reached, with nothing said or done twice", async () => {
    let answers = 401;
    const server = createServer((_request, response) => {
      response.writeHead(answers, { "content-type": "application/json" });
      response.end('{"error":{"message":"no such key","code":"invalid_api_key"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const threadId = await console.start();
    await sayAll(threadId, "say before");
    const model = console.threads.get(threadId)!.model;
    const broken = { provider: "openai-compatible" as const, model: "any", baseUrl };
    await console.client.call("threads.setModel", { threadId, model: broken });
    const sent = await console.send(threadId, "say after");
    await console.untilTurnEnd(threadId, sent.turnId);
    const failed = await console.untilStatus(threadId, "failed");
    expect(failed.problem).toMatch(/\w/);
    answers = 500;
    await console.client.call("threads.setModel", { threadId, model });
    await console.client.call("threads.resume", { commandId: newCommandId(), threadId });
    await console.untilStatus(threadId, "done");
    expect(await talk(threadId)).toEqual(["say before", "before", "say after", "after"]);
    server.close();
  });
});

describe("the event log", () => {
  it("gives a window that comes back exactly what it missed, once and in order", async () => {
    const threadId = await console.start();
    await sayAll(threadId, "say one", "say two", "say three");
    const all = await eventsSince(threadId, 0, 9);
    expect(all.map(({ seq }) => seq)).toEqual([...new Set(all.map(({ seq }) => seq))].sort((a, b) => a - b));
    const half = all[4]!.seq;
    expect(await eventsSince(threadId, half, all.length - 5)).toEqual(all.slice(5));
    const pages = [];
    for (let before: number | undefined; ; ) {
      const { items, hasMore } = await console.client.call("threads.page", { threadId, before, limit: 2 });
      pages.unshift(...items);
      if (!hasMore) break;
      before = items[0]!.position;
    }
    expect(pages).toEqual(await console.items(threadId));
  });

  it("is searched for words as they are, whatever signs stand in the query", async () => {
    const threadId = await console.start();
    await sayAll(threadId, 'say zebra "crossing" AND (or) NOT*');
    const search = async (query: string) =>
      (await console.client.call("threads.search", { query })).hits.filter((hit) => hit.threadId === threadId)
        .length;
    expect(await search("zebra cross")).toBeGreaterThan(0);
    expect(await search("zebra giraffe")).toBe(0);
    for (const query of [
      '"',
      "*",
      "AND",
      "NEAR(",
      "a:b",
      "^x",
      "zebra OR",
      "'; DROP TABLE search; --",
      "\u0000",
    ])
      expect(await search(query)).toBeGreaterThanOrEqual(0);
  });
});

describe("a thread as a file", () => {
  it("comes back in another data directory with its talk and its memory, and goes on", async () => {
    const threadId = await console.start();
    const command = await console.send(threadId, "run echo kept > exported");
    await console.approve(await console.onePending(threadId));
    await console.untilTurnEnd(threadId, command.turnId);
    await sayAll(threadId, "say two");
    const { path } = await console.client.call("threads.export", { threadId });
    const elsewhere = await makeFolders();
    const other = await openHost(elsewhere);
    try {
      // Threads are numbered inside a checkpoint database; the numbers there are taken already.
      await other.console.run(await other.console.start(), "say something else");
      const { id } = await other.console.client.call("threads.import", {
        path,
        workspace: elsewhere.workspace,
      });
      expect(await talk(id, other.console)).toEqual(await talk(threadId));
      await other.console.run(id, "say three");
      expect((await talk(id, other.console)).slice(-2)).toEqual(["say three", "three"]);
      expect(await other.console.ledger(id)).toMatchObject([{ imported: { threadId } }]);
    } finally {
      await other.close();
      await removeFolders(elsewhere);
    }
  });

  it("is refused when it is none, and leaves no half of a thread behind", async () => {
    const threadId = await console.start();
    await sayAll(threadId, "say one");
    const { path } = await console.client.call("threads.export", { threadId });
    const bad = join(folders.root, "bad.json");
    const good = JSON.parse(await readFile(path, "utf8"));
    const before = console.threads.size;
    for (const content of ["{", "{}", JSON.stringify({ ...good, checkpoints: { elsewhere: [{ a: 1 }] } })]) {
      await writeFile(bad, content);
      const importing = console.client.call("threads.import", { path: bad, workspace: folders.workspace });
      await expect(importing).rejects.toMatchObject({ code: "invalid-input", field: "path" });
    }
    await sayAll(threadId, "say two");
    expect(console.threads.size).toBe(before);
  });
});

describe("pruning", () => {
  it("does what its preview said, and the thread remembers and can be forked at a kept turn", async () => {
    const threadId = await console.start();
    const ids = await sayAll(threadId, "say one", "say two", "say three", "say four");
    await console.untilStatus(threadId, "done");
    const prune = (preview: boolean) =>
      console.client.call("threads.prune", { threadId, keepTurns: 2, preview });
    const preview = await prune(true);
    expect(preview.checkpoints).toBeGreaterThan(0);
    expect(await prune(true)).toEqual(preview);
    expect(await prune(false)).toEqual(preview);
    expect((await prune(true)).checkpoints).toBe(0);
    const { id } = await fork(threadId, ids[3]!, "say other");
    await console.untilStatus(id, "done");
    expect((await talk(id)).slice(-4)).toEqual(["say three", "three", "say other", "other"]);
    await expect(fork(threadId, ids[1]!)).rejects.toMatchObject({ code: "conflict" });
    await sayAll(threadId, "say five");
    expect((await talk(threadId)).at(-1)).toBe("five");
  });
});
