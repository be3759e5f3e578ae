/** Whatever stands in a card, it stays in its place: it runs out of nothing, over nothing, and looks like no word of the console. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import { asOwnWords, collisionsIn, coveredIn, outOf } from "../../testing/card-geometry.ts";
import { hostileTexts } from "../../testing/hostile-texts.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-approval]")];

/** A card of each kind with the text wherever others choose the words. */
function hostileCards(text: string): { approval: Approval; detail?: Omit<ApprovalDetail, "approval"> }[] {
  const around = {
    threadTitle: text,
    workspace: `/home/ada/${text}`,
    agentPath: [text],
    description: text,
    verdict: {
      verdict: "ask",
      units: [
        { text, verdict: "ask", reason: text, rule: text },
        { text: `${text} 2`, verdict: "new", reason: "No rule covers it yet.", class: "leaves" },
      ],
    },
    risk: "high",
  };
  const file = { kind: "file", operation: "edit", path: text, added: 1, removed: 1, stale: true };
  return [
    {
      approval: sampleApproval("c", text, {
        subject: { kind: "command", command: text, cwd: text },
        ...around,
      }),
    },
    {
      approval: sampleApproval("f", "", { tool: "edit_file", subject: file, ...around }),
      detail: { args: {}, diff: { path: text, before: `a ${text}`, after: `b ${text}`, tooLarge: false } },
    },
    {
      approval: sampleApproval("q", "", {
        kind: "interrupt",
        subject: { kind: "question", question: text, wants: "text" },
        allowedDecisions: ["respond", "reject"],
        ...around,
      }),
    },
    {
      approval: sampleApproval("m", "", { tool: `mcp__${text}`, subject: { kind: "arguments" }, ...around }),
      detail: { args: { [text.slice(0, 500)]: text } },
    },
  ];
}

function open(text: string, hash = "#/queue") {
  const cards = hostileCards(text);
  return openConsole(
    {
      threads: [sampleThread("t1", { waiting: cards.length, title: text })],
      approvals: cards.map((one) => one.approval),
    },
    {
      "approvals.get": ({ id }) => {
        const card = cards.find((one) => one.approval.id === id);
        if (!card) throw new Error("It is gone.");
        return { args: {}, ...card.detail, approval: card.approval };
      },
    },
    hash,
  );
}

/** So tall a window that all cards are drawn at once. */
const tall = 7_000;
const kinds = 4;

it.each(Object.entries(hostileTexts))(
  "%s stays in its place, in a narrow and a wide window",
  async (_, text) => {
    await page.viewport(480, tall);
    open(text);
    await vi.waitFor(() => {
      expect(cards()).toHaveLength(kinds);
      expect(document.querySelector("[data-unread].h-16")).toBeNull();
    });
    await document.fonts.ready;
    for (const width of [480, 1024]) {
      await page.viewport(width, tall);
      const found = cards().flatMap((card) => [
        ...outOf(card).map((problem) => `runs out of ${card.dataset.approval}: ${problem}`),
        ...collisionsIn(card).map((problem) => `collide in ${card.dataset.approval}: ${problem}`),
        ...coveredIn(card).map((problem) => `is covered in ${card.dataset.approval}: ${problem}`),
      ]);
      expect(cards().flatMap((card) => asOwnWords(card, text.slice(0, 12)))).toEqual([]);
      expect(found.slice(0, 8), `${width}`).toEqual([]);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    }
  },
);
