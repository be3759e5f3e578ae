import { AIMessage } from "langchain";
import { expect, it } from "vitest";
import { checkAnswer, whyUnusable } from "./check-answer.ts";

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

/** What becomes of calls that came as text over a stream. */
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
  const half = { name: "write_file", args: { file_path: "a", content: "x".repeat(900_000) } };
  const answers = check(half, half, half, { name: "ls", args: { path: "." } });
  expect(answers.map(({ why }) => why !== undefined)).toEqual([false, false, true, true]);
  expect(answers[2]).toEqual({ args: {}, why: expect.stringContaining("2000000 characters together") });
  expect(answers[0]!.args).toEqual(half.args);
});
