import { expect, it } from "vitest";
import { printAnswer, readRequest } from "./hook-words.ts";

const said = {
  hook_event_name: "PermissionRequest",
  session_id: "s",
  cwd: "/work",
  tool_name: "Bash",
  tool_input: { command: "rm -rf build" },
};
const read = (change: object, agent = "claude-code") =>
  readRequest(agent, JSON.stringify({ ...said, ...change }));
const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as object;

it("reads what an agent asks, whatever else it says", () => {
  expect(read({ permission_mode: "default", permission_suggestions: [{}] }, "codex")).toEqual({
    about: "permission",
    agent: "codex",
    session: "s",
    cwd: "/work",
    tool: "Bash",
    args: { command: "rm -rf build" },
  });
});

it.each([
  ["another agent", {}, "other"],
  ["another event", { hook_event_name: "PreToolUse" }],
  ["no arguments", { tool_input: undefined }],
  ["arguments that are a list", { tool_input: [] }],
  ["a name with half a character", { tool_name: "\ud800" }],
  ["a folder with an end in it", { cwd: "/work\0" }],
  ["a session that is too long in bytes", { session_id: "字".repeat(67) }],
  ["too many bytes", { tool_input: { text: "字".repeat(90_000) } }],
  ["too many levels", { tool_input: nested(101) }],
])("refuses %s", (_, change, agent?: string) => {
  expect(() => read(change, agent)).toThrow(expect.objectContaining({ code: "invalid-input" }));
});

it("refuses what is no JSON, and what is nested so deep that nobody could walk through it", () => {
  for (const text of ["", "{", `${"[".repeat(300_000)}${"]".repeat(300_000)}`])
    expect(() => readRequest("codex", text)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  expect(read({ tool_input: nested(99) }).args).toEqual(nested(99));
});

it("answers for one call alone", () => {
  const decisionOf = (text: string) => JSON.parse(text).hookSpecificOutput;
  const hookEventName = "PermissionRequest";
  const allowed = decisionOf(printAnswer({ behavior: "allow", message: "never said with an allow" }));
  expect(allowed).toEqual({ hookEventName, decision: { behavior: "allow" } });
  const denied = decisionOf(printAnswer({ behavior: "deny", message: "not\nthat" }));
  expect(denied).toEqual({ hookEventName, decision: { behavior: "deny", message: "not\nthat" } });
});
