/** The same agent, the same steps, both savers: whatever a person does to a thread must come out the same. */
import type { BaseMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { LinearSqliteSaver } from "./linear-sqlite-saver.ts";
import {
  createMailAgent,
  describeMessage,
  openForRuns,
  openLinear,
  openStock,
  type Script,
  temporaryPath,
} from "./testing/stored-threads.ts";

const config = { configurable: { thread_id: "thread" }, durability: "sync" as const };
type Interrupt = { id: string; value: { actionRequests: unknown[] } };

/** Two sub-agents in parallel, each with two gated mails, then two gated mails of the main agent at once. */
const script: Script = (human, step) => {
  const mail = (id: string) => ({ id, name: "send_mail", args: { to: id } });
  if (human.startsWith("sub"))
    return step < 2 ? { calls: [mail(`${human}-${step}`)] } : { content: `${human} reports` };
  const task = (id: string) => ({
    id,
    name: "task",
    args: { description: `sub${id}`, subagent_type: "worker" },
  });
  if (step === 0) return { content: "x".repeat(3000), calls: [task("1"), task("2")] };
  return step === 1 ? { calls: [mail("m1"), mail("m2")] } : { content: `end of ${human}` };
};

function decide(interrupt: Interrupt): Command {
  const decisions = interrupt.value.actionRequests.map((_, index) =>
    index === 1 ? { type: "reject", message: "no" } : { type: "approve" },
  );
  return new Command({ resume: { [interrupt.id]: { decisions } } });
}

/** Answers one interrupt after another; `between` runs before each answer and may replace the saver. */
async function playThrough(
  first: SqliteSaver,
  between: (saver: SqliteSaver) => SqliteSaver,
): Promise<string[]> {
  let saver = first;
  const ran: string[] = [];
  const lines: string[] = [];
  const agent = () => createMailAgent({ checkpointer: saver, script, ran, ask: true });
  let result = (await agent().invoke({ messages: [{ role: "user", content: "go" }] }, config)) as {
    messages: BaseMessage[];
    __interrupt__?: Interrupt[];
  };
  while (result.__interrupt__ !== undefined && lines.length < 20) {
    saver = between(saver);
    const state = await agent().graph.getState(config);
    lines.push(`next ${state.next} pending ${result.__interrupt__.length} ran ${ran}`);
    result = (await agent().invoke(decide(result.__interrupt__[0]!), config)) as typeof result;
  }
  lines.push(...result.messages.map(describeMessage));
  for await (const state of agent().graph.getStateHistory(config)) {
    const messages = (state.values as { messages?: BaseMessage[] }).messages ?? [];
    lines.push(`${state.metadata?.step} ${state.next} ${messages.map(describeMessage).join("|")}`);
  }
  return lines;
}

describe("a turn with human in the loop and parallel sub-agents", () => {
  let expected: string[] = [];

  beforeEach(async () => {
    if (expected.length > 0) return;
    expected = await playThrough(openStock(), (saver) => saver);
    expect(expected.length).toBeGreaterThan(20);
  });

  test("gives the same messages, interrupts and history", async () => {
    expect(await playThrough(openLinear(), (saver) => saver)).toEqual(expected);
  });

  test("gives the same when the database is closed and opened again before each answer", async () => {
    const path = temporaryPath();
    const outcome = await playThrough(openLinear(path), (saver) => {
      saver.db.close();
      return openLinear(path);
    });
    expect(outcome).toEqual(expected);
  });

  test("gives the same when the stock saver began it and ours goes on", async () => {
    const path = temporaryPath();
    const outcome = await playThrough(openStock(path), (saver) => {
      if (saver instanceof LinearSqliteSaver) return saver;
      saver.db.close();
      return openLinear(path);
    });
    expect(outcome).toEqual(expected);
  });

  const untilHistory = (lines: string[]) => {
    const end = lines.findIndex((line) => line.startsWith("ai") && line.includes("end of go")) + 1;
    expect(end).toBeGreaterThan(5);
    return lines.slice(0, end);
  };

  test("ends the same when the history is pruned before each answer", async () => {
    const outcome = await playThrough(openLinear(), (saver) => {
      (saver as LinearSqliteSaver).pruneThread("thread", { keepLast: 1 }, "apply");
      return saver;
    });
    expect(untilHistory(outcome)).toEqual(untilHistory(expected));
  });

  test("ends the same when each step goes that was passed, opened again before each answer", async () => {
    const path = temporaryPath();
    const outcome = await playThrough(openForRuns(path), (saver) => {
      saver.db.close();
      return openForRuns(path);
    });
    expect(untilHistory(outcome)).toEqual(untilHistory(expected));
    expect(outcome.length).toBeLessThan(expected.length);
  });
});

test("travelling back in time and going another way gives the same two branches", async () => {
  const branches = async (saver: SqliteSaver) => {
    const agent = createMailAgent({ checkpointer: saver, script, ran: [], ask: false });
    await agent.invoke({ messages: [{ role: "user", content: "first" }] }, config);
    const turn = await agent.graph.getState(config);
    await agent.invoke({ messages: [{ role: "user", content: "second" }] }, config);
    await agent.invoke({ messages: [{ role: "user", content: "other" }] }, { ...config, ...turn.config });
    const forked = await agent.graph.updateState(turn.config, {
      messages: [{ role: "user", content: "edited" }],
    });
    const lines: string[] = [];
    for await (const tuple of saver.list({ configurable: { thread_id: "thread", checkpoint_ns: "" } })) {
      const messages = (tuple.checkpoint.channel_values.messages ?? []) as BaseMessage[];
      lines.push(
        `${tuple.metadata?.source} ${tuple.metadata?.step} ${messages.map(describeMessage).join("|")}`,
      );
    }
    const edited = await agent.graph.getState(forked);
    lines.push((edited.values as { messages: BaseMessage[] }).messages.map(describeMessage).join("|"));
    return lines;
  };
  const expected = await branches(openStock());
  expect(expected.join()).toContain("end of other");
  expect(await branches(openLinear())).toEqual(expected);
});
