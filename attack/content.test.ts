/** Random content through the whole host and over each door: whatever a model says, the console stays one that can be used. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newCommandId } from "../src/main/base/command-id.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  type RunningHost,
  removeFolders,
} from "../src/main/host/testing/host-fixture.ts";
import { type WirePair, wirePairs } from "../src/main/serve/testing/wire-pairs.ts";
import type { Approval } from "../src/shared/contract/approvals.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { type Client, createClient } from "../src/shared/wire/client.ts";
import { type Answer, openAnsweringServer } from "./answering-server.ts";
import { startAttack } from "./attack-run.ts";
import { makeSize, makeText, scriptNames } from "./random-content.ts";

const doors = ["in process", "Electron's MessagePortMain", "WebSocket"];
/** For every day as much as no frame can hold; for as long as one likes, as much as a model can say. */
const everydayUnits = 300_000;
const mostUnits = 5_000_000;

let server: Awaited<ReturnType<typeof openAnsweringServer>>;
let folders: Folders;
let running: RunningHost;
const wires: WirePair[] = [];

beforeAll(async () => {
  server = await openAnsweringServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  folders = await makeFolders();
  running = await openHost(folders);
});
afterEach(async () => {
  await hangUp();
  await running.close();
  await removeFolders(folders);
});

async function hangUp(): Promise<void> {
  for (const wire of wires.splice(0)) await wire.dispose();
}

async function reopen(): Promise<void> {
  await hangUp();
  await running.close();
  running = await openHost(folders);
}

async function connect(door: string): Promise<Client> {
  const pair = await wirePairs[door]!();
  wires.push(pair);
  running.host.connect(pair.host);
  return createClient(pair.client);
}

/** Everything a window shows when it opens. */
async function openConsole(client: Client) {
  const threads = new Set<ThreadId>();
  const approvals: Approval[] = [];
  for await (const item of client.watch("console.watch", {})) {
    if (item.kind === "threads") for (const { id } of item.threads) threads.add(id);
    if (item.kind === "approvals") approvals.push(...item.approvals);
    if (item.kind === "ready") break;
  }
  return { threads, approvals };
}

async function openThread(client: Client, threadId: ThreadId): Promise<void> {
  for await (const item of client.watch("threads.watch", { threadId })) {
    expect(item.kind).toBe("page");
    break;
  }
  let [seen, before] = [0, undefined as number | undefined];
  for (let more = true; more; ) {
    const page = await client.call("threads.page", { threadId, before, limit: 200 });
    before = page.items[0]?.position;
    more = page.hasMore;
    seen += page.items.length;
    for (const item of page.items.filter(({ leftOut }) => leftOut !== undefined))
      expect(await client.call("threads.item", { threadId, itemId: item.id })).toMatchObject({ id: item.id });
  }
  expect(seen).toBeGreaterThan(0);
}

async function openRecord(client: Client, threadId: ThreadId): Promise<void> {
  let before: number | undefined;
  for (let more = true; more; ) {
    const page = await client.call("approvals.ledger", { before, limit: 200 });
    before = page.entries.at(-1)?.id;
    more = page.hasMore;
    for (const entry of page.entries.filter((one) => one.leftOut !== undefined))
      expect(await client.call("approvals.ledgerEntry", { id: entry.id })).toMatchObject({ id: entry.id });
    const itemIds = page.entries.flatMap((one) => (one.threadId === threadId ? (one.itemId ?? []) : []));
    if (itemIds.length > 0) await client.call("approvals.ledgerOfCalls", { threadId, itemIds });
  }
}

