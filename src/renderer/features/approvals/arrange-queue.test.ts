/** Views must never hide what waits, and never fold a red one. */
import { describe, expect, it } from "vitest";
import { type Approval, approvalSchema } from "../../../shared/contract/approvals.ts";
import { arrangeRows, chooseApprovals } from "./arrange-queue.ts";
import { noFilters } from "./queue-store.ts";

const now = 1_000_000_000;

function approval(id: string, change: Partial<Approval> = {}): Approval {
  return approvalSchema.parse({
    id,
    kind: "tool",
    threadId: "t1",
    threadTitle: "Fix the build",
    workspace: "/home/ada/shop",
    itemId: `item-${id}`,
    agentPath: [],
    tool: "execute",
    subject: { kind: "command", command: `npm test ${id}`, cwd: "/home/ada/shop" },
    verdict: { verdict: "new", units: [{ text: `npm test ${id}`, verdict: "new", reason: "new" }] },
    risk: "medium",
    allowedDecisions: ["approve", "reject"],
    digest: `digest-${id}`,
    status: "pending",
    requestedAt: now - 60_000,
    shape: "npm test *",
    ...change,
  });
}

describe("chooseApprovals", () => {
  it("puts high risk first and older before newer in the urgent view", () => {
    const list = [
      approval("low", { risk: "low", requestedAt: now - 99_000 }),
      approval("medium", { requestedAt: now - 95_000 }),
      approval("high-new", { risk: "high", requestedAt: now - 1 }),
      approval("high-old", { risk: "high", requestedAt: now - 90_000 }),
    ];
    expect(chooseApprovals(list, "urgent", noFilters, now).map((one) => one.id)).toEqual([
      "high-old",
      "high-new",
      "medium",
      "low",
    ]);
  });

  it("puts no more than three cards of each server above what agents here ask, however many there are", () => {
    const ofServer = (id: string, server: string, at: number) => ({
      ...approval(id, { risk: "high", requestedAt: now - at }),
      server: { id: server } as Approval["server"],
    });
    const many = Array.from({ length: 1_000 }, (_, index) =>
      ofServer(`many-${index}`, "farm", 5_000 - index),
    );
    const list = [
      ...many,
      ofServer("other", "other", 10),
      approval("low", { risk: "low", requestedAt: now - 1 }),
      approval("high", { risk: "high", requestedAt: now - 1 }),
    ];
    const order = chooseApprovals(list, "urgent", noFilters, now).map((one) => one.id);
    expect(order.slice(0, 7)).toEqual(["many-0", "many-1", "many-2", "other", "high", "low", "many-3"]);
    expect(order).toHaveLength(list.length);
  });

  it.each(["all", "thread", "workspace", "shape"] as const)(
    "keeps the order of asking in the view %s",
    (view) => {
      const list = [approval("low", { risk: "low" }), approval("high", { risk: "high", requestedAt: now })];
      expect(chooseApprovals(list, view, noFilters, now).map((one) => one.id)).toEqual(["low", "high"]);
    },
  );

  it("keeps snoozed ones out of every view but their own, and gives them back when their time is over", () => {
    const list = [approval("a", { snoozedUntil: now + 1 }), approval("b")];
    expect(chooseApprovals(list, "all", noFilters, now).map((one) => one.id)).toEqual(["b"]);
    expect(chooseApprovals(list, "snoozed", noFilters, now).map((one) => one.id)).toEqual(["a"]);
    expect(chooseApprovals(list, "all", noFilters, now + 1)).toHaveLength(2);
  });

  it.each([
    ["risk", { risk: "high" as const }, { risk: "high" }],
    ["tool", { tool: "write_file" }, { tool: "write_file" }],
    ["thread", { threadId: "t2" }, { threadId: "t2" }],
    ["workspace", { workspace: "/home/ada/docs" }, { workspace: "/home/ada/docs" }],
    ["age", { olderThan: "60" as const }, { requestedAt: now - 60 * 60_000 }],
  ])("filters by %s, together with every other filter", (_what, filter, change) => {
    const list = [approval("hit", change as Partial<Approval>), approval("miss")];
    const find = (filters: Partial<typeof noFilters>) =>
      chooseApprovals(list, "all", { ...noFilters, ...filters }, now).map((one) => one.id);
    expect(find(filter)).toEqual(["hit"]);
    expect(find({ ...filter, search: "no such command" })).toEqual([]);
  });

  it("searches in command, thread and agent", () => {
    const list = [
      approval("a"),
      approval("b", { agentPath: ["researcher"] }),
      approval("c", { threadTitle: "Docs" }),
    ];
    const find = (search: string) =>
      chooseApprovals(list, "all", { ...noFilters, search }, now).map((one) => one.id);
    expect(find("NPM TEST C")).toEqual(["c"]);
    expect(find("resea")).toEqual(["b"]);
    expect(find("docs")).toEqual(["c"]);
  });
});

