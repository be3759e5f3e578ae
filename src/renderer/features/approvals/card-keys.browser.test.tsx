/** Cards are worked by keys, down to their decisions. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { armed, fileCard, openCards, region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

describe("the keys of a card", () => {
  it("w goes to why it asks, and the queue's keys go on from there", async () => {
    openCards([sampleApproval("a", "npm test"), sampleApproval("b", "npm run build", { requestedAt: 2 })]);
    await expect.element(region.getByRole("article").first()).toBeVisible();
    await userEvent.keyboard("jw");
    await expect.element(region.getByRole("group", { name: "Why it asks" }).last()).toHaveFocus();
    await userEvent.keyboard("k");
    await expect.element(region.getByRole("article").first()).toHaveFocus();
  });

  it("Enter goes to the decisions, the arrows along them, and Enter takes the one that has the focus", async () => {
    const host = openCards([sampleApproval("a", "npm test")]);
    await expect.element(region.getByRole("article")).toBeVisible();
    await userEvent.keyboard("j");
    await armed();
    await userEvent.keyboard("{Enter}");
    await expect.element(region.getByRole("button", { name: "Approve" })).toHaveFocus();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(region.getByRole("button", { name: "Always for…" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(region.getByRole("button", { name: "Reject" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ decision: { type: "reject" } }]),
    );
  });

  it("a held Enter on a red card presses Approve once and not twice", async () => {
    const host = openCards([sampleApproval("a", "rm -rf build", { risk: "high" })]);
    await expect.element(region.getByRole("article")).toBeVisible();
    await armed();
    await expect.element(region.getByRole("button", { name: "Approve" })).not.toHaveAttribute("data-locked");
    (region.getByRole("button", { name: "Approve" }).element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter>5/}");
    await expect
      .element(region.getByRole("button", { name: "Approve" }))
      .toHaveAttribute("aria-pressed", "true");
    expect(host.inputsOf("approvals.decide")).toEqual([]);
  });

  it("s snoozes, and y does nothing to a stale file change", async () => {
    const stale = { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: true };
    const host = openCards([fileCard({ subject: stale })]);
    await expect.element(region.getByRole("article")).toBeVisible();
    await armed();
    await userEvent.keyboard("y");
    await userEvent.keyboard("s");
    await vi.waitFor(() => expect(host.inputsOf("approvals.snooze")).toMatchObject([{ id: "f" }]));
    expect(host.inputsOf("approvals.decide")).toEqual([]);
  });

  it("s says until when it snoozes, as the card does then, and wakes what is snoozed", async () => {
    const host = openCards([fileCard()]);
    await expect.element(region.getByRole("article")).toBeVisible();
    await armed();
    await userEvent.keyboard("s");
    await expect.element(page.getByText(/^Snoozed until \d/).first()).toBeVisible();
    await userEvent.keyboard("gz");
    await expect.element(region.getByRole("article")).toHaveTextContent(/Snoozed until \d/);
    await armed();
    await userEvent.keyboard("s");
    await expect.poll(() => host.inputsOf("approvals.snooze").at(-1)).toEqual({ id: "f", until: null });
    await expect.element(page.getByText("Waits for you again").first()).toBeVisible();
  });

  it("Shift+K extends the selection upwards", async () => {
    openCards(["a", "b", "c"].map((id, index) => sampleApproval(id, `make ${id}`, { requestedAt: index })));
    await expect.element(region.getByRole("article").first()).toBeVisible();
    await userEvent.keyboard("{Shift>}G{/Shift}");
    await userEvent.keyboard("{Shift>}K{/Shift}");
    await expect.element(region.getByText("2 selected")).toBeVisible();
    await expect.element(region.getByRole("checkbox", { name: "Select make b" })).toBeChecked();
    await expect.element(region.getByRole("checkbox", { name: "Select make a" })).not.toBeChecked();
  });
});
