/** The queue without eyes or a mouse: by what the accessibility tree says, by Tab, and with targets that a hand can hit. */
import { describe, expect, it, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { useHost } from "../../base/stores/host-store.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards, mixedCard } from "../../testing/mixed-cards.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { smallTargets } from "../../testing/small-targets.ts";
import { isArmed, makeCurrent, useQueue } from "./queue-store.ts";

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
  await expect.element(region.getByRole("article")).toHaveTextContent("I back up first. 先备份。");
  (document.activeElement as HTMLElement).blur();
  let presses = 0;
  await userEvent.keyboard("{Tab}");
  presses += 1;
  expect(nameOfFocus()).toBe("Go to what this view is about");
  await userEvent.keyboard("{Enter}");
  presses += 1;
  expect(focused().dataset.approval).toBe("a");
  expect(nameOfFocus()).toMatch(/^pg_dump 商店-0 .*… 13 lines$/);
  while (presses < 20 && focused().closest("[data-decisions]") === null) {
    await userEvent.keyboard("{Tab}");
    presses += 1;
  }
  expect(nameOfFocus()).toContain("Approve");
  expect(presses).toBeLessThanOrEqual(10);
});

/** Presses what has this name as who hears the page does: by its role, with the focus on it. */
async function press(button: Locator): Promise<void> {
  await vi.waitFor(() => expect(button.element().hasAttribute("data-locked")).toBe(false));
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
}

const gauge = region.getByRole("meter", { name: "Read" });
const percent = () => Number(gauge.element().getAttribute("aria-valuenow"));
const marks = (text: string) => [...text.matchAll(/§[\w-]+\.\d+§/g)].map(([mark]) => mark);

/** Reads on by its button until all was on the screen, and hears what comes. @returns the lines that were heard. */
async function readToEndByEar(): Promise<string[]> {
  const heard: string[] = [];
  const said = () => [...document.querySelectorAll("[aria-live=polite]")].map((one) => one.textContent);
  const readOn = region.getByRole("button", { name: "Read on" });
  await vi.waitFor(() => expect(percent() === 100 || readOn.elements().length > 0).toBe(true));
  while (percent() < 100) {
    const before = percent();
    await press(readOn);
    await vi.waitFor(() => {
      // Less where colours came meanwhile and broke lines elsewhere.
      expect(percent()).not.toBe(before);
      expect(said().some((text) => /was on the screen so far|That was all of it/.test(text))).toBe(true);
      expect(percent() === 100 || readOn.elements().length > 0).toBe(true);
    });
    // Who pressed it presses it again, without looking for it.
    if (percent() < 100) expect(document.activeElement).toBe(readOn.element());
    heard.push(...said().flatMap(marks));
  }
  return heard;
}

/** Decides what stands there, found by roles and names alone. @returns what the tree says of it. */
async function decideByEar(): Promise<string> {
  await vi.waitFor(() => expect(isArmed()).toBe(true));
  const heading = () => region.getByRole("heading", { level: 2 }).element().getAttribute("aria-label") ?? "";
  const group = region.getByRole("region", { name: /^\d+ of the same form$/ });
  if (group.elements().length > 0) {
    const name = `${group.element().getAttribute("aria-label")}, ${heading()}`;
    await press(group.getByRole("button", { name: /^Approve all/ }));
    const question = page.getByRole("dialog", { name: /^Approve \d+\?$/ });
    const go = question.getByRole("button", { name: /^Approve/ });
    await expect.element(go).toBeVisible();
    // Pressed before all of the list was on the screen, it leads on there.
    await vi.waitFor(async () => {
      for (const button of go.elements()) (button as HTMLElement).focus();
      await userEvent.keyboard("{Enter}");
      expect(question.elements()).toHaveLength(0);
    });
    return name;
  }
  const card = region.getByRole("article");
  const name = heading();
  await expect.element(card.getByRole("group", { name: "Decisions" })).toBeVisible();
  const drawn = marks(card.element().textContent);
  const heard = await readToEndByEar();
  const all = marks(card.element().textContent);
  expect(all.filter((mark) => !drawn.includes(mark) && !heard.includes(mark))).toEqual([]);
  if (all.length > drawn.length) expect(heard).toContain(all.at(-1));
  const answers = card.getByRole("group", { name: "Answers it offers" });
  if (answers.elements().length > 0) await press(answers.getByRole("button", { name: "yes" }));
  else await press(card.getByRole("button", { name: "Approve", exact: true }));
  if (name.includes("high risk")) await press(card.getByRole("button", { name: "Approve", pressed: true }));
  return name;
}

