/** Where the keys of the queue act: in its own view whatever has the focus, beside another view only within it. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type LiveQueue, openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed, makeCurrent, useQueue } from "./queue-store.ts";

const views = page.getByRole("navigation", { name: "Views" });
const focused = () => document.activeElement?.closest<HTMLElement>("[data-approval]")?.dataset.approval;
const current = () => useQueue.getState().currentId;

async function open(hash = "#/queue"): Promise<LiveQueue> {
  await page.viewport(1440, 900);
  const queue = openLiveQueue(
    Array.from({ length: 4 }, (_, at) => ({
      approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at + 1 }),
    })),
    { hash },
  );
  await vi.waitFor(() => expect(current()).toBe("c0"));
  return queue;
}

async function atCard(id: string): Promise<void> {
  await vi.waitFor(() =>
    expect([current(), isRead(id, `digest-${id}`), isArmed()]).toEqual([id, true, true]),
  );
}

const focus = (element: Element) => (element as HTMLElement).focus();

describe("in its own view", () => {
  it.each([
    ["nothing", () => (document.activeElement as HTMLElement).blur()],
    ["its icon", () => focus(views.getByRole("button", { name: /^Approvals/ }).element())],
    ["another view's icon", () => focus(views.getByRole("button", { name: "Settings" }).element())],
    [
      "a view of the queue",
      () => focus(region.getByRole("button", { name: "Waiting", exact: true }).element()),
    ],
    ["its order", () => focus(region.getByRole("button", { name: "Order: Oldest first" }).element())],
    ["a button of the card", () => focus(region.getByRole("button", { name: "More" }).element())],
  ])("they act while %s has the focus", async (_, act) => {
    const queue = await open();
    await atCard("c0");
    act();
    await userEvent.keyboard("j");
    await atCard("c1");
    act();
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(queue.decided.map(({ approval }) => approval.id)).toEqual(["c1"]));
  });

  it("they are letters while a field has the focus, and keys again once it has not", async () => {
    await open();
    await atCard("c0");
    await page.getByRole("searchbox", { name: "Search approvals" }).click();
    await userEvent.keyboard("jk");
    await expect.element(page.getByRole("searchbox", { name: "Search approvals" })).toHaveValue("jk");
    await page.getByRole("searchbox", { name: "Search approvals" }).clear();
    await vi.waitFor(() => expect(current()).toBe("c0"));
    await userEvent.keyboard("{Escape}j");
    await vi.waitFor(() => expect(current()).toBe("c1"));
  });

  it("the card that follows takes the focus of one that left, also where that fell to the page", async () => {
    const queue = await open();
    await atCard("c0");
    // It was at nothing of the queue before it fell to the page.
    focus(views.getByRole("button", { name: "Settings" }).element());
    (document.activeElement as HTMLElement).blur();
    queue.withdraw("c0");
    await vi.waitFor(() => expect([current(), focused()]).toEqual(["c1", "c1"]));
    queue.withdraw("c1");
    await vi.waitFor(() => expect([current(), focused()]).toEqual(["c2", "c2"]));
  });

  it("arrows go from card to card", async () => {
    await open();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
    await vi.waitFor(() => expect(current()).toBe("c1"));
    await userEvent.keyboard("{Shift>}G{/Shift}");
    await vi.waitFor(() => expect(current()).toBe("c3"));
    await userEvent.keyboard("gg");
    await vi.waitFor(() => expect(current()).toBe("c0"));
  });
});

describe("beside another view", () => {
  const atAgents = () => open("#/agents");

  it("arrows are that view's until the focus is on a card", async () => {
    await atAgents();
    await userEvent.keyboard("{ArrowDown}");
    expect([current(), focused()]).toEqual(["c0", undefined]);
    await userEvent.keyboard("j");
    await vi.waitFor(() => expect(focused()).toBe("c0"));
    // They are the list's own there, to scroll by.
    await userEvent.keyboard("j");
    await vi.waitFor(() => expect(focused()).toBe("c1"));
  });

  it("a card that leaves calls nobody away from that view", async () => {
    const queue = await atAgents();
    const button = views.getByRole("button", { name: "Settings" }).element();
    focus(button);
    queue.withdraw("c0");
    await vi.waitFor(() => expect(current()).toBe("c1"));
    expect(document.activeElement).toBe(button);
    (document.activeElement as HTMLElement).blur();
    queue.withdraw("c1");
    await vi.waitFor(() => expect(current()).toBe("c2"));
    expect(document.activeElement).toBe(document.body);
  });

  it("a card that leaves while it has the focus gives it to the next one", async () => {
    const queue = await atAgents();
    await userEvent.keyboard("j");
    await vi.waitFor(() => expect(focused()).toBe("c0"));
    queue.withdraw("c0");
    await vi.waitFor(() => expect(focused()).toBe("c1"));
    focus(region.getByRole("article", { name: "part-1" }).getByRole("button", { name: "Approve" }).element());
    queue.withdraw("c1");
    await vi.waitFor(() => expect(focused()).toBe("c2"));
  });

  it("a card that stands there and has lost the focus gives it to none that follows another", async () => {
    const queue = await atAgents();
    await userEvent.keyboard("j");
    await vi.waitFor(() => expect(focused()).toBe("c0"));
    (document.activeElement as HTMLElement).blur();
    makeCurrent("c1");
    queue.withdraw("c1");
    await vi.waitFor(() => expect(current()).toBe("c2"));
    expect(document.activeElement).toBe(document.body);
  });
});
