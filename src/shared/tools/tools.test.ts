import { describe, expect, it } from "vitest";
import { aboutApproval, aboutCall } from "./about-call.ts";
import { factsOf, kindOf, tools } from "./tools.ts";

describe("a tool's facts", () => {
  it.each(["mcp__git__log", "EXECUTE", "execute ", "", "constructor", "toString", "__proto__"])(
    "are not known of %j, which is foreign",
    (name) => {
      expect(factsOf(name)).toBeUndefined();
      expect(kindOf(name)).toBe("foreign");
    },
  );

  it("name no command and no change that an agent does not ask about", () => {
    const effects = Object.values(tools).filter(({ kind }) => ["command", "change", "web"].includes(kind));
    expect(effects.map(({ verb, asks }) => [verb, asks])).toEqual(effects.map(({ verb }) => [verb, true]));
  });
});

describe("what a call is about", () => {
  it.each([
    ["execute", { command: "npm test" }, "npm test"],
    ["write_file", { file_path: "a.ts", content: "x" }, "write_file a.ts"],
    ["grep", { pattern: "TODO", path: "src" }, "grep TODO  src"],
    ["grep", { pattern: "TODO", path: "/" }, "grep TODO"],
    ["task", { subagent_type: "writer", description: "\n Check links\nall" }, "task Check links"],
    ["task", { subagent_type: "writer" }, "task writer"],
    ["task", { description: "📦".repeat(90) }, `task ${"📦".repeat(80)}…`],
    ["mcp__git__log", { path: "a" }, 'mcp__git__log {"path":"a"}'],
    // What does not fit a tool is shown as it is.
    ["execute", { command: ["rm"] }, 'execute {"command":["rm"]}'],
    ["read_file", {}, "read_file {}"],
  ])("of %s %j", (tool, args, line) => {
    expect(aboutCall(tool, args)).toBe(line);
  });

  it("says of a card that the outcome is unknown, or the tool alone where there is no subject", () => {
    const recovery = { kind: "recovery" as const, what: "npm publish", startedAt: 1, output: "" };
    const subject = { ...recovery, executionId: "e" as never };
    expect(aboutApproval({ tool: "execute", subject })).toBe("Outcome unknown: npm publish");
    expect(aboutApproval({ tool: "mcp__a__b", subject: { kind: "arguments" } })).toBe("mcp__a__b");
  });
});
