import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent, LocalShellBackend } from "deepagents";
import { todoListMiddleware } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DemoChatModel } from "./demo-chat-model.ts";

const model = () => new DemoChatModel({ wordDelayMs: 0 });
const human = (content: string, id = "h1") => new HumanMessage({ content, id });

async function collect(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe("the scripted demo model alone", () => {
  it("streams text word by word, tool arguments in fragments, and counts tokens at the end", async () => {
    const chunks = await collect(await model().stream([human("say one two three\nrun echo hello")]));
    expect(chunks.slice(0, 3).map((chunk) => chunk.content)).toEqual(["one ", "two ", "three"]);
    const pieces = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
    expect(pieces).toHaveLength(2);
    expect(pieces.map((piece) => piece.name)).toEqual(["execute", undefined]);
    const whole = chunks.reduce((sum, chunk) => sum.concat(chunk));
    expect(whole.tool_calls).toMatchObject([{ name: "execute", args: { command: "echo hello" } }]);
    expect(whole.usage_metadata?.output_tokens).toBeGreaterThan(0);
    expect(whole.response_metadata.model_name).toBe("demo-script");
  });

  it("answers the same when invoked without streaming", async () => {
    const answer = await model().invoke([human("run a\nrun b")]);
    expect(answer.tool_calls?.map((call) => call.args.command)).toEqual(["a", "b"]);
  });

  it("goes on at the right turn with nothing but the messages", async () => {
    const messages = [human("run a\n\nrun b")];
    const first = await model().invoke(messages);
    const again = await model().invoke(messages);
    expect(again.tool_calls).toEqual(first.tool_calls);
    const result = new ToolMessage({ content: "ok", tool_call_id: first.tool_calls?.[0]?.id ?? "" });
    const second = await model().invoke([...messages, first, result]);
    expect(second.tool_calls?.[0]?.args).toEqual({ command: "b" });
    expect(second.tool_calls?.[0]?.id).not.toBe(first.tool_calls?.[0]?.id);
  });

  it("obeys the latest message only, with fresh call ids when the same text is sent again", async () => {
    const first = await model().invoke([human("run a")]);
    const history = [human("run a"), first, new AIMessage("Done.")];
    const second = await model().invoke([...history, human("run a", "h2")]);
    expect(second.tool_calls).toHaveLength(1);
    expect(second.tool_calls?.[0]?.id).not.toBe(first.tool_calls?.[0]?.id);
  });

  it("explains itself when the text holds no instruction", async () => {
    const answer = await model().invoke([human("Please fix the login bug")]);
    expect(answer.text).toContain("not an AI");
    expect(answer.text).toContain("run <command>");
    expect(answer.text).toContain("demo tour");
  });

  it("calls a tool by its name only when the agent has it, and goes on with the rest of the script", async () => {
    const messages = [human('say Now.\ncall nowhere {}\n\ncall echo {"text": "hi"}\ncall gone\n\nrun a')];
    const bound = model().bindTools([{ name: "echo" }, { name: "execute" }]);
    const first = await bound.invoke(messages);
    expect(first.text).toBe("Now.");
    expect(first.tool_calls?.map(({ name, args }) => [name, args])).toEqual([["echo", { text: "hi" }]]);
    const echoed = new ToolMessage({ content: "hi", tool_call_id: first.tool_calls?.[0]?.id ?? "" });
    const second = await bound.invoke([...messages, first, echoed]);
    expect(second.tool_calls?.map(({ name }) => name)).toEqual(["execute"]);
    const ran = new ToolMessage({ content: "ok", tool_call_id: second.tool_calls?.[0]?.id ?? "" });
    const closing = await bound.invoke([...messages, first, echoed, second, ran]);
    expect(closing.text).toContain("Done: 2 of 4 steps worked.");
    expect(closing.text).toContain(
      "`call nowhere {}`: there is no tool nowhere here. There are: echo, execute.",
    );
    expect(closing.text).toContain('`call echo {"text": "hi"}`: “hi”');
  });

  it("says what is wrong with the JSON of a call, also when that is all there is", async () => {
    const answer = await model().invoke([human("call echo {oops")]);
    expect(answer.text).toMatch(/`call echo \{oops`: what follows the tool is not JSON/);
    expect(answer.text).not.toContain("I am a scripted demo");
  });

  it("stops streaming when it is told to", async () => {
    const controller = new AbortController();
    const stream = await new DemoChatModel({ wordDelayMs: 5 }).stream(
      [human(`say ${"word ".repeat(5_000)}`)],
      {
        signal: controller.signal,
      },
    );
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of stream) {
        seen.push(chunk.text);
        if (seen.length === 3) controller.abort();
      }
    })();
    await expect(reading).rejects.toThrow(/abort/i);
    expect(seen.length).toBeLessThan(10);
  });

  it.each([
    ["success", "fine\n[Command failed with exit code 3]", "failed with exit code 3"],
    ["error", "Rejected by a person: use the staging host", "use the staging host"],
    ["success", "Error: String not found in file", "String not found"],
  ] as const)("reports a step that did not work (%s: %s)", async (status, content, remark) => {
    const messages = [human("run a\nrun b")];
    const turn = await model().invoke(messages);
    const [a, b] = turn.tool_calls ?? [];
    const answer = await model().invoke([
      ...messages,
      turn,
      new ToolMessage({ tool_call_id: a?.id ?? "", content: "ok", status: "success" }),
      new ToolMessage({ tool_call_id: b?.id ?? "", content, status }),
    ]);
    expect(answer.tool_calls).toEqual([]);
    expect(answer.text).toContain("Done: 1 of 2 steps worked.");
    expect(answer.text).toMatch(new RegExp(`run b.*${remark}`));
    expect(answer.text).not.toContain("run a");
  });
});

