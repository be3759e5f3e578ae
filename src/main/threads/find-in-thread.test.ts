/** Finding in a thread: everything a person can read there, as it reads, and nothing that is not shown. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { called, type OpenLog, openLog, returned, said, sent } from "./testing/open-log.ts";

let open: OpenLog;
beforeEach(() => {
  open = openLog();
});
afterEach(() => open.close());

const never = new AbortController().signal;
const write = (...data: ThreadEventData[]) => open.log.append(open.threadId, data);
async function found(query: string): Promise<string[]> {
  const { hits } = await open.log.find(open.threadId, query, 1_000, never);
  return hits.map((hit) => hit.itemId);
}

describe("finding in a thread", () => {
  it("finds messages, reasoning, commands, their results and plans, in reading order", async () => {
    write(
      sent("asked", "Where is the lighthouse?"),
      said("thought", "", "Perhaps near the lighthouse road"),
      called("look", "execute", { command: "grep -r lighthouse ." }),
      called("read", "read_file", { file_path: "map.md" }),
      returned("read", "row 1: LIGHTHOUSE"),
      {
        type: "plan.changed",
        itemId: "plan",
        todos: [{ content: "Visit the lighthouse", status: "pending" }],
      },
      said("other", "Nothing of that kind"),
    );
    expect(await found("lighthouse")).toEqual(["asked", "thought", "look", "read", "plan"]);
  });

  it("takes signs as they are, any case of any script, and a gap for any white space", async () => {
    write(
      sent("signs", 'Is 100% of "a_b" in C:\\new\\(x)?'),
      sent("script", "ŻÓŁW i ÄPFEL"),
      sent("gap", "first line\n\n  second line"),
    );
    for (const query of ["100%", '"a_b"', "c:\\new", "(x)?"]) expect(await found(query)).toEqual(["signs"]);
    for (const query of ["%", "_", "?"]) expect(await found(query)).toEqual(["signs"]);
    for (const query of ["żółw", "äpfel"]) expect(await found(query)).toEqual(["script"]);
    expect(await found("line second")).toEqual(["gap"]);
    expect(await found("100_")).toEqual([]);
  });

  it("finds markdown as it reads and as it was written", async () => {
    write(said("a", "The parser **names the line** now, see [the notes](https://example.com/n)."));
    for (const query of ["names the line now", "**names", "see the notes.", "example.com"])
      expect(await found(query)).toEqual(["a"]);
  });

  it("finds the arguments a person put in place of the agent's, and the reason they gave", async () => {
    const approvalId = "approval" as ApprovalId;
    write(
      called("changed", "execute", { command: "rm old" }),
      {
        type: "approval.decided",
        itemId: "changed",
        approvalId,
        decision: { type: "edit", args: { command: "mv old new" } },
        by: { kind: "person" },
      },
      called("refused", "execute", { command: "ls" }),
      {
        type: "approval.decided",
        itemId: "refused",
        approvalId,
        decision: { type: "reject", message: "not before the release" },
        by: { kind: "person" },
      },
    );
    expect(await found("mv old")).toEqual(["changed"]);
    expect(await found("rm old")).toEqual([]);
    expect(await found("before the release")).toEqual(["refused"]);
  });

  it("finds nothing in what is stored and not shown", async () => {
    write(said("a", "hello"), called("b", "write_todos", { todos: [{ content: "hidden twin" }] }));
    for (const query of ["message.finished", "agentPath", "hidden twin"])
      expect(await found(query)).toEqual([]);
  });

  it("keeps the newest when there are more than asked for, and looks at no other thread", async () => {
    for (let index = 0; index < 250; index += 1) write(sent(`m${index}`, `step ${index}`));
    const some = await open.log.find(open.threadId, "step", 3, never);
    expect(some.hits.map((hit) => hit.itemId)).toEqual(["m247", "m248", "m249"]);
    expect(some.complete).toBe(false);
    expect(await open.log.find(open.threadId, "step", 250, never)).toMatchObject({ complete: true });
    expect(await open.log.find("elsewhere" as ThreadId, "step", 3, never)).toEqual({
      hits: [],
      complete: true,
    });
  });

  it("stops when nobody waits for the answer any more", async () => {
    for (let index = 0; index < 250; index += 1) write(sent(`m${index}`, `step ${index}`));
    const left = new AbortController();
    const finding = open.log.find(open.threadId, "step", 1_000, left.signal);
    left.abort();
    await expect(finding).rejects.toMatchObject({ name: "AbortError" });
  });

  it("says where a hit of the search over all threads stands", async () => {
    const [first, second] = write(sent("a", "zebra"), said("b", "a zebra crossing"));
    const places = open.log.search("zebra", 10).map(({ itemId, position }) => [itemId, position]);
    expect(places.sort()).toEqual([
      ["a", first?.seq],
      ["b", second?.seq],
    ]);
  });
});
