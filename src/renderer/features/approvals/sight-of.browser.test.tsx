/** What is said with a decision about what was on the screen of it, whichever way it was made. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed } from "./queue-store.ts";

const card = () => document.querySelector<HTMLElement>("[data-approval]");
const script = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `echo 第${at}行 ${"wide ".repeat(12)}`).join("\n");

async function ready(id: string, read = true): Promise<void> {
  await vi.waitFor(() => expect(card()?.dataset.approval).toBe(id));
  await vi.waitFor(() => expect(isArmed()).toBe(true));
  if (read) await vi.waitFor(() => expect(isRead(id, `digest-${id}`)).toBe(true));
}

const sent = (host: ReturnType<typeof openLiveQueue>["host"]) =>
  host
    .inputsOf("approvals.decide")
    .map(({ decision, items }) => [decision.type, items.map((one) => one.seen)]);

it("is that it was seen in full, or that the rest was passed over, or refused unread", async () => {
  await page.viewport(1440, 900);
  const { host } = openLiveQueue([
    { approval: sampleApproval("short", "make all", { requestedAt: 1 }) },
    { approval: sampleApproval("long", script(300), { requestedAt: 2 }) },
    { approval: sampleApproval("refused", script(300), { requestedAt: 3 }) },
  ]);
  await ready("short");
  await userEvent.keyboard("y");
  await ready("long", false);
  await region.getByRole("button", { name: "Take as read…" }).click();
  await region.getByRole("button", { name: "Decide without reading the rest" }).click();
  await region.getByRole("button", { name: "Approve", exact: true }).click();
  await ready("refused", false);
  await region.getByRole("button", { name: "Reject", exact: true }).click();
  await vi.waitFor(() => expect(sent(host)).toHaveLength(3));
  const onScreen = expect.any(Number);
  expect(sent(host)).toEqual([
    ["approve", [{ inFull: true, ms: onScreen }]],
    ["approve", [{ inFull: false, ms: onScreen }]],
    ["reject", [{ inFull: false, ms: onScreen }]],
  ]);
  for (const [, [seen]] of sent(host) as [string, { ms: number }[]][]) expect(seen?.ms).toBeGreaterThan(100);
});

it("is of each in a list what its line showed", async () => {
  await page.viewport(1440, 900);
  const file = { kind: "file", operation: "write", path: "a.ts", added: 1, removed: 0, stale: false };
  const { host } = openLiveQueue([
    { approval: sampleApproval("one", "make one", { requestedAt: 1, shape: "a" }) },
    {
      approval: sampleApproval("file", "", { requestedAt: 2, tool: "write_file", subject: file, shape: "b" }),
      // However long its card is there, not all of it is on the screen.
      detail: { args: {}, diff: { path: "a.ts", before: null, after: script(300), tooLarge: false } },
    },
  ]);
  await ready("one");
  await userEvent.keyboard("{Shift>}J{/Shift}");
  await userEvent.keyboard("{Shift>}N{/Shift}");
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Reject 2" }));
  await vi.waitFor(() => expect(sent(host)).toHaveLength(1));
  // Of the change the line shows the name and two numbers.
  expect(sent(host)).toMatchObject([["reject", [{ inFull: true }, { inFull: false }]]]);
});
