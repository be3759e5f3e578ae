/** An open thread carries its own requests: whole, with their decisions and keys, and nobody else's. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { armed, cardOf, region } from "../../testing/open-cards.ts";
import { call, lastPosition, sampleApproval } from "../../testing/samples.ts";

const message = page.getByRole("textbox", { name: "Message" });
const focused = () => document.activeElement?.getAttribute("data-approval");

const lines = (count: number) => Array.from({ length: count }, (_, at) => `make part-${at}`).join("\n");
const other = { threadId: "t2", threadTitle: "Thread t2" };

async function openThread(approvals = mixed(), hash = "#/thread/t1") {
  const queue = openLiveQueue(
    approvals.map((approval) => ({ approval })),
    { hash },
  );
  const items = approvals.map((one) =>
    call(one.itemId, {
      args: { command: one.subject.kind === "command" ? one.subject.command : "" },
      state: "waiting",
      outcome: undefined,
      approvalId: one.id,
    }),
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(queue.host.push("threads.watch", first)).toBeGreaterThan(0));
  return queue;
}

const mixed = () => [
  sampleApproval("z", "npm publish", { requestedAt: 1, ...other }),
  sampleApproval("a", "npm test", { requestedAt: 2 }),
  sampleApproval("b", "npm run build", { requestedAt: 3 }),
];

describe.each([
  [1440, 900],
  [1024, 720],
  [480, 800],
])("at %i x %i", (width, height) => {
  it("Escape leads from the message to the card, keys decide it, and the next one is there", async () => {
    await page.viewport(width, height);
    const queue = await openThread();
    await expect.element(cardOf("npm test")).toBeVisible();
    await expect.element(message).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(focused()).toBe("a"));
    await armed();
    await userEvent.keyboard("y");
    await expect.element(cardOf("npm run build")).toBeVisible();
    expect(queue.decided.map(({ approval }) => approval.id)).toEqual(["a"]);
    await vi.waitFor(() => expect(focused()).toBe("b"));
    await armed();
    await userEvent.keyboard("z");
    await vi.waitFor(() => expect(focused()).toBe("a"));
  });

  it("its decisions stand on the screen whatever the card says, and what is not read to its end is not approved", async () => {
    await page.viewport(width, height);
    const queue = await openThread([sampleApproval("a", lines(30))]);
    const approve = region.getByRole("button", { name: "Approve" });
    await expect.element(approve).toBeInViewport({ ratio: 0.98 });
    await expect.element(message).toBeInViewport({ ratio: 0.98 });
    await expect.element(approve).toHaveAttribute("data-locked");
    await expect.element(message).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await armed();
    await userEvent.keyboard("y");
    await expect.element(region).toHaveTextContent("Not all of it was on the screen yet.");
    expect(queue.decided).toEqual([]);
    for (let presses = 0; queue.decided.length === 0 && presses < 20; presses += 1) {
      await armed();
      await userEvent.keyboard("y");
    }
    expect(queue.decided).toHaveLength(1);
    await expect.element(region).not.toBeInTheDocument();
  });
});

it("on a narrow window leaves some of the conversation, and nothing lies over the line of agents", async () => {
  await page.viewport(320, 640);
  await openThread([sampleApproval("a", lines(30))]);
  const strip = page.getByRole("contentinfo");
  await expect.element(region.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 0.98 });
  const send = page.getByRole("button", { name: "Send", exact: true });
  const bottom = send.element().getBoundingClientRect().bottom;
  expect(bottom).toBeLessThanOrEqual(strip.element().getBoundingClientRect().top);
  const log = page.getByRole("log", { name: "Conversation" });
  expect(log.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(90);
  // Of a window of 640 pixels the words of the card have three eighths.
  expect(document.querySelector("[data-card-scroll]")?.clientHeight).toBeGreaterThanOrEqual(240);
  const title = page.getByRole("heading", { level: 1 }).element().getBoundingClientRect();
  expect(title.width).toBeGreaterThanOrEqual(80);
  const decisions = [...document.querySelectorAll<HTMLElement>("[data-decisions] button")].filter((one) =>
    one.checkVisibility(),
  );
  expect(new Set(decisions.map((one) => Math.round(one.getBoundingClientRect().top))).size).toBe(1);
});

it("at 200 % still shows some lines of the request and of the conversation", async () => {
  await page.viewport(720, 450);
  await openThread([sampleApproval("a", lines(30))]);
  await expect.element(region.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 0.98 });
  expect(document.querySelector("[data-card-scroll]")?.clientHeight).toBeGreaterThanOrEqual(130);
  const log = page.getByRole("log", { name: "Conversation" });
  expect(log.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(50);
});

it("another thread's requests are only counted, and are never under the keys", async () => {
  await page.viewport(1440, 900);
  const queue = await openThread(mixed().slice(0, 1));
  await expect.element(page.getByRole("button", { name: "1 waits in another thread" })).toBeVisible();
  await expect.element(region).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("y");
  await expect.element(page.getByText("Nothing of this thread waits.").first()).toBeVisible();
  expect(queue.decided).toEqual([]);
  await page.getByRole("button", { name: "1 waits in another thread" }).click();
  await expect.element(region.getByRole("article", { name: "npm publish" })).toBeVisible();
});

it("the call that waits leads to its request", async () => {
  await page.viewport(1440, 900);
  await openThread();
  const log = page.getByRole("log", { name: "Conversation" });
  const call = log.getByRole("article", { name: "Run npm run build" });
  await expect.element(call).toBeVisible();
  // Its request says it whole; here it is one line.
  expect(call.element().getBoundingClientRect().height).toBeLessThanOrEqual(40);
  await call.getByRole("button", { name: "Show the request" }).click();
  await expect.element(cardOf("npm run build")).toBeVisible();
  await vi.waitFor(() => expect(focused()).toBe("b"));
});

it("arrows and Space are the conversation's as long as the card has not the focus", async () => {
  await page.viewport(1440, 900);
  await openThread();
  await expect.element(cardOf("npm test")).toBeVisible();
  const log = page.getByRole("log", { name: "Conversation" });
  await expect.element(log).toBeVisible();
  (log.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(cardOf("npm test")).toBeVisible();
  await userEvent.keyboard("j");
  await expect.element(cardOf("npm run build")).toBeVisible();
});
