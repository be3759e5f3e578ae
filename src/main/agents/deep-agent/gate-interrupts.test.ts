import type { StructuredTool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GateThread, type GateThreadOptions } from "./testing/gate-thread.ts";

const answer = (text: string) => ({ type: "respond", answer: text }) as const;

/** Asks two things, one after the other. */
const twoQuestions = tool(
  ({ query }) => {
    const colour: unknown = interrupt({ question: `Which colour for ${query}?` });
    const size: unknown = interrupt({ question: `Which size for ${query}?` });
    return `${query}: ${colour} and ${size}`;
  },
  { name: "web_search", description: "Asks twice", schema: z.object({ query: z.string() }) },
) as unknown as StructuredTool;
const asksTwice: GateThreadOptions = {
  tools: [twoQuestions],
  judge: ({ tool }) => (tool === "web_search" ? "free" : undefined),
};

describe("a raw interrupt in a tool", () => {
  it("is filed once with its question, and the tool gets the answer when the thread goes on", async () => {
    const thread = new GateThread();
    expect(await thread.send("ask Which colour?")).toEqual({ kind: "waiting" });
    expect(thread.journal.questions).toMatchObject([
      { kind: "interrupt", value: { question: "Which colour?" } },
    ]);
    expect(await thread.goOn()).toEqual({ kind: "waiting" });
    expect(thread.journal.questions).toHaveLength(1);
    await thread.journal.decide("colour", answer("blue"));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(await thread.results()).toEqual([{ tool: "ask_human", text: "blue", isError: false }]);
  });

  it("is filed once from inside a sub-agent, and answered there", async () => {
    const thread = new GateThread();
    expect(await thread.send("delegate general-purpose: ask Which colour?")).toEqual({ kind: "waiting" });
    expect(thread.journal.questions).toMatchObject([
      { kind: "interrupt", value: { question: "Which colour?" }, agentPath: ["general-purpose"] },
    ]);
    await thread.journal.decide("colour", answer("blue"));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect((await thread.results())[0]?.text).toContain("“blue”");
    expect(thread.journal.questions).toHaveLength(1);
  });

  it("gets two answers in the order of its two questions", async () => {
    const thread = new GateThread(asksTwice);
    expect(await thread.send("search shoes")).toEqual({ kind: "waiting" });
    await thread.journal.decide("colour", answer("red"));
    expect(await thread.goOn()).toEqual({ kind: "waiting" });
    expect(thread.journal.pending).toMatchObject([{ value: { question: "Which size for shoes?" } }]);
    expect(await thread.goOn()).toEqual({ kind: "waiting" });
    await thread.journal.decide("size", answer("42"));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect((await thread.results())[0]?.text).toBe("shoes: red and 42");
    expect(thread.journal.questions).toHaveLength(2);
  });

  it("gives each of several calls its own answer, also when they were given in another order", async () => {
    const thread = new GateThread(asksTwice);
    expect(
      await thread.send("ask First?\nsearch hats\nask Second?\ndelegate general-purpose: search gloves"),
    ).toEqual({
      kind: "waiting",
    });
    expect(thread.journal.pending).toHaveLength(4);
    await thread.journal.decide("Second", answer("2"));
    await thread.journal.decide("colour for gloves", answer("green"));
    expect(await thread.goOn()).toEqual({ kind: "waiting" });
    await thread.journal.decide("size for gloves", answer("S"));
    await thread.journal.decide("colour for hats", answer("blue"));
    await thread.journal.decide("First", answer("1"));
    expect(await thread.goOn()).toEqual({ kind: "waiting" });
    await thread.journal.decide("size for hats", answer("XL"));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect((await thread.results()).map(({ text }) => text)).toEqual([
      "1",
      "hats: blue and XL",
      "2",
      expect.stringContaining("1 of 1 step worked"),
    ]);
    expect(thread.journal.events).toContainEqual(
      expect.objectContaining({ type: "toolCall.finished", result: "gloves: green and S" }),
    );
    expect(thread.journal.questions).toHaveLength(6);
  });

  it("does not run its finished siblings again", async () => {
    const thread = new GateThread({ judge: ({ tool }) => (tool === "execute" ? "run" : undefined) });
    expect(await thread.send("ask Which colour?\nrun test")).toEqual({ kind: "waiting" });
    await thread.journal.decide("colour", answer("blue"));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["test"]);
  });

  it("lets a sibling that asks wait too; both are answered after the run was parked", async () => {
    const thread = new GateThread();
    const end = thread.send("ask Which colour?\nrun test");
    await thread.journal.until(() => thread.journal.pending.length === 2);
    await thread.journal.decide("colour", answer("blue"));
    thread.journal.park();
    expect(await end).toEqual({ kind: "waiting" });
    await thread.journal.decide("test", { type: "approve" });
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["test"]);
    expect((await thread.results())[0]?.text).toBe("blue");
  });
});

describe("a run that a gate brought to rest", () => {
  it.each(["run test", "delegate general-purpose: run test"])("reports nothing to ask: %s", async (text) => {
    const thread = new GateThread();
    const end = thread.send(text);
    await thread.journal.until(() => thread.journal.pending.length === 1);
    thread.journal.park();
    expect(await end).toEqual({ kind: "waiting" });
    expect(thread.reported).toEqual([]);
  });

  it("is told from one in which something asks with the same words", async () => {
    const value = { parked: "t1:task:call" };
    const alike = tool(() => String(interrupt(value)), {
      name: "web_search",
      description: "Asks",
      schema: z.object({ query: z.string() }),
    }) as unknown as StructuredTool;
    const thread = new GateThread({ ...asksTwice, tools: [alike] });
    expect(await thread.send("search shoes")).toEqual({ kind: "waiting" });
    expect(thread.reported).toMatchObject([{ value }]);
    expect(thread.journal.pending).toMatchObject([{ kind: "interrupt", value }]);
  });
});
