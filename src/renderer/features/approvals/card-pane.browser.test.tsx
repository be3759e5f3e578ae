/** The person's line below the decisions is drawn as far as the card was on the screen, and never further. */
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

const meter = region.getByRole("meter", { name: "Read" });
const told = () => Number(meter.element().getAttribute("aria-valuenow"));
const drawn = () => {
  const line = meter.element();
  const filled = line.firstElementChild?.getBoundingClientRect().width ?? 0;
  return Math.round((100 * filled) / line.getBoundingClientRect().width);
};
const script = (count: number) => Array.from({ length: count }, (_, at) => `make part-${at}`).join("\n");

it.each([
  ["fits", "make all"],
  ["is longer than the window", script(90)],
])("nothing of a card that %s is drawn as read while nobody sees it", async (_, command) => {
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  await page.viewport(1440, 900);
  openLiveQueue([{ approval: sampleApproval("a", command) }]);
  await expect.element(meter).toBeVisible();
  expect([told(), drawn()]).toEqual([0, 0]);
  const approve = region.getByRole("button", { name: "Approve", exact: true });
  await expect.element(approve).toHaveAttribute("data-locked");
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(told()).toBeGreaterThan(0));
  expect(drawn()).toBe(told());
  if (command === "make all") await vi.waitFor(() => expect([told(), drawn()]).toEqual([100, 100]));
  else expect(told()).toBeLessThan(100);
});

it("fills as the person reads on, as much as it says, and begins anew for the next card", async () => {
  await page.viewport(1440, 900);
  openLiveQueue([
    { approval: sampleApproval("a", script(90), { requestedAt: 1 }) },
    { approval: sampleApproval("b", script(91), { requestedAt: 2 }) },
  ]);
  const readOn = region.getByRole("button", { name: "Read on" });
  await expect.element(readOn).toBeVisible();
  const first = told();
  expect([first > 0, first < 100, drawn() === first]).toEqual([true, true, true]);
  await vi.waitFor(() => {
    // It may go at any moment: what is read by then is.
    for (const button of readOn.elements()) (button as HTMLElement).click();
    expect([told(), drawn()]).toEqual([100, 100]);
  });
  await userEvent.keyboard("j");
  await expect.element(region.getByText("2 of 2")).toBeVisible();
  await expect.element(readOn).toBeVisible();
  expect(told()).toBeLessThan(100);
  expect(drawn()).toBe(told());
});
