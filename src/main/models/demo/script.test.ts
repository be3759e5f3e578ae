import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { parseInstruction } from "./instruction.ts";
import { locateScript } from "./script.ts";

const parseScript = (text: string, id = "m1") =>
  locateScript([new HumanMessage({ content: text, id })]).script;

const call = (tool: string, args: Record<string, unknown>) => ({ kind: "call", tool, args });

describe("an instruction line", () => {
  it.each([
    ["run echo hi && ls -la", call("execute", { command: "echo hi && ls -la" })],
    ["RUN ls", call("execute", { command: "ls" })],
    ["read notes.md", call("read_file", { file_path: "notes.md" })],
    ['read "my notes.md"', call("read_file", { file_path: "my notes.md" })],
    ["write a.txt one\\ntwo", call("write_file", { file_path: "a.txt", content: "one\ntwo" })],
    ["write a.txt C:\\\\new", call("write_file", { file_path: "a.txt", content: "C:\\new" })],
    ['write "a b.txt" x', call("write_file", { file_path: "a b.txt", content: "x" })],
    [
      "edit a.txt old => new",
      call("edit_file", { file_path: "a.txt", old_string: "old", new_string: "new" }),
    ],
    ["edit a.txt gone =>", call("edit_file", { file_path: "a.txt", old_string: "gone", new_string: "" })],
    ["delete a.txt", call("delete", { file_path: "a.txt" })],
    ["ls", call("ls", { path: "." })],
    ["glob **/*.ts", call("glob", { pattern: "**/*.ts" })],
    ["grep TODO", call("grep", { pattern: "TODO" })],
    ["ask Which colour?", call("ask_human", { question: "Which colour?" })],
    ["ask Which? | red | blue", call("ask_human", { question: "Which?", choices: ["red", "blue"] })],
    ["fetch https://example.com/", call("fetch_url", { url: "https://example.com/" })],
    ["search cats", call("web_search", { query: "cats" })],
    [
      "delegate helper: run ls ; read a ;; say done",
      call("task", { subagent_type: "helper", description: "run ls\nread a\n\nsay done" }),
    ],
    [
      'call mcp__files__write {"path": "a b.txt", "n": [1]}',
      { ...call("mcp__files__write", { path: "a b.txt", n: [1] }), byName: true },
    ],
    ["call pid", { ...call("pid", {}), byName: true }],
  ])("%s becomes its tool call", (line, expected) => {
    expect(parseInstruction(line)).toEqual(expected);
  });

  it.each([
    ["run", "run <command>"],
    ["write a.txt", "write <path>"],
    ["edit a.txt old", "edit <path> <old> => <new>"],
    ["delegate ls", "delegate <agent>"],
  ])("%s is not obeyed, for it lacks what it needs, and its form is told", (line, usage) => {
    expect(parseInstruction(line)).toEqual({ kind: "bad", why: expect.stringContaining(usage) });
  });

  it.each(["please run ls", "hello"])("%s is none", (line) => {
    expect(parseInstruction(line)).toBeUndefined();
  });
});

describe("a line that calls a tool by its name", () => {
  it.each([
    ["call echo {oops", /not JSON/],
    ["call echo hello", /not JSON/],
    ["call echo [1]", /must be a JSON object/],
    ["call echo null", /must be a JSON object/],
  ])("says why it is not obeyed: %s", (line, why) => {
    expect(parseInstruction(line)).toEqual({ kind: "bad", why: expect.stringMatching(why) });
  });
});

describe("a script", () => {
  it("plays the lines of one paragraph in parallel and starts a new turn at a blank line", () => {
    const { turns } = parseScript("run a\r\nrun b\r\n  \r\nrun c");
    expect(turns.map((turn) => turn.calls.map((c) => c.args.command))).toEqual([["a", "b"], ["c"]]);
  });

  it("gives every call an id of its own that depends on the message only", () => {
    const ids = (seed: string) =>
      parseScript("run a\nrun a\n\nrun a", seed).turns.flatMap((turn) => turn.calls.map((c) => c.id));
    expect(new Set([...ids("one"), ...ids("two")]).size).toBe(6);
    expect(ids("one")).toEqual(ids("one"));
  });

  it("joins a paragraph that only speaks to the next turn, because a turn without a call ends the run", () => {
    const { turns, closing } = parseScript("say first\n\nrun a\n\nsay last");
    expect(turns).toMatchObject([{ say: "first", calls: [{ name: "execute" }] }]);
    expect(closing).toBe("last");
  });

  it("gathers the to-do lines of a paragraph into one call, because the tool refuses two in a turn", () => {
    const { turns } = parseScript("todo [x] a\nrun ls\ntodo [>] b\ntodo c");
    expect(turns[0]?.calls.map((c) => c.name)).toEqual(["write_todos", "execute"]);
    expect(turns[0]?.calls[0]?.args).toEqual({
      todos: [
        { content: "a", status: "completed" },
        { content: "b", status: "in_progress" },
        { content: "c", status: "pending" },
      ],
    });
  });

  it("tours every part of the product on `demo tour`, with one write, one edit and two commands to decide about", () => {
    const names = parseScript("demo tour").turns.flatMap((turn) => turn.calls.map((c) => c.name));
    expect(names.filter((name) => ["write_file", "edit_file", "execute"].includes(name))).toEqual([
      "write_file",
      "edit_file",
      "execute",
      "execute",
    ]);
    expect(names).toEqual(expect.arrayContaining(["write_todos", "ls", "task"]));
  });
});
