/** The run of a sub-agent must read as one thing, and a queued message where it was taken up. */
import { describe, expect, it } from "vitest";
import { transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { arrangeTranscript } from "./arrange-transcript.ts";

let position = 0;
const item = (id: string, kind: string, rest: Record<string, unknown> = {}) => {
  position += 1;
  return transcriptItemSchema.parse({ id, position, at: position, turnId: "one", kind, ...rest });
};
const user = (id: string, turnId: string, cancelled = false) =>
  item(id, "userMessage", { turnId, text: id, attachments: [], queued: false, cancelled });
const says = (id: string, turnId: string, agentPath: string[] = []) =>
  item(id, "agentMessage", { turnId, agentPath, text: id, partial: false });
const call = (id: string, tool: string, rest: Record<string, unknown> = {}) =>
  item(id, "toolCall", { agentPath: [], toolCallId: id, tool, args: {}, state: "running", ...rest });
const task = (id: string, name: string) => call(id, "task", { args: { subagent_type: name } });

describe("arrangeTranscript", () => {
  it("puts calls and messages of a sub-agent inside its task call", () => {
    const { order, children } = arrangeTranscript([
      user("m", "one"),
      task("t", "writer"),
      call("c", "execute", { parentItemId: "t", agentPath: ["writer"] }),
      says("s", "one", ["writer"]),
      says("end", "one"),
    ]);
    expect(order).toEqual(["m", "t", "end"]);
    expect(children.get("t")).toEqual(["c", "s"]);
  });

  it("does not guess when two sub-agents of one name work at once", () => {
    const { order } = arrangeTranscript([
      task("t1", "writer"),
      task("t2", "writer"),
      says("s", "one", ["writer"]),
    ]);
    expect(order).toEqual(["t1", "t2", "s"]);
  });

  it("shows an item whose task call is not loaded at the top level", () => {
    expect(arrangeTranscript([call("c", "execute", { parentItemId: "gone" })]).order).toEqual(["c"]);
  });

  it("puts a message that was queued where its turn begins, and one that waits at the end", () => {
    const sent = [user("a", "one"), says("x", "one"), user("b", "two"), user("c", "three")];
    expect(arrangeTranscript([...sent, says("y", "one")]).order).toEqual(["a", "x", "y", "b", "c"]);
    expect(arrangeTranscript([...sent, says("y", "one"), says("z", "two")]).order).toEqual([
      "a",
      "x",
      "y",
      "b",
      "z",
      "c",
    ]);
  });

  it("puts what is said of an answer without a word behind the message it answers", () => {
    const silent = item("s", "agentMessage", { turnId: "one", agentPath: [], text: "", partial: false });
    const notice = item("n", "notice", { turnId: "", level: "info", text: "It said nothing." });
    expect(arrangeTranscript([user("a", "one"), silent, notice]).order).toEqual(["a", "n"]);
  });

  it("leaves a message that was taken back where it was", () => {
    const { order } = arrangeTranscript([
      user("a", "one"),
      says("x", "one"),
      user("b", "two", true),
      says("y", "one"),
    ]);
    expect(order).toEqual(["a", "x", "b", "y"]);
  });
});
