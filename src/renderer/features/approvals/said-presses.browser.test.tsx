/** A press that decides nothing says why, wherever the person is; what is long says how much of it is hidden. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { armed, cardOf, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const focused = () => document.activeElement?.getAttribute("data-approval");

/** @param answer what a decision waits for. */
function open(approvals: Approval[], hash: string, answer = Promise.resolve()) {
  const find = (id: string) => approvals.find((one) => one.id === id) as Approval;
  return openConsole(
    { threads: [sampleThread("t1", { waiting: 1 }), sampleThread("t2"), sampleThread("t3")], approvals },
    {
      "approvals.decide": async ({ items }) => {
        await answer;
        return {
          outcomes: items.map(({ id }) => ({ ok: true, approval: { ...find(id), status: "decided" } })),
        };
      },
      "approvals.get": ({ id }) => ({ approval: find(id), args: {} }),
    },
    hash,
  );
}

const two = () => [
  sampleApproval("a", "npm test", { requestedAt: 1 }),
  sampleApproval("b", "npm run build", { requestedAt: 2, threadId: "t2", threadTitle: "Thread t2" }),
];

it("in a window too low to show what is decided says so again and again, and decides once it is taller", async () => {
  await page.viewport(320, 256);
  const lines = Array.from({ length: 6 }, (_, at) => `echo step ${at}`).join("\n");
  const host = open([sampleApproval("a", lines)], "#/queue");
  // Before there is a card a press has nothing to act on, and says nothing.
  await expect.element(region.getByRole("article")).toBeInTheDocument();
  for (let presses = 0; presses < 2; presses += 1) {
    await armed();
    await userEvent.keyboard("y");
    await expect.element(region).toHaveTextContent("There is no room to show what you decide.");
  }
  expect(host.inputsOf("approvals.decide")).toEqual([]);
  await page.viewport(480, 800);
  await vi.waitFor(async () => {
    await armed();
    await userEvent.keyboard("y");
    expect(host.inputsOf("approvals.decide")).toHaveLength(1);
  });
});

describe("beside another view", () => {
  it.each(["y", "n", "j", "e"])("%s leads to the first card and says so", async (key) => {
    await page.viewport(1280, 800);
    const host = open(two(), "#/agents");
    await expect.element(cardOf("npm test")).toBeVisible();
    await armed();
    await userEvent.keyboard(key);
    await vi.waitFor(() => expect(focused()).toBe("a"));
    await expect.element(region).toHaveTextContent("Your keys act on this card now.");
    await expect.element(region.getByRole("textbox", { name: "Reason" })).not.toBeInTheDocument();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "a" }] }]),
    );
  });
});

describe("a press that comes too late", () => {
  it("says that the decision before it is on its way", async () => {
    const answer = Promise.withResolvers<void>();
    const host = open(two().slice(0, 1), "#/queue", answer.promise);
    await expect.element(cardOf("npm test")).toBeVisible();
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(host.inputsOf("approvals.decide")).toHaveLength(1));
    for (const key of ["y", "n", "c"]) await userEvent.keyboard(key);
    await expect.element(region).toHaveTextContent("Your decision on it is on its way.");
    await expect.element(region.getByRole("textbox")).not.toBeInTheDocument();
    expect(host.inputsOf("approvals.decide")).toHaveLength(1);
    answer.resolve();
    await expect.element(cardOf("npm test")).not.toBeInTheDocument();
  });

  it("says that the card is gone", async () => {
    const host = open(two().slice(0, 1), "#/queue");
    const approve = cardOf("npm test").getByRole("button", { name: "Approve" });
    await expect.element(approve).not.toHaveAttribute("data-locked");
    const button = approve.element() as HTMLElement;
    // Between its leaving and the next drawing.
    useApprovals.getState().replace([]);
    button.click();
    await expect.element(page.getByText("That card does not wait any more.").first()).toBeVisible();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
  });
});

describe("what is long", () => {
  it("says how much of a command is hidden, and stays locked until that was shown and seen", async () => {
    await page.viewport(1280, 800);
    const command = Array.from({ length: 100 }, (_, at) => `make part-${at}`).join("\n");
    const host = open([sampleApproval("a", command)], "#/queue");
    const approve = region.getByRole("button", { name: "Approve" });
    await expect.element(region.getByText("1–40 of 100 lines")).toBeInTheDocument();
    await region.getByRole("button", { name: "Show 60 more lines" }).click();
    await expect.element(region.getByText("All 100 lines")).toBeInTheDocument();
    await expect.element(approve).toHaveAttribute("data-locked");
    let presses = 0;
    for (; host.inputsOf("approvals.decide").length === 0 && presses < 20; presses += 1) {
      await armed();
      await userEvent.keyboard("y");
    }
    expect(presses).toBeGreaterThan(2);
  });

  it("says the reasons of a long script once each, the rest on demand", async () => {
    const host600 = `${"a".repeat(600)}.example`;
    const unit = (text: string, reason: string) => ({ text, verdict: "ask", reason });
    const units = [
      ...Array.from({ length: 30 }, (_, at) => unit(`make part-${at}`, "make runs what a file says.")),
      ...Array.from({ length: 8 }, (_, at) =>
        unit(`curl https://${host600}/${at}`, `It sends to ${host600} (${at}).`),
      ),
    ];
    open([sampleApproval("a", "make all", { verdict: { verdict: "ask", units } })], "#/queue");
    const why = region.getByRole("group", { name: "Why it asks" });
    await expect.element(why).toHaveTextContent("30 ×");
    expect(why.element().textContent?.match(/make runs what a file says/g)).toHaveLength(1);
    expect(why.element().textContent).not.toContain(host600);
    expect(why.element().textContent?.length).toBeLessThan(2_500);
    await why.getByRole("button", { name: "Show 6 more reasons" }).click();
    await expect.element(why).toHaveTextContent(host600);
    await expect.element(why).toHaveTextContent("make part-29");
  });
});

it("says that the host is frozen, and that it answers again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  const frozen = Promise.withResolvers<never>();
  openConsole({ threads: [], approvals: [] }, { "settings.get": () => frozen.promise });
  await vi.advanceTimersByTimeAsync(8_000);
  vi.useRealTimers();
  await expect.element(page.getByText("The host does not answer at the moment.")).toBeVisible();
  frozen.reject(new Error("late"));
  await expect.element(page.getByText("The host does not answer at the moment.")).not.toBeInTheDocument();
});
