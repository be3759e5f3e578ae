/** Deciding many at once: nothing starts within the grace, one Undo for all, and an outcome for each. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval, DecideOutcome } from "../../../shared/contract/approvals.ts";
import { cardOf, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { showProblem } from "../../ui/toast.tsx";

const graceMs = 600_000;
/** A problem is there a second time for screen readers, outside of this. */
const messages = page.getByRole("region", { name: "Notifications" });
const undo = page.getByRole("button", { name: "Undo" });

const three = () => [
  sampleApproval("a", "npm test", { requestedAt: 1 }),
  sampleApproval("b", "npm run build", { requestedAt: 2 }),
  sampleApproval("c", "npm run lint", { requestedAt: 3, risk: "low" }),
];

/** @param refused why an approval is not decided, by its id. */
function open(
  approvals: Approval[],
  settings = { undoGraceMs: graceMs },
  refused: Record<string, string> = {},
) {
  const find = (id: string) => approvals.find((one) => one.id === id) as Approval;
  const decided = (id: string, grace: number): DecideOutcome => {
    const reason = refused[id];
    if (reason) return { ok: false, reason, approval: find(id) };
    const effectiveAt = Date.now() + grace;
    return { ok: true, approval: { ...find(id), status: "decided", effectiveAt } };
  };
  return openConsole(
    { threads: [sampleThread("t1", { waiting: approvals.length })], approvals, settings },
    {
      "approvals.decide": ({ items, graceMs: grace = 0 }) => ({
        outcomes: items.map(({ id }) => decided(id, grace)),
      }),
      "approvals.undo": ({ ids }) => ({ outcomes: ids.map((id) => ({ ok: true, approval: find(id) })) }),
    },
  );
}

async function decideAll(key: "Y" | "N", button: string): Promise<void> {
  await expect.element(cardOf("npm test")).toBeVisible();
  await userEvent.keyboard("{Shift>}JJ{/Shift}");
  await userEvent.keyboard(`{Shift>}${key}{/Shift}`);
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: button }));
}

describe("a bulk approve", () => {
  it("gives all the same grace, and one Undo takes all back", async () => {
    const host = open(three());
    await decideAll("Y", "Approve 3");
    await expect.element(page.getByRole("contentinfo")).toHaveTextContent("3 approved.");
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ graceMs, items: [{ id: "a" }, {}, {}] }]);
    await expect.element(region.getByRole("article")).not.toBeInTheDocument();
    await undo.click();
    expect(host.inputsOf("approvals.undo")).toEqual([{ ids: ["a", "b", "c"] }]);
    for (const command of ["npm test", "npm run build", "npm run lint"])
      await expect
        .element(region.getByRole("row", { name: command, selected: command === "npm test" }))
        .toBeVisible();
    await expect.element(undo).not.toBeInTheDocument();
    await expect.element(messages).toHaveTextContent("Taken back. All 3 wait again.");
  });

  it("is taken back by z as well", async () => {
    const host = open(three());
    await decideAll("Y", "Approve 3");
    await expect.element(undo).toBeVisible();
    await userEvent.keyboard("z");
    await vi.waitFor(() => expect(host.inputsOf("approvals.undo")).toHaveLength(1));
  });

  it("of trivial ones, or with the grace off, starts at once and says so", async () => {
    const host = open(three(), { undoGraceMs: 0 });
    await decideAll("Y", "Approve 3");
    await expect.element(messages).toHaveTextContent("3 approved.");
    await expect.element(undo).not.toBeInTheDocument();
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ graceMs: 0 }]);
  });

  it("reports each that could not be decided, on its card and by name, and takes back only the others", async () => {
    const host = open(three(), { undoGraceMs: graceMs }, { b: "The file changed since this was shown." });
    await decideAll("Y", "Approve 3");
    await expect.element(messages).toHaveTextContent("1 could not be decided.");
    await expect.element(messages).toHaveTextContent("npm run build: The file changed since this was shown.");
    await expect.element(cardOf("npm run build").getByRole("alert")).toHaveTextContent("The file changed");
    await undo.click();
    expect(host.inputsOf("approvals.undo")).toEqual([{ ids: ["a", "c"] }]);
  });
});

describe("the message about several that could not be decided", () => {
  it("has one line for each, however many lines its command has", async () => {
    const reason = "It was decided already.";
    const commands = ["npm test", "touch a\nnpm publish: approved.", "cat <<E\n\nrm -rf b\nE"];
    const requests = commands.map((command, at) => sampleApproval(`r${at}`, command, { requestedAt: at }));
    const refused = Object.fromEntries(requests.map(({ id }) => [id, reason]));
    open(requests, { undoGraceMs: graceMs }, refused);
    await decideAll("Y", "Approve 3");
    await expect.element(messages).toHaveTextContent("3 could not be decided");
    const lines = (messages.element() as HTMLElement).innerText
      .split("\n")
      .filter((line) => line.includes(":"));
    expect(lines).toEqual([
      `npm test: ${reason}`,
      `touch a … 2 lines: ${reason}`,
      `cat <<E … 3 lines: ${reason}`,
    ]);
  });
});

describe("a bulk reject", () => {
  it("counts at once and has no Undo", async () => {
    const host = open(three());
    await decideAll("N", "Reject 3");
    await expect.element(messages).toHaveTextContent("3 rejected.");
    await expect.element(undo).not.toBeInTheDocument();
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ decision: { type: "reject" } }]);
  });
});

describe("messages", () => {
  const overlap = (one: DOMRect, other: DOMRect) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const rectOf = (element: Element) => element.getBoundingClientRect();

  /** No button named so may be under the message, whether it is in view or has to be scrolled to. */
  async function expectClear(message: string, buttons: string): Promise<void> {
    await expect.element(messages).toHaveTextContent(message);
    await vi.waitFor(() => {
      const all = page.getByRole("button", { name: buttons, exact: true }).elements();
      expect(all.length).toBeGreaterThan(0);
      const last = all.at(-1) as Element;
      last.scrollIntoView({ block: "nearest" });
      const { left, top, width, height } = rectOf(last);
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      expect(last.contains(hit)).toBe(true);
      expect(overlap(rectOf(last), rectOf(messages.element()))).toBe(false);
    });
  }

  it.each([
    [1280, 840],
    [900, 600],
    [760, 560],
    [480, 640],
  ])("leave every decision button of the last card free at %i by %i", async (width, height) => {
    await page.viewport(width, height);
    open(
      [...three(), ...[4, 5, 6].map((n) => sampleApproval(`m${n}`, `make part-${n}`, { requestedAt: n }))],
      { undoGraceMs: 0 },
    );
    await decideAll("Y", "Approve 3");
    for (const button of ["Approve", "Reject", "Edit", "Answer", "More"])
      await expectClear("3 approved.", button);
  });

  it.each([
    [1280, 840],
    [900, 600],
    [480, 640],
  ])("leave Send free at %i by %i", async (width, height) => {
    await page.viewport(width, height);
    openConsole({ threads: [sampleThread("t1", { status: "done" })], approvals: [] }, {}, "#/thread/t1");
    const box = page.getByRole("textbox", { name: "Message" });
    await expect.element(box).toBeVisible();
    await box.fill("one\ntwo\nthree\nfour");
    showProblem("That did not work", "The disk is full.");
    await expectClear("The disk is full.", "Send");
  });
});