type Shape = (text: string, at: number) => Answer;
const one = (name: string, args: unknown, id = `call-${Math.random()}`): Answer => ({
  calls: [{ id, name, args: JSON.stringify(args) }],
});
const shapes: Record<string, Shape> = {
  "a command": (text) => one("execute", { command: `echo ${text}` }),
  "a command and a folder": (text) => one("execute", { command: "true > a", cwd: text }),
  "a file": (text) => one("write_file", { file_path: "a.txt", content: text }),
  "a path": (text) => one("write_file", { file_path: text, content: "a" }),
  "a question": (text) => one("ask_human", { question: text }),
  "an edit": (text) => one("edit_file", { file_path: "kept.txt", old_string: "kept", new_string: text }),
  "an address": (text) => one("fetch_url", { url: `https://example.com/${text}` }),
  "a plan": (text) => one("write_todos", { todos: [{ content: text, status: "pending" }] }),
  "a long plan": (text) =>
    one("write_todos", {
      todos: [...text.slice(0, 20_000)].map((content) => ({ content, status: "pending" })),
    }),
  "a sub-agent": (text) => one("task", { subagent_type: text, description: text }),
  "an unknown tool": (text) => one(`t${text}`.slice(0, 60), { a: text, b: [text], [text]: 1 }),
  "a long id": (text) => one("execute", { command: "true > b" }, `call-${text}`),
  "a search": (text) => one("grep", { pattern: text, path: "." }),
  "a reading": () => one("read_file", { file_path: "random.txt" }),
  "an output": () => one("execute", { command: "cat random.txt" }),
  "broken arguments": (text) => ({ calls: [{ id: "c", name: "execute", args: text }] }),
  "an answer": (text) => ({ text, reasoning: text.slice(0, 1_000_000) }),
};

describe("random content", () => {
  it("leaves the console, the thread, the card and the record open over every door, also after a restart", async () => {
    const attack = startAttack("content");
    const pick = <T>(list: readonly T[]): T => list[Math.floor(attack.random() * list.length)]!;
    const canary = await running.console.start("run touch never");
    const kept = await running.console.onePending(canary);
    for (const round of attack.rounds(Object.keys(shapes).length)) {
      const shape = Object.keys(shapes)[round % Object.keys(shapes).length]!;
      const script = pick(scriptNames);
      const large = round % 2 === 0;
      const most = process.env.COUNTERSIGN_ATTACK_MINUTES ? mostUnits : everydayUnits;
      const text = makeText(attack.random, script, large ? most : makeSize(attack.random, most));
      const what = `round ${round}: ${shape} in ${script}, ${text.length} units`;
      await writeFile(join(folders.workspace, "random.txt"), text);
      await writeFile(join(folders.workspace, "kept.txt"), "kept\n");
      const model = `m-${round}`;
      server.script(model, [shapes[shape]!(text, round)]);
      const client = await connect(pick(doors));
      const { id: threadId } = await client.call("threads.create", {
        commandId: newCommandId(),
        workspace: folders.workspace,
        model: { provider: "openai-compatible", model, baseUrl: server.baseUrl },
      });
      await client.call("threads.send", { commandId: newCommandId(), threadId, text: "go" });
      await running.console.until(
        () =>
          running.console.pending(threadId).length > 0 ||
          ["done", "failed", "waiting"].includes(running.console.threads.get(threadId)?.status ?? ""),
        what,
      );
      if (round % 6 === 5) await reopen();
      for (const door of round % 6 === 5 ? doors : [pick(doors)]) {
        const window = await connect(door);
        const shown = await openConsole(window);
        expect(shown.threads.has(threadId), what).toBe(true);
        expect(shown.approvals.map(({ id }) => id)).toContain(kept.id);
        await openThread(window, threadId);
        await openRecord(window, threadId);
        for (const approval of shown.approvals.filter((card) => card.threadId === threadId)) {
          const detail = await window.call("approvals.get", { id: approval.id });
          const early = { type: "approve" } as const;
          if (approval.leftOut !== undefined)
            expect(await running.console.decide(approval, early), what).toMatchObject({ ok: false });
          expect(detail.approval.id).toBe(approval.id);
          if (attack.random() < 0.5) continue;
          const decision = detail.approval.allowedDecisions.includes("approve")
            ? { type: "approve" as const }
            : { type: "respond" as const, answer: text.slice(0, 10_000) };
          const { outcomes } = await window.call("approvals.decide", {
            commandId: newCommandId(),
            items: [{ id: approval.id, digest: detail.approval.digest }],
            decision,
          });
          if (detail.approval.leftOut !== undefined) expect(outcomes[0]?.ok, what).toBe(false);
        }
        await window.call("threads.find", { threadId, query: text.slice(0, 20).trim() || "a" });
        await window.call("threads.search", { query: "a" });
        await window.call("threads.export", { threadId });
      }
      await running.console.client.call("threads.stop", { threadId });
      await hangUp();
    }
    await running.console.client.call("approvals.exportLedger", {});
  });
});
