import { readFileSync } from "node:fs";
import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { isUntried, wayToGovern } from "./governing.ts";
import { Tripwire } from "./tripwire.ts";

const tools = { command: "/bin/sh", args: ["/data/door"] };

it("knows how the tools of three programs are switched off, started by exactly their words", () => {
  const known = [
    ["/usr/bin/claude-agent-acp", [], '"tools":[]'],
    ["codex-acp", [], "shell_tool"],
    ["/opt/opencode", ["acp"], "deny"],
  ] as const;
  for (const [command, args, word] of known) {
    const { meta, environment, mcpServers } = wayToGovern({ command, args: [...args] })!(tools);
    expect(JSON.stringify([meta, environment]).replaceAll("\\", "")).toContain(word);
    expect(JSON.stringify([environment, mcpServers])).toContain("/data/door");
    // Whatever else it is told could give back what is switched off.
    expect(wayToGovern({ command, args: [...args, "--yolo"] })).toBeUndefined();
  }
  // A file of the folder could name another mode.
  expect(wayToGovern({ command: "codex-acp", args: [] })!(tools).options).toEqual({ mode: "read-only" });
  for (const command of ["gemini", "/usr/bin/claude", "sh", "./codex-acp-2", "claude-agent-acp.sh"])
    expect(wayToGovern({ command, args: [] })).toBeUndefined();
  // As many words, and others: it would not speak the protocol, or not as it was tried.
  for (const args of [["serve"], [], ["ACP"], ["acp", "acp"], [""]])
    expect(wayToGovern({ command: "opencode", args }), args.join()).toBeUndefined();
  // No file has such a name, so nothing of that name was tried.
  for (const command of ["/opt/opencode/", "opencode/", "opencode/acp", "/opencode/.", ""])
    expect(wayToGovern({ command, args: ["acp"] }), command).toBeUndefined();
});

it("knows them too where npx fetches them, of an exact version that no folder stands in for", () => {
  const npx = (...args: string[]) => wayToGovern({ command: "/usr/bin/npx", args }) !== undefined;
  const apart = ["--prefix", "/", "--yes"];
  expect(npx(...apart, "@agentclientprotocol/claude-agent-acp@0.100.0")).toBe(true);
  expect(npx(...apart, "opencode-ai@1.18.33", "acp")).toBe(true);
  for (const words of [
    ["--yes", "@agentclientprotocol/codex-acp@2.6.0"],
    ["--prefix", ".", "--yes", "@agentclientprotocol/codex-acp@2.6.0"],
    [...apart, "--registry", "@agentclientprotocol/codex-acp@2.6.0"],
    [...apart, "@agentclientprotocol/codex-acp"],
    [...apart, "@agentclientprotocol/codex-acp@^2.6.0"],
    [...apart, "@agentclientprotocol/codex-acp@2.6.0", "--yolo"],
    [...apart, "@zed-industries/claude-code-acp@0.16.2"],
  ])
    expect(npx(...words), words.join(" ")).toBe(false);
  // Variables could give back what is switched off.
  const args = ["A=1", "npx", ...apart, "@agentclientprotocol/codex-acp@2.6.0"];
  expect(wayToGovern({ command: "env", args })).toBeUndefined();
});

it("tells calls of ours from acts past them, whatever an agent calls them", () => {
  const id = { toolCallId: "1" };
  const judge = (called: string[], ...told: Omit<ToolCallUpdate, "toolCallId">[]) => {
    const wire = new Tripwire();
    for (const tool of called) wire.noteCall(tool);
    return told.map((one) => wire.judge({ ...id, ...one }));
  };
  const codex = {
    title: "Tool",
    kind: "execute",
    rawInput: { server: "countersign", tool: "execute" },
  } as const;
  expect(judge(["execute"], { title: "mcp__countersign__execute" }, { status: "completed" })).toEqual([
    "ours",
    "ours",
  ]);
  expect(judge(["execute"], { title: "countersign_execute", kind: "other" })).toEqual(["ours"]);
  expect(judge(["execute"], { ...codex, status: "in_progress" }, { status: "completed" })).toEqual([
    "ours",
    "ours",
  ]);
  expect(judge([], { title: "mcp__countersign__execute" }, { status: "completed" })).toEqual([
    "ours",
    "pretended",
  ]);
  expect(judge(["execute"], { title: "ls", kind: "execute", status: "completed" })).toEqual(["past"]);
  for (const kind of ["edit", "delete", "move"] as const)
    expect(judge([], { kind, status: "pending" }, { status: "completed" })).toEqual(["own", "past"]);
  expect(judge([], { kind: "execute", status: "in_progress" }, { status: "failed" })).toEqual([
    "own",
    "past",
  ]);
  expect(judge([], { title: "Read", kind: "read", status: "completed" })).toEqual(["own"]);
  // By what it shows, whatever its kind.
  for (const content of [
    [{ type: "diff", path: "/w/a", newText: "a" }],
    [{ type: "terminal", terminalId: "1" }],
  ] as const)
    expect(judge([], { kind: "other", content: [...content] }, { status: "completed" })).toEqual([
      "own",
      "past",
    ]);
});

