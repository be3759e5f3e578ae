/** The queue as a person uses it by key, in a real browser over a scripted host. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ApprovalId } from "../../../shared/ids.ts";
import { stopClock } from "../../testing/hand-clock.ts";
import { armed, cardOf, region } from "../../testing/open-cards.ts";
import { openQueue, readOf, rowOf, two } from "../../testing/open-queue.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { armingMs } from "./queue-store.ts";

describe("deciding by key", () => {
  it("moves with j, approves with y, goes on to the next card and keeps the focus in the queue", async () => {
    const host = openQueue([...two(), sampleApproval("c", "npm run lint", { requestedAt: 3 })]);
    await expect.element(cardOf("npm test")).toBeVisible();
    await userEvent.keyboard("j");
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "b" }] }]),
    );
    await vi.waitFor(() => expect(document.activeElement?.getAttribute("data-approval")).toBe("c"));
  });

  it("ignores a decision key until the card has been current for a moment", async () => {
    const clock = stopClock();
    const host = openQueue(two());
    await expect.element(cardOf("npm test")).toBeVisible();
    await userEvent.keyboard("j");
    await readOf("b");
    clock.goOn(armingMs - 1);
    await userEvent.keyboard("y");
    await expect.element(region).toHaveTextContent("It came up just now.");
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    clock.goOn(1);
    await userEvent.keyboard("y");
    await expect.poll(() => host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "b" }] }]);
  });

  it("ignores a decision key right after typing in a field", async () => {
    const clock = stopClock();
    const host = openQueue(two());
    await page.getByRole("searchbox", { name: "Search approvals" }).fill("npm");
    (document.activeElement as HTMLElement).blur();
    await readOf("a");
    clock.goOn(1_999);
    await userEvent.keyboard("y");
    await expect.element(region).toHaveTextContent("You were typing a moment ago.");
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    // A key that was not typed on, well after the field: it counts again.
    clock.goOn(2_000);
    await userEvent.keyboard("y");
    await expect.poll(() => host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "a" }] }]);
  });

  it("leaves the focus in the search, whatever row its letters or another person take away", async () => {
    const host = openQueue(two());
    await readOf("a");
    const search = page.getByRole("searchbox", { name: "Search approvals" });
    await userEvent.keyboard("/");
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard("bur");
    await expect.element(rowOf("npm")).not.toBeInTheDocument();
    await userEvent.keyboard("{Backspace}");
    await expect.element(cardOf("npm run build")).toBeVisible();
    const none = { seq: 2, threads: [], removedThreads: [], approvals: [] };
    host.push("console.watch", { kind: "changes", ...none, removedApprovals: ["b" as ApprovalId] });
    await expect.element(cardOf("npm run build")).not.toBeInTheDocument();
    await userEvent.keyboard("ry");
    await expect.element(search).toHaveFocus();
    await expect.element(search).toHaveValue("bury");
  });

  it.each(["{Enter}", "{ArrowDown}"])(
    "%s leads from the search to what it found, and decides nothing",
    async (key) => {
      const host = openQueue(two());
      await readOf("a");
      await userEvent.keyboard("/");
      await userEvent.keyboard("build");
      await expect.element(cardOf("npm run build")).toBeVisible();
      await userEvent.keyboard(key);
      await expect.element(cardOf("npm run build")).toHaveFocus();
      expect(host.inputsOf("approvals.decide")).toEqual([]);
    },
  );

  it("rejects with a reason that the model reads", async () => {
    const host = openQueue(two());
    await expect.element(cardOf("npm test")).toBeVisible();
    await armed();
    await userEvent.keyboard("n");
    await page.getByRole("textbox", { name: "Reason" }).fill("use the other script");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { items: [{ id: "a" }], decision: { type: "reject", message: "use the other script" } },
      ]),
    );
  });

  it("wants a held key for a high risk", async () => {
    const host = openQueue([sampleApproval("a", "rm -rf build", { risk: "high" })]);
    await expect.element(cardOf("rm")).toBeVisible();
    await armed();
    // Both in one turn of the page, so that no pause between them counts as holding.
    for (const type of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(type, { key: "y", code: "KeyY", bubbles: true }));
    await expect.element(region).toHaveTextContent("High risk: keep the key down until the button is full.");
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    await userEvent.keyboard("{y>}");
    await vi.waitFor(() => expect(host.inputsOf("approvals.decide")).toHaveLength(1));
    await userEvent.keyboard("{/y}");
  });

  it("decides a selection after a question, and leaves the red ones out", async () => {
    const approvals = [...two(), sampleApproval("c", "rm -rf /", { risk: "high", requestedAt: 3 })];
    const host = openQueue(approvals);
    await expect.element(cardOf("npm test")).toBeVisible();
    await userEvent.keyboard("{Shift>}JJ{/Shift}");
    await userEvent.keyboard("{Shift>}Y{/Shift}");
    await expect.element(page.getByRole("dialog")).toHaveTextContent("2 medium risk.");
    await expect.element(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toHaveFocus();
    await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Approve 2" }));
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")[0]?.items.map((item) => item.id)).toEqual(["a", "b"]),
    );
    await expect.element(cardOf("rm -rf")).toBeVisible();
  });
});