describe("the scripted demo model in a real agent", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-demo-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const askHuman = tool(({ question }) => String(interrupt({ question })), {
    name: "ask_human",
    description: "Ask the person",
    schema: z.object({ question: z.string() }),
  });

  const createAgent = () =>
    createDeepAgent({
      model: model(),
      tools: [askHuman],
      middleware: [todoListMiddleware()],
      checkpointer: new MemorySaver(),
      backend: new LocalShellBackend({ rootDir: folder, virtualMode: true, inheritEnv: true }),
    });
  const config = { configurable: { thread_id: "t1" } };
  const send = async (agent: ReturnType<typeof createAgent>, text: string) => {
    const state = await agent.invoke({ messages: [new HumanMessage(text)] }, config);
    return { state, closing: state.messages.at(-1)?.text ?? "" };
  };

  it("really writes, edits, reads, runs and deletes", async () => {
    const agent = createAgent();
    const first = await send(
      agent,
      "write a.txt one\\ntwo\nwrite b.txt x\n\nedit a.txt two => three\n\nrun cat a.txt",
    );
    expect(first.closing).toContain("Done: 4 of 4 steps worked.");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\nthree");
    const second = await send(
      agent,
      "read a.txt\nls\nglob *.txt\ngrep three\n\ndelete /b.txt\n\nread b.txt\nrun exit 4",
    );
    expect(await readdir(folder)).toEqual(["a.txt"]);
    expect(second.closing).toContain("Done: 5 of 7 steps worked.");
    expect(second.closing).toContain("`run exit 4`: failed with exit code 4");
    expect(second.closing).toMatch(/`read b.txt`: did not work/);
  });

  it("has a sub-agent obey the delegated lines, and quotes what it said", async () => {
    const { closing } = await send(createAgent(), "delegate general-purpose: write c.txt hi ;; say All set");
    expect(await readFile(join(folder, "c.txt"), "utf8")).toBe("hi");
    expect(closing).toContain("Done: 1 of 1 step worked.");
    expect(closing).toContain("All set");
  });

  it("asks a person through a raw interrupt and repeats the answer", async () => {
    const agent = createAgent();
    const { state } = await send(agent, "ask Which colour?");
    expect(state).toMatchObject({ __interrupt__: [{ value: { question: "Which colour?" } }] });
    const resumed = await agent.invoke(new Command({ resume: "blue" }), config);
    expect(resumed.messages.at(-1)?.text).toContain("“blue”");
  });

  it("streams its words through the agent", async () => {
    const pieces: string[] = [];
    const input = { messages: [new HumanMessage("say one two three")] };
    for await (const [message] of await createAgent().stream(input, { ...config, streamMode: "messages" })) {
      pieces.push(message.text);
    }
    expect(pieces.filter((piece) => piece !== "")).toEqual(["one ", "two ", "three"]);
  });

  it("keeps the to-do list", async () => {
    const { state } = await send(createAgent(), "todo [x] plan\ntodo build");
    expect(state).toMatchObject({
      todos: [
        { content: "plan", status: "completed" },
        { content: "build", status: "pending" },
      ],
    });
  });

  it("says so when the agent lacks the tool", async () => {
    const { closing } = await send(createAgent(), "search cats");
    expect(closing).toContain("Done: 0 of 1 step worked.");
    expect(closing).toContain("web_search");
  });

  it("walks the whole tour, twice in one workspace", async () => {
    const agent = createAgent();
    expect((await send(agent, "demo tour")).closing).toMatch(/Done: (\d+) of \1 steps worked\./);
    expect((await send(agent, "demo tour")).closing).toMatch(/Done: (\d+) of \1 steps worked\./);
    expect(await readdir(folder)).toEqual([]);
  });
});
