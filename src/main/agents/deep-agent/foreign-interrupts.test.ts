import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { ThreadId, TurnId } from "../../../shared/ids.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { type ApprovalStore, createApprovalStore } from "../../approvals/approval-store.ts";
import { openInMemory } from "../../threads/testing/add-thread.ts";
import { toForeignAnswers, toForeignQuestions } from "./foreign-interrupts.ts";

const place = { threadId: "thread" as ThreadId, turnId: "turn" as TurnId, cwd: "/work" };
const config = { configurable: { thread_id: "thread" } };

let store: ApprovalStore;
let clock: number;
let sent: string[];

beforeEach(() => {
  clock = 1_000;
  sent = [];
  store = createApprovalStore(
    openInMemory(),
    () => clock,
    () => {},
  );
});

/** A stock agent that calls `send` once for each text, all in one turn, gated by the stock middleware. */
function createStockAgent(texts: string[], allowedDecisions: ("approve" | "edit" | "reject")[]) {
  const send = tool(
    ({ text }) => {
      sent.push(text);
      return `sent ${text}`;
    },
    { name: "send", description: "Sends", schema: z.object({ text: z.string() }) },
  );
  return createAgent({
    model: new OneTurn(texts),
    tools: [send],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { send: { allowedDecisions } } })],
    checkpointer: new MemorySaver(),
  });
}

class OneTurn extends FakeListChatModel {
  readonly #texts: string[];
  constructor(texts: string[]) {
    super({ responses: ["done"] });
    this.#texts = texts;
  }
  override bindTools(): this {
    return this;
  }
  override async _generate(messages: BaseMessage[]) {
    const answered = messages.some((message) => ToolMessage.isInstance(message));
    const calls = this.#texts.map((text, i) => ({ id: `call-${i}`, name: "send", args: { text } }));
    const message = new AIMessage({ content: answered ? "done" : "", tool_calls: answered ? [] : calls });
    return { generations: [{ text: "", message }] };
  }
}

type Agent = ReturnType<typeof createStockAgent>;

async function waitingOf(agent: Agent): Promise<{ id: string; value: unknown }[]> {
  const state = await agent.graph.getState(config);
  return state.tasks.flatMap((task) => task.interrupts.map(({ id, value }) => ({ id: id!, value })));
}

/** Runs to the interrupt and files its questions. */
async function ask(agent: Agent): Promise<ApprovalRow[]> {
  await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  const [waiting] = await waitingOf(agent);
  return toForeignQuestions(place, waiting!).map((question) => store.ask(question).row);
}

function decide(row: ApprovalRow, decision: Decision, effectiveAt = clock): void {
  expect(store.decide(row.id, row.digest, { decision, by: { kind: "person" }, effectiveAt })).toBe(true);
}

async function answers(agent: Agent) {
  return toForeignAnswers(store, place.threadId, await waitingOf(agent), clock);
}

