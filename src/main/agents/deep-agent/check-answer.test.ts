import { AIMessage } from "langchain";
import { expect, it } from "vitest";
import { checkAnswer } from "./check-answer.ts";

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
