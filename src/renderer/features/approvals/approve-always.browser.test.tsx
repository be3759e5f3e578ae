/** Approves a card and keeps a rule for its like: offered only where a rule may answer, and both or neither. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { ruleIdSchema } from "../../../shared/ids.ts";
import { armed } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const card = page.getByRole("article");
const always = card.getByRole("button", { name: "Always for…" });
const dialog = page.getByRole("dialog", { name: "Approve, and from now on" });
const save = dialog.getByRole("button", { name: "Approve and save rule" });
const rule = {
  id: ruleIdSchema.parse("r1"),
  text: "npm test",
  effect: "allow",
  scope: "workspace",
  target: "command",
} as const;

function open(approval: Approval, answers: Parameters<typeof openConsole>[1] = {}) {
  return openConsole(
    {
      threads: [sampleThread("t1", { waiting: 1 })],
      approvals: [approval],
      settings: { undoGraceMs: 10_000 },
    },
    {
      "approvals.get": () => ({ approval, args: {}, proposal: { rule: "npm test", exact: false } }),
      "approvals.decide": () => ({
        outcomes: [
          {
            ok: true,
            approval: {
              ...approval,
              status: "decided",
              decision: { type: "approve" },
              effectiveAt: Date.now() + 3_600_000,
            },
          },
        ],
      }),
      "approvals.undo": () => ({ outcomes: [{ ok: true, approval }] }),
      "rules.preview": () => ({
        ok: true,
        exact: false,
        wouldApprove: 27,
        ofWhichRejected: 1,
        samples: ["npm test a", "npm test evil"],
        rejected: ["npm test evil"],
      }),
      "rules.add": () => rule,
      "rules.remove": () => ({}),
      ...answers,
    },
    "#/queue",
  );
}

const namesOf = (host: ReturnType<typeof open>) =>
  host.calls.map(({ name }) => name).filter((name) => /decide|undo|add|remove/.test(name));

/** What the dialog sends is held back like a key of the card, until that has stood there for a moment. */
async function pressAlways(): Promise<void> {
  await armed();
  await pressOnceRead(always);
}

/** What the rule would have decided makes the dialog longer when it comes: a press at that moment ends beside the button. */
async function pressSave(): Promise<void> {
  await expect.element(dialog).toHaveTextContent("Would have approved 27");
  await pressOnceRead(save);
}

/** While the dialog closes, keys are still its own. */
async function pressUndo(): Promise<void> {
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard("z");
}