describe("a batch of the stock approval middleware", () => {
  it("is held until every action is decided, then resumed in order however the person went about it", async () => {
    const agent = createStockAgent(["a", "b", "c"], ["approve", "edit", "reject"]);
    const rows = await ask(agent);
    expect(rows.map(({ args }) => args.text)).toEqual(["a", "b", "c"]);
    decide(rows[2]!, { type: "edit", args: { text: "c2" } });
    decide(rows[0]!, { type: "approve" });
    expect(await answers(agent)).toEqual({});
    decide(rows[1]!, { type: "approve" });
    const { messages } = await agent.invoke(new Command({ resume: await answers(agent) }), config);
    expect(sent.sort()).toEqual(["a", "b", "c2"]);
    expect(messages.at(-1)?.text).toBe("done");
  });

  it("goes on with the words of a rejection, and the thread takes the next message", async () => {
    const agent = createStockAgent(["a", "b"], ["approve", "reject"]);
    const [first, second] = await ask(agent);
    decide(first!, { type: "reject", message: "not a" });
    decide(second!, { type: "approve" });
    const { messages } = await agent.invoke(new Command({ resume: await answers(agent) }), config);
    expect(messages.filter((one) => ToolMessage.isInstance(one)).map((one) => one.text)).toContain("not a");
    expect(
      (await agent.invoke({ messages: [{ role: "user", content: "more" }] }, config)).messages.at(-1)?.text,
    ).toBe("done");
  });

  it("waits for the grace of its last approval", async () => {
    const agent = createStockAgent(["a"], ["approve", "reject"]);
    const [row] = await ask(agent);
    decide(row!, { type: "approve" }, clock + 500);
    expect(await answers(agent)).toEqual({});
    expect(store.undo(row!.id)).toBe(true);
    decide(row!, { type: "approve" }, clock + 500);
    clock += 500;
    expect(Object.keys(await answers(agent))).toHaveLength(1);
  });

  it("offers only decisions the middleware takes, so that no answer can leave the thread stuck", async () => {
    const agent = createStockAgent(["a"], ["approve", "edit", "reject"]);
    const [row] = await ask(agent);
    expect(row?.allowed).toEqual(["approve", "edit", "reject"]);
    const [waiting] = await waitingOf(agent);
    const wider = structuredClone(waiting!) as {
      id: string;
      value: { reviewConfigs: { allowedDecisions: string[] }[] };
    };
    wider.value.reviewConfigs[0]!.allowedDecisions = ["respond", "shrug", "reject"];
    expect(toForeignQuestions(place, wider).map(({ allowed }) => allowed)).toEqual([["reject"]]);
  });

  it("is not answered with what was decided about other arguments under the same interrupt id", async () => {
    const agent = createStockAgent(["a"], ["approve"]);
    const [row] = await ask(agent);
    decide(row!, { type: "approve" });
    const [waiting] = await waitingOf(agent);
    const other = JSON.parse(JSON.stringify(waiting).replaceAll('"a"', '"something else"'));
    expect(toForeignAnswers(store, place.threadId, [other], clock)).toEqual({});
    expect(Object.keys(toForeignAnswers(store, place.threadId, [waiting!], clock))).toEqual([waiting!.id]);
  });
});

describe("a raw interrupt", () => {
  it.each([
    ["a text", "Go on?", "text"],
    ["a question", { question: "Go on?" }, "text"],
    ["any JSON", { choose: [1, 2, { deep: null }] }, "json"],
    ["nothing", null, "json"],
    ["a batch without actions", { actionRequests: [], reviewConfigs: [] }, "json"],
    ["a batch of nonsense", { actionRequests: "send" }, "json"],
  ])("with %s is one question that a person answers", (_what, value, wants) => {
    const questions = toForeignQuestions(place, { id: "i", value });
    expect(questions).toMatchObject([
      { kind: "interrupt", allowed: ["respond"], subject: { kind: "question", wants } },
    ]);
    const { row } = store.ask(questions[0]!);
    decide(row, { type: "respond", answer: { any: ["json"] } });
    expect(toForeignAnswers(store, place.threadId, [{ id: "i", value }], clock)).toEqual({
      i: { any: ["json"] },
    });
  });

  it("in a tool of a real graph gets exactly the answer", async () => {
    const asks = tool(() => JSON.stringify(interrupt({ pick: ["x", "y"] })), {
      name: "send",
      description: "Asks",
      schema: z.object({ text: z.string() }),
    });
    const agent = createAgent({ model: new OneTurn(["a"]), tools: [asks], checkpointer: new MemorySaver() });
    const [row] = await ask(agent as unknown as Agent);
    decide(row!, { type: "respond", answer: { picked: "y" } });
    const resume = await answers(agent as unknown as Agent);
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(messages.find((one) => ToolMessage.isInstance(one))?.text).toBe('{"picked":"y"}');
  });
});
