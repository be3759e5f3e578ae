/** The queue without eyes or a mouse: by what the accessibility tree says, by Tab, and with targets that a hand can hit. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards } from "../../testing/mixed-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isArmed, makeCurrent, useQueue } from "./queue-store.ts";

const region = page.getByRole("region", { name: "Approvals" });
const script = Array.from(
  { length: 13 },
  (_, at) => `pg_dump 商店-${at} > "backup-${at}.dump" # ${"长 ".repeat(20)}`,
);

const few = () => [
  {
    approval: sampleApproval("a", script.join("\n"), {
      requestedAt: 1,
      risk: "medium",
      said: { text: "I back up first. 先备份。", leftOut: 2_000 },
      verdict: {
        verdict: "ask",
        units: script.map((text, at) => ({ text, verdict: "ask", reason: `Reason ${at} of many.` })),
      },
    }),
  },
  { approval: sampleApproval("b", "make part-1", { requestedAt: 2, shape: "make", risk: "low" }) },
  { approval: sampleApproval("c", "make part-2", { requestedAt: 3, shape: "make", risk: "low" }) },
];

const reach = {
  facts: [{ kind: "leaves" as const, to: ["db.internal"], more: false }],
  unknown: ["pg_dump"],
  unknownAll: false,
};

const focused = () => document.activeElement as HTMLElement;
const nameOfFocus = () => focused().getAttribute("aria-label") ?? focused().textContent ?? "";

it("comes to the first decision with at most ten presses of Tab, and past the frame with one", async () => {
  await page.viewport(1440, 900);
  openLiveQueue(few(), { reach });
  await expect.element(region.getByRole("article")).toBeVisible();
  (document.activeElement as HTMLElement).blur();
  let presses = 0;
  await userEvent.keyboard("{Tab}");
  presses += 1;
  expect(nameOfFocus()).toBe("Go to what this view is about");
  await userEvent.keyboard("{Enter}");
  presses += 1;
  expect(focused().dataset.approval).toBe("a");
  while (presses < 20 && focused().closest("[data-decisions]") === null) {
    await userEvent.keyboard("{Tab}");
    presses += 1;
  }
  expect(nameOfFocus()).toContain("Approve");
  expect(presses).toBeLessThanOrEqual(10);
});

it("is gone through from the first card to the last by roles, names and what is said aloud", async () => {
  await page.viewport(1440, 900);
  const { decided } = openLiveQueue(few(), { reach });
  await expect.element(page.getByRole("main", { name: "Approvals" })).toBeVisible();
  await expect.element(region.getByRole("heading", { level: 1 })).toHaveTextContent("Approvals");
  const steps = [
    ["Run, medium risk, 1 of 3", /pg_dump 商店-0/],
    ["Run, low risk, 1 of 2", /make part-1/],
    ["Run, low risk, 1 of 1", /make part-2/],
  ] as const;
  for (const [at, [heading, name]] of steps.entries()) {
    const card = region.getByRole("article", { name });
    await expect.element(card.getByRole("heading", { level: 2, name: heading })).toBeVisible();
    await expect.element(card.getByRole("group", { name: "Decisions" })).toBeVisible();
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    const approve = card.getByRole("button", { name: "Approve", exact: true });
    await vi.waitFor(() => expect(approve.element().hasAttribute("data-locked")).toBe(false));
    (approve.element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(decided).toHaveLength(at + 1));
    const left = steps.length - at - 1;
    const said = left === 1 ? "1 approval waits for you" : `${left} approvals wait for you`;
    const live = () => [...document.querySelectorAll("[aria-live=polite]")].map((one) => one.textContent);
    await vi.waitFor(() => expect(live()).toContain(said));
  }
});

it("says of a long script only the worst three reasons, and how many there are", async () => {
  await page.viewport(1440, 900);
  openLiveQueue(few(), { reach });
  const why = region.getByRole("group", { name: "Why it asks" });
  await expect.element(why).toHaveTextContent("Reason 2 of many.");
  await expect.element(why).not.toHaveTextContent("Reason 3 of many.");
  await why.getByRole("button", { name: "Show 10 more reasons" }).click();
  await expect.element(why).toHaveTextContent("Reason 12 of many.");
});

it("has a key for what waits, for alike ones, for what is snoozed and for what was decided", async () => {
  await page.viewport(1440, 900);
  openLiveQueue([
    ...few(),
    { approval: sampleApproval("z", "make later", { snoozedUntil: Date.now() + 600_000 }) },
  ]);
  await expect.element(region.getByRole("article")).toBeVisible();
  for (const [keys, view] of [
    ["gz", "snoozed"],
    ["gu", "shape"],
    ["gd", "decided"],
    ["gw", "all"],
  ] as const) {
    await userEvent.keyboard(keys);
    await vi.waitFor(() => expect(useQueue.getState().view).toBe(view));
  }
  await expect.element(region.getByRole("article", { name: /pg_dump/ })).toBeVisible();
});

describe.each([
  ["wide", 1440, 900],
  ["at 200 %", 720, 450],
  ["narrow", 480, 800],
  ["as narrow as a phone", 320, 640],
] as const)("%s", (_, width, height) => {
  it("the decisions about a command stand in one line, at the same place for every risk", async () => {
    await page.viewport(width, height);
    const commands = (["low", "medium", "high"] as const).map((risk, at) => ({
      approval: sampleApproval(risk, `make ${risk}`, {
        risk,
        requestedAt: at,
        allowedDecisions: ["approve", "edit", "reject", "respond"],
      }),
    }));
    openLiveQueue(commands, { reach });
    const approve = region.getByRole("button", { name: "Approve", exact: true });
    const edges: string[] = [];
    for (const { approval } of commands) {
      makeCurrent(approval.id);
      await expect.element(region.getByRole("article", { name: `make ${approval.id}` })).toBeVisible();
      const buttons = [...document.querySelectorAll("[data-decisions] button")].filter((one) =>
        one.checkVisibility(),
      );
      const tops = buttons.map((one) => Math.round(one.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      expect(buttons.every((one) => one.getBoundingClientRect().right <= width)).toBe(true);
      const { left, top } = approve.element().getBoundingClientRect();
      edges.push(`${left} ${top}`);
      if (width > 900)
        expect(approve.element().textContent).toBe(approval.risk === "high" ? "Approveholdy" : "Approvey");
    }
    expect(new Set(edges).size).toBe(1);
  });

  it("nothing to press is smaller than 24 pixels, and Approve is in view", async () => {
    await page.viewport(width, height);
    openLiveQueue([...few(), ...fortyCards().slice(0, 6)], { reach });
    const approve = region.getByRole("button", { name: "Approve", exact: true });
    await expect.element(approve).toBeVisible();
    const box = approve.element().getBoundingClientRect();
    expect(box.bottom).toBeLessThanOrEqual(window.innerHeight);
    const small = [
      ...document.querySelectorAll<HTMLElement>("button,a[href],input,select,textarea,summary,[role=row]"),
    ]
      .filter((one) => one.checkVisibility({ opacityProperty: false }) && !one.matches(".sr-only"))
      .map((one) => ({
        name: one.getAttribute("aria-label") ?? one.textContent,
        box: (one.closest("label") ?? one).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 23.5 || box.height < 23.5))
      .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`);
    expect(small).toEqual([]);
  });
});
