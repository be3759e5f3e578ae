import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { wayToGovern } from "./governing.ts";
import { mergeCall, nothingSaid } from "./merge-call.ts";
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
  for (const command of ["gemini", "/usr/bin/claude", "sh", "./codex-acp-2", "claude-agent-acp.sh"])
    expect(wayToGovern({ command, args: [] })).toBeUndefined();
});

it("tells calls of ours from acts past them, whatever an agent calls them", () => {
  const id = { toolCallId: "1" };
  const judge = (called: string[], ...told: Omit<ToolCallUpdate, "toolCallId">[]) => {
    const wire = new Tripwire();
    for (const tool of called) wire.noteCall(tool);
    let said = nothingSaid;
    return told.map((one) => {
      const update = { ...id, ...one };
      said = mergeCall(said, update);
      return wire.judge(update, said);
    });
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
    "past",
  ]);
  expect(judge(["execute"], { title: "ls", kind: "execute", status: "completed" })).toEqual(["past"]);
  for (const kind of ["edit", "delete", "move"] as const)
    expect(judge([], { kind, status: "pending" }, { status: "completed" })).toEqual(["own", "past"]);
  expect(judge([], { kind: "execute", status: "in_progress" }, { status: "failed" })).toEqual([
    "own",
    "past",
  ]);
  // What was switched off, called all the same.
  const rawOutput = "Error: No such tool available: Bash";
  expect(judge([], { kind: "execute" }, { status: "failed", rawOutput })).toEqual(["own", "own"]);
  expect(judge([], { title: "Read", kind: "read", status: "completed" })).toEqual(["own"]);
});
