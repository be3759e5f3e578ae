/** Each card begins at its own beginning, and the time of a decided row goes on where it is. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { useSettings } from "../../base/stores/settings-store.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

const undoButtons = () => page.getByRole("button", { name: "Undo" }).elements();
const commands = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at, shape: "make" }),
  }));

it("each card begins at its own beginning, wherever the one before it was left", async () => {
  await page.viewport(1440, 900);
  const script = (id: string) => Array.from({ length: 90 }, (_, at) => `make ${id}-${at}`).join("\n");
  openLiveQueue(
    ["a", "b"].map((id, at) => ({ approval: sampleApproval(id, script(id), { requestedAt: at }) })),
  );
  const box = () => document.querySelector<HTMLElement>("[data-card-scroll]");
  await expect.element(region.getByRole("article", { name: /^make a-0/ })).toBeVisible();
  await armed();
  await vi.waitFor(() => {
    box()!.scrollTop = 400;
    expect(box()!.scrollTop).toBeGreaterThan(300);
  });
  await userEvent.keyboard("j");
  await expect.element(region.getByRole("article", { name: /^make b-0/ })).toBeVisible();
  expect(box()!.scrollTop).toBe(0);
});

it("the line of a decided row goes on where the time is when its row is drawn anew", async () => {
  await page.viewport(480, 800);
  openLiveQueue(commands(3));
  await expect.element(region.getByRole("article")).toBeVisible();
  await armed();
  await vi.waitFor(async () => {
    await userEvent.keyboard("y");
    expect(undoButtons()).toHaveLength(1);
  });
  // As after so much of the time.
  useSettings.setState(({ settings }) => ({ settings: { ...settings, undoGraceMs: 1_200_000 } }));
  await userEvent.keyboard("l");
  await vi.waitFor(() => expect(document.querySelector("[data-decided]")).not.toBeNull());
  const line = document.querySelector<HTMLElement>("[data-decided] [style*='animation-delay']");
  // Ten of the twenty minutes are left at the most.
  expect(Number.parseFloat(line?.style.animationDelay ?? "0")).toBeLessThanOrEqual(-600_000);
});
