/** Messages that a checkpoint does not hold whole, as agents of today keep them: what LangGraph itself says they are is the measure. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  DeltaChannel,
  END,
  type Messages,
  messagesDeltaReducer,
  Overwrite,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import fc from "fast-check";
import { AIMessage, HumanMessage } from "langchain";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import { readSession } from "./sessions.ts";
import { made, pack, sized } from "./testing/python-checkpoints.ts";

let folder: string;
let saver: SqliteSaver;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-deepagents-"));
  saver = SqliteSaver.fromConnString(join(folder, "sessions.db"));
});
afterEach(() => {
  saver.db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a step says: new words, others under an id of before, or that some are no more. */
const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant("say"), id: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant("forget"), id: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constantFrom("forget all", "begin anew", "nothing"), id: fc.constant(0) }),
);
type Step = { kind: string; id: number };

function said({ kind, id }: Step, text: string): unknown {
  if (kind === "nothing") return [];
  if (kind === "forget") return [new RemoveMessage({ id: `m${id}` })];
  if (kind === "forget all")
    return [new RemoveMessage({ id: "__remove_all__" }), new AIMessage({ id: "after", content: text })];
  if (kind === "begin anew") return new Overwrite([new AIMessage({ id: "anew", content: text })]);
  return [new AIMessage({ id: `m${id}`, content: text })];
}

it("are what LangGraph says they are, however often it wrote them whole and whatever a step took away", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(stepArbitrary, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      async (turns, snapshotFrequency) => {
        const State = Annotation.Root({
          messages: () =>
            new DeltaChannel<BaseMessage[], Messages>(messagesDeltaReducer, { snapshotFrequency }),
        });
        let [turn, step] = [0, 0];
        const graph = new StateGraph(State)
          .addNode("say", () => {
            const one = turns[turn]![step]!;
            step += 1;
            return { messages: said(one, `turn ${turn}, step ${step}`) as BaseMessage[] };
          })
          .addEdge(START, "say")
          .addConditionalEdges("say", () => (step < turns[turn]!.length ? "say" : END))
          .compile({ checkpointer: saver });
        const thread = `t${performance.now()}`;
        const config = { configurable: { thread_id: thread } };
        for (turn = 0; turn < turns.length; turn += 1) {
          step = 0;
          const asked = [new HumanMessage({ id: `h${turn}`, content: "go on" })];
          const { messages } = await graph.invoke({ messages: asked }, config);
          const session = await readSession(folder, thread);
          expect(session.said.map(({ id, text }) => [id, text])).toEqual(
            messages.map(({ id, text }: BaseMessage) => [id, text]),
          );
        }
      },
    ),
    { numRuns: runsOf(15) },
  );
});

const put = (id: string, parent: string | null, values: Record<string, unknown> | Buffer) =>
  saver.db
    .prepare(
      "INSERT INTO checkpoints (thread_id, checkpoint_id, parent_checkpoint_id, type, checkpoint) VALUES ('t', ?, ?, 'msgpack', ?)",
    )
    .run(id, parent, Buffer.isBuffer(values) ? values : pack({ v: 4, channel_values: values }));
const write = (checkpoint: string, task: string, value: Buffer) =>
  saver.db
    .prepare(
      "INSERT INTO writes (thread_id, checkpoint_id, task_id, idx, channel, type, value) VALUES ('t', ?, ?, 0, 'messages', 'msgpack', ?)",
    )
    .run(checkpoint, task, value);
const listOf = (...values: Buffer[]) => Buffer.concat([sized(0xdd, [], values.length), ...values]);
const message = (name: string, type: string, id: string, content: string) =>
  made(name, { type, id, content });

it("are put together as Python writes them: a person's words as they were handed in, and a whole in between", async () => {
  await saver.getTuple({ configurable: { thread_id: "t" } });
  put("1", null, {});
  write("1", "a", pack([{ role: "user", content: "tidy up", id: "h1" }]));
  put("2", "1", {});
  write("2", "a", listOf(message("AIMessage", "ai", "a1", "I look.")));
  put("3", "2", {});
  const ids = async () => (await readSession(folder, "t")).said.map(({ kind, id, text }) => [kind, id, text]);
  const begun = [
    ["person", "h1", "tidy up"],
    ["agent", "a1", "I look."],
  ];
  expect(await ids()).toEqual(begun);
  const anew = pack([
    "langgraph.types",
    "Overwrite",
    { value: [{ type: "ai", id: "s1", content: "So far." }] },
  ]);
  write("3", "a", Buffer.concat([sized(0xc9, [2], anew.length), anew]));
  expect(await ids()).toEqual([["agent", "s1", "So far."]]);
  saver.db.prepare("DELETE FROM checkpoints WHERE checkpoint_id = '1'").run();
  await expect(readSession(folder, "t")).rejects.toThrow("a state that is not there any more");
  const whole = listOf(message("HumanMessage", "human", "h9", "all of it"));
  const snapshot = Buffer.concat([sized(0xc9, [7], whole.length), whole]);
  const values = Buffer.concat([sized(0xdf, [], 1), pack("messages"), snapshot]);
  put("4", "3", Buffer.concat([sized(0xdf, [], 1), pack("channel_values"), values]));
  expect(await ids()).toEqual([["person", "h9", "all of it"]]);
});
