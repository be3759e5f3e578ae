/** A thread of the deepagents CLI in its stock saver's own database, taken over into a real engine. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SourceHost } from "../engine/testing/source-host.ts";
import type { ConsoleParts } from "./console-parts.ts";
import { takeSession } from "./deepagents-import.ts";

let host: SourceHost;
let folder: string;

beforeEach(async () => {
  host = new SourceHost();
  await host.open();
  folder = mkdtempSync(join(tmpdir(), "countersign-deepagents-"));
});
afterEach(async () => {
  await host.close();
  host.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function save(messages: unknown[]): Promise<void> {
  const saver = SqliteSaver.fromConnString(join(folder, "sessions.db"));
  const checkpoint = {
    v: 4,
    id: "1ef00000-0000-6000-8000-000000000000",
    ts: "2026-01-01T00:00:00Z",
    channel_values: { messages },
    channel_versions: {},
    versions_seen: {},
  };
  const metadata = { source: "loop" as const, step: 1, parents: {} };
  await saver.put({ configurable: { thread_id: "t1", checkpoint_ns: "" } }, checkpoint, metadata);
  saver.db.close();
}
const call = (id: string, name: string, args: object) => ({ id, name, args, type: "tool_call" as const });

/** What is taken for granted of the rest of the host: one agent, and rows that are their own summary. */
const take = (id = "t1") =>
  takeSession({ id, workspace: host.workspace }, {
    ...host.stores,
    ...host.engine,
    now: Date.now,
    options: { deepagentsFolder: folder },
    openWorkspace: async () => host.workspace,
    toolbox: { defaultAgentId: () => "default" },
    summaries: { of: (row: object) => row },
  } as unknown as ConsoleParts);

it("brings the conversation, and what waited there stands in the queue once it is resumed", async () => {
  await save([
    new HumanMessage({ id: "h1", content: "first" }),
    new AIMessage({ id: "a1", content: "I look.", tool_calls: [call("c1", "ls", { path: "/" })] }),
    new ToolMessage({ id: "r1", content: "a.txt", tool_call_id: "c1" }),
    new AIMessage({ id: "a2", content: "Done." }),
    new HumanMessage({ id: "h2", content: "now make it" }),
    new AIMessage({ id: "a3", content: "", tool_calls: [call("c2", "execute", { command: "touch made" })] }),
  ]);
  const before = readFileSync(join(folder, "sessions.db")).toString("hex");
  const { id } = await take();
  expect(readFileSync(join(folder, "sessions.db")).toString("hex")).toBe(before);
  const said = host.stores.log
    .page(id, 100)
    .items.flatMap((item) =>
      item.kind === "userMessage" || item.kind === "agentMessage"
        ? [item.text]
        : item.kind === "toolCall"
          ? [`${item.tool}: ${item.result}`]
          : [],
    );
  expect(said).toEqual(["first", "I look.", "ls: a.txt", "Done.", "now make it"]);
  expect([host.stores.threads.get(id).status, host.stores.approvals.pending(id)]).toEqual([
    "interrupted",
    [],
  ]);
  host.engine.actors.resume(id);
  const row = await host.onePending(id);
  expect([row.tool, row.args]).toEqual(["execute", { command: "touch made" }]);
  expect(existsSync(join(host.workspace, "made"))).toBe(false);
  await host.decide(row, { type: "approve" });
  await host.untilStatus(id, "done");
  expect(existsSync(join(host.workspace, "made"))).toBe(true);
});

it("brings a thread that was done as done, and a next message goes on with what its agent knew", async () => {
  await save([
    new HumanMessage({ id: "h1", content: "say one" }),
    new AIMessage({ id: "a1", content: "one", tool_calls: [call("c1", "execute", { command: "x" })] }),
    new HumanMessage({ id: "h2", content: "never mind" }),
    new AIMessage({ id: "a2", content: "fine" }),
  ]);
  const { id } = await take();
  expect(host.stores.threads.get(id).status).toBe("done");
  host.send(id, "say two");
  await host.untilStatus(id, "done");
  expect(host.stores.approvals.pending(id)).toEqual([]);
  const saver = await host.stores.checkpointer();
  const state = await saver.getTuple({ configurable: { thread_id: id, checkpoint_ns: "" } });
  expect(JSON.stringify(state?.checkpoint.channel_values.messages)).toContain("never mind");
});

it("brings each call once, with the first result behind it, and none that a model would not take", async () => {
  const result = (id: string, of: string, content: string) =>
    new ToolMessage({ id, content, tool_call_id: of });
  await save([
    new HumanMessage({ id: "h1", content: "go" }),
    result("r0", "c1", "too early"),
    new AIMessage({
      id: "a1",
      content: "I look.",
      tool_calls: [
        call("c1", "ls", { path: "/" }),
        call("c1", "ls", { path: "/twice" }),
        call("c2", "ls", {}),
      ],
    }),
    result("r1", "c1", "first"),
    result("r2", "c1", "second"),
    new AIMessage({ id: "a2", content: "Done.", tool_calls: [call("c1", "ls", { path: "/again" })] }),
  ]);
  const { id } = await take();
  const saver = await host.stores.checkpointer();
  const state = await saver.getTuple({ configurable: { thread_id: id, checkpoint_ns: "" } });
  const messages = state?.checkpoint.channel_values.messages as {
    content: unknown;
    tool_calls?: { id?: string }[];
  }[];
  expect(messages.map((one) => one.tool_calls?.map(({ id: made }) => made) ?? one.content)).toEqual([
    "go",
    ["c1"],
    "first",
    [],
  ]);
});

it("says how much of a thread could not be taken over", async () => {
  const odd = {
    lc: 1,
    type: "constructor",
    id: ["messages", "HologramMessage"],
    kwargs: { id: "x", content: "?" },
  };
  const large = call("c1", "write", { text: "x".repeat(300_000) });
  await save([
    new HumanMessage({ id: "h1", content: "first" }),
    odd,
    new AIMessage({ id: "a1", content: "", tool_calls: [large] }),
  ]);
  const { id } = await take();
  const [notice] = host.stores.log
    .page(id, 100)
    .items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));
  expect(notice).toContain("Not taken over: 2 messages or calls");
});

it("leaves nothing behind of a thread that cannot be read", async () => {
  await expect(take()).rejects.toThrow("There is no database");
  await save([{ type: "human" }]);
  await expect(take("other")).rejects.toThrow("not there");
  expect(host.stores.threads.list()).toEqual([]);
});
