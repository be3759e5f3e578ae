/** What says that the host does not answer comes and goes without moving anything. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { openConsole } from "../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../testing/samples.ts";

it.each([1440, 480])("leaves everything where it was at %i px", async (width) => {
  await page.viewport(width, 900);
  const host = openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [sampleApproval("a", "npm test")] },
    {},
  );
  await expect.element(page.getByRole("article")).toBeVisible();
  const places = () =>
    ["main", "article", "[data-decisions]", "footer"].map((selector) => {
      const { left, top, width, height } = document.querySelector(selector)!.getBoundingClientRect();
      return [selector, left, top, width, height].join();
    });
  const before = places();
  host.setState("offline");
  await expect.element(page.getByText(/^The host does not answer/)).toBeVisible();
  expect(places()).toEqual(before);
  host.setState("online");
  await vi.waitFor(() => expect(page.getByText(/^The host does not answer/).elements()).toEqual([]));
  expect(places()).toEqual(before);
});
