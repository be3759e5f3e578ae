/** Threads that came to a halt stand among what waits, and go on by key and pointer. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { useRoute } from "../../base/navigation.ts";
import { useDrafts } from "../../base/stores/drafts-store.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleItem, sampleThread } from "../../testing/samples.ts";
import { rearm } from "./queue-store.ts";

const minute = 60_000;
/** In the middle of a minute: the page's clock ticks now and then, and may be a little behind. */
const at = (minutes: number) => Date.now() - (minutes + 0.5) * minute;

/** A request, a failed thread and an interrupted one, in this order of age. @param ended what is told of the last turn. */
function openHalted(ended: Record<string, unknown> = {}, width = 1440) {
  const forked = sampleThread("f1", { status: "new" });
  const threads = [
    sampleThread("t1", { waiting: 1 }),
    sampleThread("t2", {
      status: "failed",
      title: "Release 2.0.0",
      problem: "The model did not answer, 3 tries.",
      updatedAt: at(20),
    }),
    sampleThread("t3", {
      status: "interrupted",
      title: "Nightly tests",
      problem: "The app ended while it worked.",
      updatedAt: at(10),
    }),
    sampleThread("t4", { status: "failed", archived: true, updatedAt: at(30) }),
  ];
  const items = [
    sampleItem("m1", "userMessage", {
      text: "An older one",
      attachments: [],
      queued: false,
      cancelled: false,
    }),
    sampleItem("m2", "userMessage", { text: "Publish it", attachments: [], queued: false, cancelled: false }),
    sampleItem("e2", "turnEnd", { outcome: "failed", ...ended }),
  ];
  const host = openConsole(
    { threads, approvals: [sampleApproval("a1", "npm test", { requestedAt: at(40) })] },
    {
      "threads.page": () => ({ items, hasMore: false, hasNewer: false }),
      "threads.resume": () => ({}),
      "threads.setFlags": () => ({}),
      "threads.fork": () => forked,
    },
  );
  return { host, viewport: page.viewport(width, 900) };
}

const row = (name: RegExp) => region.getByRole("row", { name });

describe("threads that came to a halt", () => {
  it("stand among what waits by age, with their count, and not when archived or filtered out", async () => {
    const { viewport } = openHalted();
    await viewport;
    await expect
      .element(region.getByRole("grid", { name: "1 approval waits for you, 2 threads came to a halt" }))
      .toBeVisible();
    const names = () =>
      region
        .getByRole("row")
        .elements()
        .map((one) => one.getAttribute("aria-label"));
    // The window may still be taking its size.
    await expect
      .poll(names)
      .toEqual([
        expect.stringMatching(/^medium risk, Run npm test/),
        "failed, Release 2.0.0, The model did not answer, 3 tries., 20 min",
        "interrupted, Nightly tests, The app ended while it worked., 10 min",
      ]);
    await expect
      .element(
        page.getByRole("button", {
          name: "Approvals: 3: 1 approval waits for you, 2 threads came to a halt",
        }),
      )
      .toHaveTextContent("3");
    expect(document.title).toBe("(3) Countersign");
    await region.getByRole("searchbox", { name: "Search approvals" }).fill("nightly");
    await expect.element(row(/^interrupted/)).toBeVisible();
    expect(region.getByRole("row").elements()).toHaveLength(1);
  });

  it("go on by y, once and without deciding anything, and the next one takes their place", async () => {
    const { host, viewport } = openHalted();
    await viewport;
    await row(/^failed/).click();
    await expect.element(region.getByText("Publish it")).toBeVisible();
    await expect.element(region.getByRole("button", { name: "Retry" })).toBeEnabled();
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(host.inputsOf("threads.resume")).toMatchObject([{ threadId: "t2" }]));
    host.push("console.watch", {
      kind: "changes",
      seq: 2,
      removedThreads: [],
      approvals: [],
      removedApprovals: [],
      threads: [sampleThread("t2", { status: "running" })],
    });
    await expect.element(region.getByRole("button", { name: "Resume" })).toBeEnabled();
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^interrupted/);
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    expect(host.inputsOf("threads.resume")).toHaveLength(1);
  });

  it("take no key that comes before they could be seen", async () => {
    const { host, viewport } = openHalted();
    await viewport;
    await row(/^failed/).click();
    await expect.element(region.getByRole("button", { name: "Retry" })).toBeEnabled();
    // At once, however slow the machine is.
    rearm();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "y", code: "KeyY", bubbles: true }));
    await expect
      .element(region.getByText("It came up just now. Look at it, then press again."))
      .toBeVisible();
    expect(host.inputsOf("threads.resume")).toEqual([]);
  });

  it("are said in other words by c: the message waits in the field of a new thread", async () => {
    const { host, viewport } = openHalted();
    await viewport;
    await row(/^failed/).click();
    await expect.element(region.getByRole("button", { name: "Edit and resend" })).toBeEnabled();
    await armed();
    await userEvent.keyboard("c");
    await vi.waitFor(() => expect(useRoute.getState()).toMatchObject({ view: "thread", id: "f1" }));
    expect(host.inputsOf("threads.fork")).toMatchObject([{ threadId: "t2", messageId: "m2" }]);
    expect(Object.values(useDrafts.getState()).map(String).join()).toContain("Publish it");
  });

  it("offer no retry where the same cannot work, say so, and can be archived", async () => {
    const { host, viewport } = openHalted({ retryable: false }, 480);
    await viewport;
    await page.getByRole("button", { name: "List" }).click();
    await row(/^failed/).click();
    await expect.element(region.getByText(/^Trying the same again cannot help/)).toBeVisible();
    expect(region.getByRole("button", { name: "Retry" }).elements()).toEqual([]);
    await armed();
    await userEvent.keyboard("y");
    await expect.element(region.getByText("This card does not take that decision.")).toBeVisible();
    expect(host.inputsOf("threads.resume")).toEqual([]);
    await region.getByRole("button", { name: "Archive" }).click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.setFlags")).toEqual([{ threadId: "t2", archived: true }]),
    );
  });
});
