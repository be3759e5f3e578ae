import { AIMessage, AIMessageChunk } from "langchain";
import { expect, it } from "vitest";
import { jsonBytes, utf8Bytes } from "../../../shared/wire/json-bytes.ts";
import { checkAnswer, whyUnusable } from "./check-answer.ts";
import { mostAnswerBytes, mostCalls } from "./too-much.ts";

const calling = (...ids: string[]) =>
  new AIMessage({
    content: "",
    tool_calls: ids.map((id) => ({ type: "tool_call" as const, id, name: "ls", args: {} })),
  });

it("gives each call an id of its own where its server gave one twice, in one answer or in an earlier one", () => {
  const first = checkAnswer(calling("a", "a", "b"), [], "thread:task-1", undefined).message;
  const second = checkAnswer(calling("a", "c"), [first], "thread:task-2", undefined).message;
  const ids = [first, second].flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
  expect(ids.filter((id) => ["a", "b", "c"].includes(id ?? ""))).toEqual(["a", "b", "c"]);
});

it("names an answer itself, and a call whose id is longer than any provider takes back", () => {
  const [longest, tooLong] = ["x".repeat(200), "y".repeat(201)];
  const answer = calling(longest, tooLong);
  answer.id = "the same for each answer of this server";
  const { message } = checkAnswer(answer, [], "thread:task-1", undefined);
  expect(message.id).toBe("thread:task-1");
  expect(message.tool_calls?.map(({ id }) => id)).toEqual([longest, "call-task-1-1"]);
});

it("counts what came as text over a stream in bytes, over all calls of the answer", () => {
  const args = JSON.stringify({ file_path: "a", content: "字".repeat(mostAnswerBytes / 5) });
  const pieces = ["c0", "c1"].map((id, index) => ({ id, index, name: "write_file", args }));
  const answer = new AIMessageChunk({
    content: "",
    tool_call_chunks: pieces.map((piece) => ({ type: "tool_call_chunk" as const, ...piece })),
  });
  const { message } = checkAnswer(answer, [], "thread:task-1", undefined);
  expect(whyUnusable([message], "c0")).toBeUndefined();
  expect(whyUnusable([message], "c1")).toContain("600000 bytes together");
});

/** What becomes of calls that came as objects. */
function check(...calls: { name: string; args: unknown }[]) {
  const { message } = checkAnswer(
    new AIMessage({
      content: "",
      tool_calls: calls.map(({ name, args }, at) => ({
        type: "tool_call" as const,
        id: `c${at}`,
        name,
        args: args as never,
      })),
    }),
    [],
    "thread:task-1",
    undefined,
  );
  return calls.map((_, at) => ({
    args: message.tool_calls![at]!.args,
    why: whyUnusable([message], `c${at}`),
  }));
}

it("acts on no call with a path that no system takes, and keeps nothing of it", () => {
  for (const [name, field] of [
    ["write_file", "file_path"],
    ["move_file", "new_path"],
    ["ls", "path"],
    ["execute", "cwd"],
  ] as const) {
    const [usable, tooLong] = [4_096, 4_097].map(
      (length) => check({ name, args: { [field]: "a".repeat(length) } })[0]!,
    );
    expect(usable!.why).toBeUndefined();
    expect(tooLong).toEqual({ args: {}, why: expect.stringContaining(`The ${field} of this ${name} call`) });
  }
  expect(check({ name: "mcp_note", args: { path: "a".repeat(5_000) } })[0]!.why).toBeUndefined();
});

it("acts on calls up to the most that one answer may say, and says of the others that they were not made", () => {
  for (const letter of ["x", "字", "\u0001"]) {
    const third = Math.floor(mostAnswerBytes / jsonBytes(letter.repeat(1_000)) / 3) * 1_000;
    const half = { name: "write_file", args: { file_path: "a", content: letter.repeat(third * 1.4) } };
    const answers = check(half, half, half, { name: "ls", args: { path: "." } });
    expect(answers.map(({ why }) => why !== undefined)).toEqual([false, false, true, true]);
    expect(answers[2]).toEqual({ args: {}, why: expect.stringContaining("600000 bytes together") });
    expect(answers[0]!.args).toEqual(half.args);
  }
});

