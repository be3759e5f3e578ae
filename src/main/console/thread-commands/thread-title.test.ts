import { expect, it } from "vitest";
import { titleOf } from "./thread-title.ts";

it.each([
  ["Fix the login\nand the rest", "Fix the login"],
  ["  \n ", "New thread"],
  ['call ls {"path": "src"}', "ls src"],
  ['call execute {"command": "npm test\\nnpm run build"}', "npm test"],
  ['Call mcp__files__move {"from": "a", "to": "b"}', "Call mcp__files__move"],
  ['call execute {"comand": "npm test"}', "call execute"],
  ["call ls", "call ls"],
  ['call read_file {"file_path": ', 'call read_file {"file_path":'],
  ['{"name": "shop"}', "JSON"],
  ['{\n  "name": "shop"\n}', "JSON"],
  ['Why is this wrong? {\n  "name": "shop"\n}', "Why is this wrong?"],
  ["Explain {braces} and [brackets]", "Explain {braces} and [brackets]"],
])("a thread that begins with %j is named %j", (text, title) => {
  expect(titleOf(text)).toBe(title);
});

it("is cut at a word, or where there is none", () => {
  expect(titleOf("word ".repeat(20))).toBe(`${"word ".repeat(12).trim()}…`);
  expect(titleOf("x".repeat(200))).toBe(`${"x".repeat(30)}…`);
});
