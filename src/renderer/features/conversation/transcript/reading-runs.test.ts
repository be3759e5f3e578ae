/** What is folded into one row must be nothing that a person would have to see. */
import { describe, expect, it } from "vitest";
import { transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { arrangeTranscript } from "./arrange-transcript.ts";
import { readingRunOf } from "./reading-runs.ts";

let position = 0;
const item = (id: string, kind: string, rest: Record<string, unknown>) => {
  position += 1;
  return transcriptItemSchema.parse({ id, position, at: position, turnId: "one", kind, ...rest });
};
const call = (id: string, tool: string, rest: Record<string, unknown> = {}) =>
  item(id, "toolCall", {
    agentPath: [],
    toolCallId: id,
    tool,
    args: {},
    state: "finished",
    outcome: "ok",
    ...rest,
  });
const says = (id: string, text = id) => item(id, "agentMessage", { agentPath: [], text, partial: false });

function runsIn(...list: ReturnType<typeof item>[]) {
  const part = {
    ...arrangeTranscript(list),
    items: new Map(list.map((one) => [one.id, one])),
    hasMore: false,
  };
  return list.map(({ id }) => readingRunOf(part, id)?.join(" "));
}

describe("a run of reading", () => {
  it("is what only read, in a row, whatever it read with", () => {
    expect(runsIn(call("a", "ls"), call("b", "read_file"), call("c", "grep"), call("d", "glob"))).toEqual(
      Array(4).fill("a b c d"),
    );
  });

  it("goes on over a model step that said nothing, and ends where something was said", () => {
    expect(
      runsIn(call("a", "ls"), says("m", ""), call("b", "ls"), says("n"), call("c", "ls"), call("d", "ls")),
    ).toEqual(["a b", undefined, "a b", undefined, "c d", "c d"]);
  });

  it("is told apart inside and outside of a sub-agent", () => {
    const inside = { parentItemId: "t", agentPath: ["writer"] };
    expect(
      runsIn(
        call("a", "ls"),
        call("t", "task"),
        call("b", "ls", inside),
        call("c", "ls", inside),
        call("d", "ls"),
      ),
    ).toEqual([undefined, undefined, "b c", "b c", undefined]);
  });

  it.each([
    ["a command", { tool: "execute" }],
    ["a change", { tool: "write_file" }],
    ["a page of the web", { tool: "fetch_url" }],
    ["a foreign tool", { tool: "mcp__files__read" }],
    ["what failed", { outcome: "failed" }],
    ["what was denied", { outcome: "denied" }],
    ["what a person was asked about", { approvalId: "x" }],
    ["what still runs", { state: "running", outcome: undefined }],
    ["what waits", { state: "waiting", outcome: undefined }],
  ])("never takes in %s", (_what, change) => {
    const odd = call("x", "read_file", change);
    expect(runsIn(call("a", "ls"), call("b", "ls"), odd, call("c", "ls"), call("d", "ls"))).toEqual([
      "a b",
      "a b",
      undefined,
      "c d",
      "c d",
    ]);
  });
});