const said = (content: AIMessage["content"], kwargs = {}) =>
  checkAnswer(new AIMessage({ content, additional_kwargs: kwargs }), [], "thread:task-1", undefined);

it.each([
  ["Latin letters", "the agent reads.\n"],
  ["quotes", "\"'\\`"],
  ["Chinese", "天地玄黄"],
  ["emoji", "😀👩‍👩‍👧"],
  ["control characters", "\u0001\u001b"],
  ["halves of characters", "\ud83dx"],
])("keeps no more of what an answer says in %s than anybody can carry, and says so", (_script, letters) => {
  const text = letters.repeat(5_000_000 / letters.length);
  for (const length of [1, 50_000, 300_000, 600_001, 5_000_000]) {
    const part = text.slice(0, length);
    const shapes = [
      said(part),
      said([{ type: "text", text: part }]),
      said("short", { reasoning_content: part }),
      said([
        { type: "thinking", thinking: part },
        { type: "text", text: "short" },
      ] as never),
    ];
    for (const { message, cut } of shapes) {
      expect(jsonBytes([message.content, message.additional_kwargs])).toBeLessThan(6 * mostAnswerBytes);
      if (utf8Bytes(part) > mostAnswerBytes + 100) {
        expect(cut).toContain("longer than 600000 bytes");
        expect(jsonBytes(message.content)).toBeLessThanOrEqual(mostAnswerBytes + 2);
        expect(`${part}short`).toContain(message.content);
      } else if (utf8Bytes(part) < mostAnswerBytes - 100) expect(cut).toBeUndefined();
    }
  }
});

it("makes no call of an answer that says too much, and tells the model", () => {
  const answer = new AIMessage({
    content: "x".repeat(mostAnswerBytes + 1),
    tool_calls: [{ type: "tool_call", id: "c", name: "ls", args: { path: "." } }],
  });
  const { message, cut } = checkAnswer(answer, [], "thread:task-1", "tool_calls");
  expect(whyUnusable([message], "c")).toContain(cut);
});

it("makes none of more calls than one answer may make, and keeps one that says so", () => {
  const most = Array.from({ length: mostCalls + 1 }, (_, at) => `id-${at}`);
  const { message } = checkAnswer(calling(...most), [], "thread:task-1", undefined);
  expect(message.tool_calls).toHaveLength(1);
  expect(whyUnusable([message], "id-0")).toContain("50 calls, and yours made 51");
  const fits = checkAnswer(calling(...most.slice(1)), [], "thread:task-1", undefined).message;
  expect(fits.tool_calls).toHaveLength(mostCalls);
  expect(whyUnusable([fits], "id-1")).toBeUndefined();
});

it("takes no plan and no question that nobody could read", () => {
  const steps = (count: number) => ({
    todos: Array.from({ length: count }, (_, at) => ({ content: `${at}`, status: "pending" })),
  });
  const [long] = check({ name: "write_todos", args: steps(501) });
  const wordyStep = { content: "字".repeat(40_000), status: "pending" };
  const [wordy] = check({ name: "write_todos", args: { todos: [wordyStep] } });
  const [plan, second, question, speech] = check(
    { name: "write_todos", args: steps(500) },
    { name: "write_todos", args: steps(1) },
    { name: "ask_human", args: { question: "Which?" } },
    { name: "ask_human", args: { question: "w".repeat(100_001) } },
  );
  expect([plan!.why, question!.why]).toEqual([undefined, undefined]);
  expect(second).toEqual({ args: {}, why: expect.stringContaining("set the plan once") });
  expect(long).toEqual({ args: {}, why: expect.stringContaining("this one has 501") });
  for (const one of [wordy!, speech!])
    expect(one).toEqual({ args: {}, why: expect.stringContaining("no person reads") });
});
