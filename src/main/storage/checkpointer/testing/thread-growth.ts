/** Threads that grow step by step without a graph, for tests that look at what is stored. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type Checkpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import type { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { LinearSqliteSaver } from "../linear-sqlite-saver.ts";

const result = "result ".repeat(300);

/** The messages of one tool call: the model's request and a result of 2 KB. */
export function exchange(step: number): BaseMessage[] {
  const call = { id: `c${step}`, name: "read", args: { step }, type: "tool_call" as const };
  return [
    new AIMessage({ id: `a${step}`, content: "", tool_calls: [call] }),
    new ToolMessage({ id: `t${step}`, content: `${step} ${result}`, tool_call_id: `c${step}` }),
  ];
}

/** Puts one checkpoint on top of another, as a graph with messages and notes in its state does. */
export async function putState(
  saver: SqliteSaver,
  threadId: string,
  channel_values: Record<string, unknown>,
  parentId?: string,
): Promise<string> {
  const channelVersions = Object.fromEntries(Object.keys(channel_values).map((name) => [name, 1]));
  const checkpoint: Checkpoint = {
    v: 4,
    id: uuid6(0),
    ts: new Date().toISOString(),
    channel_values,
    channel_versions: channelVersions,
    versions_seen: {},
  };
  const put = saver.put.bind(saver) as LinearSqliteSaver["put"];
  const config = { configurable: { thread_id: threadId, checkpoint_ns: "", checkpoint_id: parentId } };
  await put(config, checkpoint, { source: "loop", step: 0, parents: {} }, channelVersions);
  await saver.putWrites(
    { configurable: { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpoint.id } },
    [["messages", (channel_values.messages as BaseMessage[]).slice(-1)]],
    `task-${checkpoint.id}`,
  );
  return checkpoint.id;
}

/** Grows a thread step by step and returns the ids of its checkpoints, oldest first. */
export async function growThread(saver: SqliteSaver, threadId: string, steps: number): Promise<string[]> {
  const ids: string[] = [];
  let messages: BaseMessage[] = [new HumanMessage({ id: "h", content: "go" })];
  for (let step = 0; step < steps; step += 1) {
    messages = [...messages, ...exchange(step)];
    ids.push(await putState(saver, threadId, { messages, notes: `note ${result}` }, ids.at(-1)));
  }
  return ids;
}

/** The messages of a checkpoint, or of the newest. */
export async function readMessages(
  saver: SqliteSaver,
  threadId: string,
  checkpointId?: string,
): Promise<BaseMessage[]> {
  const configurable = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
  const tuple = await saver.getTuple({ configurable });
  return tuple?.checkpoint.channel_values.messages as BaseMessage[];
}

/** How many rows each table has. */
export function countRows(saver: SqliteSaver): Record<string, number> {
  const tables = saver.db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  const count = (table: string) => saver.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return Object.fromEntries(tables.map((table) => [table, count(table)]));
}