/** Some of which have to be read on; three of them are alike. */
const mixedKinds = [0, 10, 8, 1, 2, 4, 5, 6, 9, 11, 14, 16];

it("is gone through from the eighth of twelve mixed cards to the last by roles, names and what is said aloud, while others come and go", async () => {
  await page.viewport(1440, 900);
  const { pending, put, withdraw, decided } = openLiveQueue(
    mixedKinds.map((index, at) => mixedCard(`c${index}`, index, 1, { requestedAt: at })),
    { reach },
  );
  await expect.element(page.getByRole("main", { name: "Approvals" })).toBeVisible();
  await expect.element(region.getByRole("heading", { level: 1 })).toHaveTextContent("Approvals");
  const live = () => [...document.querySelectorAll("[aria-live=polite]")].map((one) => one.textContent);
  const heard: string[] = [];
  const decideNext = async () => {
    const before = decided.length;
    heard.push(await decideByEar());
    await vi.waitFor(() => expect(decided.length).toBeGreaterThan(before));
    const left = pending().length;
    const said = left === 1 ? "1 approval waits for you" : `${left} approvals wait for you`;
    await vi.waitFor(() => expect(live()).toContain(left === 0 ? "" : said));
  };
  await expect.element(region.getByRole("article")).toBeVisible();
  await userEvent.keyboard("jjjjjjj");
  await expect.element(region.getByRole("article", { name: /c6-v1/ })).toBeVisible();
  await decideNext();
  put(mixedCard("late", 5, 1, { requestedAt: 90_000 }));
  await decideNext();
  withdraw("c11");
  await decideNext();
  await userEvent.keyboard("gu");
  while (pending().length > 0) await decideNext();
  expect(heard).toEqual([
    "Answer, question, 8 of 12",
    "Write, medium risk, 8 of 12",
    "Write, medium risk, 8 of 10",
    "Answer, question, 6 of 7",
    "Run, high risk, 6 of 6",
    "Run, high risk, 5 of 5",
    "Write, medium risk, 4 of 4",
    "Call, medium risk, 3 of 3",
    "Run, medium risk, 2 of 2",
    "3 of the same form, Run, medium risk, 1 of 1",
  ]);
  expect(decided).toHaveLength(mixedKinds.length);
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
  ["on a small screen", 1024, 720],
  ["at 200 %", 720, 450],
  ["narrow", 480, 800],
  ["between two of these", 400, 800],
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
    await expect.element(approve).toBeVisible();
    // Where commands can be rehearsed, that is one button more.
    useHost.setState(({ host }) => ({ host: host && { ...host, sandbox: { state: "usable" } } }));
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
      // The keys stand in the buttons, or where these have no room for them in the line below.
      const inButton = approve.element().querySelector("kbd")?.checkVisibility();
      const legend = document.querySelector<HTMLElement>("[data-key-legend]");
      expect(legend?.checkVisibility()).toBe(!inButton);
      expect(legend?.textContent).toContain(approval.risk === "high" ? "yhold to approve" : "yapprove");
      const ends = legend?.firstElementChild?.getBoundingClientRect();
      if (!inButton) expect(ends?.bottom).toBeLessThanOrEqual(legend!.getBoundingClientRect().bottom);
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
    if (width < 900 && height >= 720) expect(box.height).toBe(40);
    expect(smallTargets()).toEqual([]);
  });
});