describe("an approval with a rule", () => {
  it("shows what the rule would have answered, then approves and keeps the rule, in this order", async () => {
    const approval = sampleApproval("a", "npm test");
    const host = open(approval);
    await pressAlways();
    await expect.element(dialog).toHaveTextContent("Would have approved 27, 1 of which you rejected.");
    await expect
      .element(dialog)
      .toHaveTextContent("You rejected:npm test evilOf the others, the newest:npm test a");
    // It allows: there is nothing to choose.
    expect(dialog.getByRole("combobox", { name: "Effect" }).query()).toBeNull();
    expect(namesOf(host)).toEqual([]);
    // The card itself does not wait on.
    expect(host.inputsOf("rules.preview").at(-1)).toMatchObject({ except: "a" });
    await pressSave();
    await vi.waitFor(() => expect(namesOf(host)).toEqual(["approvals.decide", "rules.add"]));
    expect(host.inputsOf("approvals.decide")).toMatchObject([
      { items: [{ id: "a", digest: "digest-a", seen: { inFull: true } }], decision: { type: "approve" } },
    ]);
    expect(host.inputsOf("rules.add")).toMatchObject([
      { text: "npm test", effect: "allow", scope: "workspace", workspace: approval.workspace },
    ]);
  });

  it("is taken back with its rule, before the card waits again", async () => {
    const host = open(sampleApproval("a", "npm test"));
    await pressAlways();
    await pressSave();
    await vi.waitFor(() => expect(namesOf(host)).toContain("rules.add"));
    await pressUndo();
    await vi.waitFor(() => expect(namesOf(host).slice(2)).toEqual(["rules.remove", "approvals.undo"]));
    expect(host.inputsOf("rules.remove")).toEqual([{ id: "r1" }]);
  });

  it("is taken back with a rule that is still being kept", async () => {
    const kept = Promise.withResolvers<typeof rule>();
    const host = open(sampleApproval("a", "npm test"), { "rules.add": () => kept.promise });
    await pressAlways();
    await pressSave();
    await vi.waitFor(() => expect(namesOf(host)).toContain("rules.add"));
    await pressUndo();
    kept.resolve(rule);
    await vi.waitFor(() => expect(namesOf(host).slice(2)).toEqual(["rules.remove", "approvals.undo"]));
  });

  it("keeps no rule when it was taken back before the host answered", async () => {
    const approval = sampleApproval("a", "npm test");
    const decided = Promise.withResolvers<void>();
    const host = open(approval, {
      "approvals.decide": async () => {
        await decided.promise;
        const done = { ...approval, status: "decided" as const, effectiveAt: Date.now() + 3_600_000 };
        return { outcomes: [{ ok: true as const, approval: done }] };
      },
    });
    await pressAlways();
    await pressSave();
    await vi.waitFor(() => expect(namesOf(host)).toEqual(["approvals.decide"]));
    await pressUndo();
    decided.resolve();
    await vi.waitFor(() => expect(namesOf(host)).toEqual(["approvals.decide", "approvals.undo"]));
  });

  it("keeps no rule when the approval did not arrive", async () => {
    const approval = sampleApproval("a", "npm test");
    const host = open(approval, {
      "approvals.decide": () => ({ outcomes: [{ ok: false, reason: "It changed.", approval }] }),
    });
    await pressAlways();
    await pressSave();
    await expect.element(card.getByRole("alert")).toHaveTextContent("It changed.");
    expect(namesOf(host)).toEqual(["approvals.decide"]);
  });

  it("is asked for by a key, and only once the card was read", async () => {
    await page.viewport(1024, 500);
    const long = Array.from({ length: 50 }, (_, at) => `npm test part-${at}`).join(" \\\n");
    open(sampleApproval("a", long));
    await expect.element(always).toHaveAttribute("data-locked");
    await armed();
    await userEvent.keyboard("{Shift>}p{/Shift}");
    await expect
      .element(page.getByText("Not all of it was on the screen yet", { exact: false }))
      .toBeVisible();
    expect(dialog.query()).toBeNull();
  });
});

const asks = (change: object) => ({
  verdict: "ask",
  units: [{ text: "x", verdict: "ask", reason: "Always.", ...change }],
});

describe("is not offered for", () => {
  it.each([
    [
      "what leaves this machine",
      { verdict: { verdict: "new", units: [{ text: "x", verdict: "new", reason: "r", class: "leaves" }] } },
    ],
    [
      "what cannot be undone",
      { verdict: { verdict: "new", units: [{ text: "x", verdict: "new", reason: "r", class: "final" }] } },
    ],
    ["what asks every time", { verdict: asks({}) }],
    ["what is of high risk", { risk: "high" }],
    ["what is not here whole", { leftOut: 9 }],
    ["what cannot be approved", { allowedDecisions: ["reject"] }],
    [
      "a file",
      {
        tool: "delete",
        subject: { kind: "file", operation: "delete", path: "a", added: 0, removed: 1, stale: false },
      },
    ],
    ["arguments of a tool", { tool: "mcp__a__b", subject: { kind: "arguments" } }],
    ["an action of a foreign graph", { kind: "batch" }],
  ])("%s", async (_what, change) => {
    const host = open(sampleApproval("a", "npm test", change));
    await expect.element(card).toBeVisible();
    expect(always.query()).toBeNull();
    await armed();
    await userEvent.keyboard("{Shift>}p{/Shift}");
    await expect.element(page.getByText(/No rule can answer|does not take that decision/)).toBeVisible();
    expect(dialog.query()).toBeNull();
    expect(namesOf(host)).toEqual([]);
  });
});