it("takes no command for one that was switched off, whatever it printed before it failed", () => {
  const wants = [
    "<tool_use_error>Error: No such tool available: Bash. Bash is disabled for this session, in subagents as well as here.</tool_use_error>",
    { error: "Model tried to call unavailable tool 'invalid'. Available tools: countersign_execute." },
  ];
  const failed = (rawOutput: unknown) =>
    new Tripwire().judge({ toolCallId: "1", kind: "execute", status: "failed", rawOutput });
  expect(wants.map(failed)).toEqual(["own", "own"]);
  for (const printed of [
    "No such tool available",
    `Exit code 1\n${wants[0]}`,
    `${wants[0]}\nand more`,
    { error: "tried to call unavailable tool" },
    { error: "Model tried to call unavailable tool 'x'. Available tools: a\nb" },
    [wants[0]],
  ])
    expect(failed(printed), JSON.stringify(printed)).toBe("past");
});

it("hides no act under the name of a call of ours that failed, nor under a title that names one", () => {
  const wire = new Tripwire();
  const ours = { title: "countersign_execute", kind: "execute" } as const;
  wire.noteCall("execute");
  expect(wire.judge({ toolCallId: "1", ...ours, status: "failed" })).toBe("ours");
  expect(wire.judge({ toolCallId: "2", ...ours, status: "completed" })).toBe("pretended");
  wire.noteCall("execute");
  const Meta = { claudeCode: { toolName: "Bash" } };
  expect(wire.judge({ toolCallId: "3", ...ours, _meta: Meta, status: "completed" })).toBe("past");
  // Nor under what its model wrote among the arguments.
  const rawInput = { command: "true", server: "countersign", tool: "execute" };
  const told = { toolCallId: "4", kind: "execute", title: "true", rawInput, _meta: Meta } as const;
  expect(wire.judge({ ...told, status: "completed" })).toBe("past");
});

it("takes what it was refused for not done, unless it says that it did it", () => {
  const wire = new Tripwire();
  const said = { kind: "edit", title: "Edit files" } as const;
  for (const toolCallId of ["1", "2"]) wire.noteRefused(toolCallId);
  expect(wire.judge({ toolCallId: "1", ...said, status: "failed" })).toBe("own");
  expect(wire.judge({ toolCallId: "2", ...said, status: "completed" })).toBe("past");
  expect(wire.judge({ toolCallId: "3", ...said, status: "failed" })).toBe("past");
});

it("knows with which version it was tried, and nothing of programs that nobody knows", () => {
  const codex = { command: "/usr/bin/codex-acp", args: [] };
  expect([isUntried(codex, "2.6.0"), isUntried(codex, "2.7.0"), isUntried(codex, undefined)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(isUntried({ command: "/usr/bin/other", args: [] }, "1")).toBe(false);
  // Those with which it is tried by `npm run test:agents`.
  const list = readFileSync(new URL("testing/real-agents.json", import.meta.url), "utf8");
  const tried = (JSON.parse(list) as { program: string; version: string }[]).map(({ program, version }) => {
    const args = program.endsWith("/opencode") ? ["acp"] : [];
    return [
      wayToGovern({ command: program, args }) !== undefined,
      isUntried({ command: program, args }, version),
    ];
  });
  expect(tried).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [false, false],
  ]);
});
