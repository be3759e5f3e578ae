/** The plan stands above the message field while the agent works by it, wherever the person reads. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { useSide } from "../../base/stores/side-store.ts";
import { openConsole } from "../../testing/open-console.ts";
import { lastPosition, sampleItem, sampleThread } from "../../testing/samples.ts";

const line = page.getByText("Plan 1 of 3");
const todos = [
  { content: "Read the orders", status: "completed" },
  { content: "Mend the sum", status: "in_progress" },
  { content: "Test it", status: "pending" },
];

async function openWith(status: "running" | "done") {
  useSide.setState({ chosen: false, asked: false, terminalId: undefined }, true);
  const host = openConsole({ threads: [sampleThread("t1", { status })], approvals: [] }, {}, "#/thread/t1");
  const items = [sampleItem("p", "plan", { todos })];
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}

it("names the step at work, and opens to all steps", async () => {
  await openWith("running");
  const plan = page.getByRole("group", { name: "Plan" });
  await expect.element(plan).toHaveTextContent("Plan 1 of 3Mend the sum");
  await line.click();
  await expect.element(plan.getByRole("listitem").nth(2)).toHaveTextContent("Test it");
  await line.click();
});

it("stands no longer there when the work is over, nor beside the panel that has it", async () => {
  await openWith("done");
  await expect.element(page.getByRole("article", { name: "Plan" })).toBeVisible();
  expect(line.elements()).toHaveLength(0);
});

it("leaves it to the panel beside the conversation", async () => {
  await openWith("running");
  await expect.element(line).toBeVisible();
  useSide.setState({ chosen: true });
  await expect.element(page.getByRole("region", { name: "Plan" })).toBeVisible();
  expect(line.elements()).toHaveLength(0);
});
