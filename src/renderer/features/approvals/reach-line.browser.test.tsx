/** What a card says of what its action would reach: facts with their worst first, in the words of the console. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Reach } from "../../../shared/contract/approvals.ts";
import { asOwnWords, collisionsIn, outOf } from "../../testing/card-geometry.ts";
import { hostileTexts } from "../../testing/hostile-texts.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

const facts = region.getByRole("list", { name: "What it reaches" });
const card = () => document.querySelector<HTMLElement>("[data-approval]") as HTMLElement;

function open(reach: Reach) {
  return openLiveQueue(
    [
      { approval: sampleApproval("a", "rm -rf 构建", { requestedAt: 1 }) },
      { approval: sampleApproval("b", "make", { requestedAt: 2 }) },
    ],
    { reach },
  );
}

it("is how much is lost, what git can undo, where it goes and what nobody knows", async () => {
  await page.viewport(1440, 900);
  open({
    facts: [
      { kind: "deletes", kept: 1, lost: 214, more: true },
      { kind: "leaves", to: ["hooks.example.com", "git remote origin"], more: true },
      { kind: "writes", kept: 3, lost: 0, created: 1, more: false },
    ],
    unknown: ["make"],
    unknownAll: false,
  });
  const items = facts.getByRole("listitem");
  for (const [at, words] of [
    "deletes 214 files, cannot be undone · deletes 1 file, git can undo · perhaps more",
    "leaves this machine: hooks.example.com, git remote origin and perhaps elsewhere",
    "writes 3 files, git can undo · writes 1 new file",
    "what else make does is not known before it runs",
  ].entries())
    await expect.element(items.nth(at)).toHaveTextContent(words);
});

it("says not that git can undo what its card says cannot be undone", async () => {
  await page.viewport(1440, 900);
  const units = [{ text: "rm -rf old", verdict: "ask", reason: "It deletes.", class: "final" }];
  const verdict = { verdict: "ask", units };
  openLiveQueue([{ approval: sampleApproval("a", "rm -rf old", { risk: "high", verdict }) }], {
    reach: {
      facts: [{ kind: "deletes", kept: 2, lost: 0, more: false }],
      unknown: [],
      unknownAll: false,
    },
  });
  await expect.element(facts.getByRole("listitem")).toHaveTextContent(/^deletes 2 files that git has$/);
});

it("stands on the narrow card beside another view, too", async () => {
  await page.viewport(1440, 900);
  const reach: Reach = {
    facts: [{ kind: "leaves", to: ["a.example"], more: false }],
    unknown: [],
    unknownAll: false,
  };
  const { host } = open(reach);
  location.hash = "#/agents";
  const [first] = await vi.waitFor(() => {
    const lists = facts.elements();
    expect(lists).toHaveLength(2);
    return lists;
  });
  await expect.element(first!).toHaveTextContent("leaves this machine: a.example");
  await vi.waitFor(() =>
    expect(new Set(host.inputsOf("approvals.reach").map(({ id }) => id))).toEqual(new Set(["a", "b"])),
  );
  for (const one of document.querySelectorAll<HTMLElement>("[data-approval]"))
    expect([outOf(one), collisionsIn(one)]).toEqual([[], []]);
});

it("claims nothing before it is known, and moves nothing when it comes", async () => {
  await page.viewport(1440, 900);
  const { host } = open({ facts: [{ kind: "leaves", to: [], more: false }], unknown: [], unknownAll: true });
  await vi.waitFor(() => expect(card().dataset.approval).toBe("a"));
  const why = () => card().querySelector("[data-why]")?.getBoundingClientRect().top;
  const before = why();
  expect(facts.getByRole("listitem").elements()).toHaveLength(0);
  await expect.element(facts).toHaveTextContent("leaves this machine, where to is not known");
  await expect.element(facts).toHaveTextContent("what else it does is not known before it runs");
  expect(why()).toBe(before);
  await userEvent.keyboard("j");
  await vi.waitFor(() => expect(card().dataset.approval).toBe("b"));
  await vi.waitFor(() => expect(host.inputsOf("approvals.reach").map(({ id }) => id)).toEqual(["a", "b"]));
});

it.each(Object.entries(hostileTexts))(
  "names no host and no program as the console's own words: %s",
  async (_, text) => {
    await page.viewport(1024, 720);
    const name = text.slice(0, 100);
    open({
      facts: [{ kind: "leaves", to: [name, "a.example"], more: false }],
      unknown: [name],
      unknownAll: false,
    });
    await expect.element(facts).toHaveTextContent("a.example");
    expect([outOf(card()), collisionsIn(card()), asOwnWords(card(), name.slice(0, 12))]).toEqual([
      [],
      [],
      [],
    ]);
  },
);

it("says so where nothing was found, in the room that was kept for it", async () => {
  await page.viewport(1440, 900);
  open({ facts: [], unknown: [], unknownAll: false });
  await expect
    .element(facts)
    .toHaveTextContent("no file is written or deleted, and nothing leaves this machine");
});