describe("arrangeRows", () => {
  it("folds equal commands into one row but leaves high risk ones and recoveries standing alone", () => {
    const rows = arrangeRows(
      [
        approval("a"),
        approval("b"),
        approval("red", { risk: "high" }),
        approval("lost", { kind: "recovery" }),
      ],
      "shape",
      new Set(),
    );
    expect(rows.map((row) => (row.kind === "alike" ? row.approvals.map((one) => one.id) : row.key))).toEqual([
      ["a", "b"],
      "red",
      "lost",
    ]);
  });

  it("never folds calls that one line does not tell apart", () => {
    const call = { tool: "mcp__files__remove", subject: { kind: "arguments" } } as const;
    const rows = arrangeRows([approval("a", call), approval("b", call)], "shape", new Set());
    expect(rows.map((row) => row.kind)).toEqual(["card", "card"]);
  });

  it("never folds what is more than one command, nor what leaves this machine", () => {
    const unit = { text: "touch a", verdict: "new", reason: "new" } as const;
    const two = { verdict: { verdict: "new", units: [unit, unit] } } as const;
    const leaves = { verdict: { verdict: "ask", units: [{ ...unit, class: "leaves" }] } } as const;
    for (const change of [two, leaves, { shape: "" }]) {
      const rows = arrangeRows(
        [approval("a", change as never), approval("b", change as never)],
        "shape",
        new Set(),
      );
      expect(rows.map((row) => row.kind)).toEqual(["card", "card"]);
    }
  });

  it("never folds what cannot simply be approved", () => {
    const question = { allowedDecisions: ["respond", "reject"] } as const;
    const list = ["a", "b"].map((id) => approval(id, question as never));
    expect(arrangeRows(list, "shape").map((row) => row.kind)).toEqual(["card", "card"]);
  });

  it("folds addresses of one form, and has the largest group above", () => {
    const address = (id: string) =>
      approval(id, {
        tool: "fetch",
        shape: "https://a.example/*",
        subject: { kind: "url", url: `https://a.example/${id}` },
      } as never);
    const list = [
      approval("a"),
      approval("b"),
      ...["u", "v", "w"].map(address),
      approval("alone", { shape: "" }),
    ];
    const rows = arrangeRows(list, "shape");
    expect(rows.map((row) => (row.kind === "alike" ? row.approvals.map((one) => one.id) : row.key))).toEqual([
      ["u", "v", "w"],
      ["a", "b"],
      "alone",
    ]);
  });

  it.each(["all", "urgent", "snoozed"] as const)("leaves each alone in the view %s", (view) => {
    const rows = arrangeRows([approval("a"), approval("b")], view);
    expect(rows.map((row) => row.key)).toEqual(["a", "b"]);
  });

  it("gives each folder a heading with its name and count", () => {
    const docs = { workspace: "/home/ada/docs" } as Partial<Approval>;
    const rows = arrangeRows([approval("a"), approval("b", docs), approval("c")], "workspace");
    expect(rows.map((row) => (row.kind === "heading" ? [row.label, row.count] : row.key))).toEqual([
      ["/home/ada/shop", 2],
      "a",
      "c",
      ["/home/ada/docs", 1],
      "b",
    ]);
  });

  it("shows the members below their row once it is opened", () => {
    const [folded] = arrangeRows([approval("a"), approval("b")], "shape", new Set());
    const rows = arrangeRows([approval("a"), approval("b")], "shape", new Set([folded?.key ?? ""]));
    expect(rows.map((row) => row.kind)).toEqual(["alike", "card", "card"]);
    expect(rows.map((row) => row.kind === "card" && row.within)).toEqual([false, true, true]);
  });

  it("gives each thread a heading with its count", () => {
    const rows = arrangeRows(
      [approval("a"), approval("b", { threadId: "t2" as Approval["threadId"] }), approval("c")],
      "thread",
      new Set(),
    );
    expect(rows.map((row) => (row.kind === "heading" ? row.count : row.kind))).toEqual([
      2,
      "card",
      "card",
      1,
      "card",
    ]);
  });
});
