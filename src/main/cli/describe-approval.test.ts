/** What a terminal shows of an approval before its digest. */
import { expect, it } from "vitest";
import type { ApprovalDetail } from "../../shared/contract/approvals.ts";
import { describeWhole } from "./describe-approval.ts";

it("says of a card of a server where it comes from, what else is answered with it, and what became of an answer before", () => {
  const detail: ApprovalDetail = {
    approval: {
      id: "a" as never,
      kind: "batch",
      threadId: "t" as never,
      threadTitle: "Build farm: please",
      workspace: "https://farm.test",
      itemId: "i",
      agentPath: [],
      tool: "rm",
      subject: { kind: "arguments" },
      verdict: { verdict: "ask", units: [] },
      risk: "high",
      allowedDecisions: ["approve", "reject"],
      digest: "d",
      status: "pending",
      requestedAt: 0,
      shape: "s",
      server: {
        id: "one",
        name: "Build farm",
        url: "https://farm.test",
        graph: "agent\u202e",
        assistant: "x",
        thread: "a-thread",
        checkpoint: null,
        task: "t",
        interrupt: "i",
        dialect: "javascript",
        among: 2,
        note: "Your answer was sent, and Build farm knows nothing of it.",
        standing: { kind: "waits" },
      },
    },
    args: {},
  };
  const shown = describeWhole(detail);
  expect(shown).toContain("Server: Build farm (https://farm.test), graph agent<U+202E>, thread a-thread\n");
  expect(shown).toContain("asks about 2 actions together");
  expect(shown).toContain("knows nothing of it");
});
