/** What a terminal shows of an approval before its digest. */
import { expect, it } from "vitest";
import type { ApprovalDetail } from "../../shared/contract/approvals.ts";
import type { RehearsedCommand } from "../../shared/contract/subjects.ts";
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

it("says of a rehearsed command all that a yes would put into the folder, and why one could not be", () => {
  const card = (rehearsed: RehearsedCommand): ApprovalDetail => ({
    approval: {
      ...{ id: "a" as never, kind: "tool", threadId: "t" as never, threadTitle: "Build", workspace: "/w" },
      ...{
        itemId: "i",
        agentPath: [],
        tool: "execute",
        verdict: { verdict: "ask", units: [] },
        risk: "high",
      },
      ...{ allowedDecisions: ["approve"], digest: "d", status: "pending", requestedAt: 0, shape: "s" },
      subject: { kind: "command", command: "make", cwd: "/w", rehearsed },
    },
    args: {},
  });
  const refused = ["curl: (6) Could not resolve host: a.example"];
  const changes = [{ path: "x\u202egpj.exe", what: "makes" as const, folder: false }];
  const said = describeWhole(card({ could: true, exitCode: 2, output: "half", refused, changes }));
  expect(said).toMatch(/exit code 2\. A yes puts exactly these changes/);
  expect(said).toMatch(/ {2}\| makes x.*U\+202E.*gpj\.exe/);
  expect(said).toMatch(/tried to reach:\n {2}\| curl.*\nIt printed:\n {2}\| half/);
  expect(describeWhole(card({ could: false, why: "It makes the link l." }))).toContain(
    "It cannot be rehearsed. It makes the link l.",
  );
});

it("shows what a request brought back, behind the margin, to its last character", () => {
  const card = {
    ...{ id: "a", kind: "response", threadId: "t", threadTitle: "Build", workspace: "/w", itemId: "i" },
    ...{ agentPath: [], tool: "fetch_url", verdict: { verdict: "ask", units: [] }, risk: "high" },
    ...{ allowedDecisions: ["approve"], digest: "d", status: "pending", requestedAt: 0, shape: "s" },
    subject: {
      kind: "response",
      request: "fetch_url https://a.example/",
      text: "a\u202e\nDigest: e",
      failed: false,
    },
  };
  const shown = describeWhole({ approval: card, args: {} } as unknown as ApprovalDetail);
  expect(shown).toContain("It brought back:\n  | a<U+202E>\n  | Digest: e\n");
});

it("names the answers that a question offers", () => {
  const card = {
    ...{ id: "a", kind: "tool", threadId: "t", threadTitle: "Build", workspace: "/w", itemId: "i" },
    ...{ agentPath: [], tool: "ask_human", verdict: { verdict: "new", units: [] }, risk: "medium" },
    ...{ allowedDecisions: ["respond"], digest: "d", status: "pending", requestedAt: 0, shape: "s" },
    subject: {
      kind: "question",
      question: "Which?",
      wants: "text",
      choices: [{ answer: "Red", about: "warm\u202e" }, { answer: "Blue" }],
    },
  };
  const shown = describeWhole({ approval: card, args: {} } as unknown as ApprovalDetail);
  expect(shown).toContain("Answers it offers:\n  | Red (warm<U+202E>)\n  | Blue\n");
});
