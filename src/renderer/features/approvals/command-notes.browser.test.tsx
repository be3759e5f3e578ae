/** The worst reasons of a command of several lines stand beside the line that they are about. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { asOwnWords, collisionsIn, outOf } from "../../testing/card-geometry.ts";
import { hostileTexts } from "../../testing/hostile-texts.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

const why = region.getByRole("group", { name: "Why it asks" });
const note = (line: number) => region.getByRole("note", { name: `Why line ${line} asks` });
const notes = region.getByRole("note");
const card = () => document.querySelector<HTMLElement>("[data-approval]") as HTMLElement;
const top = (one: Element) => one.getBoundingClientRect().top;

type Part = { line: number; reason: string; verdict?: string; placed?: boolean };

/** A card of the lines, judged as the parts say. */
function open(lines: readonly string[], parts: readonly Part[], change: Record<string, unknown> = {}) {
  const startOf = (line: number) => lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const units = parts.map(({ line, reason, verdict = "ask", placed = true }) => ({
    text: lines[line - 1],
    ...(placed && { at: startOf(line) }),
    verdict,
    reason,
  }));
  const verdict = { verdict: "ask", units };
  return openLiveQueue([
    { approval: sampleApproval("a", lines.join("\n"), { verdict, risk: "high", requestedAt: 1, ...change }) },
  ]);
}

const thirteen = Array.from({ length: 13 }, (_, index) => (index === 5 ? "" : `make part-${index + 1}`));

/** The line of the command itself that says these words. */
function lineOf(words: string): DOMRect {
  for (const code of card().querySelectorAll("[data-piece] code > span"))
    if (code.textContent?.trim() === words) {
      const range = document.createRange();
      range.selectNodeContents(code.lastChild as Node);
      return range.getBoundingClientRect();
    }
  throw new Error(`no line ${words}`);
}

it("says the worst three beside their lines and how many there are in all below", async () => {
  await page.viewport(1440, 900);
  open(thirteen, [
    { line: 1, reason: "It only reads.", verdict: "safe" },
    { line: 3, reason: "It sends away." },
    { line: 7, reason: "It deletes." },
    { line: 12, reason: "It deletes." },
    { line: 2, reason: "It is new.", verdict: "new" },
    { line: 10, reason: "It is new, too.", verdict: "new" },
  ]);
  await expect.element(note(3)).toHaveTextContent("It sends away.");
  await expect.element(note(7)).toHaveTextContent("It deletes.Also line 12.");
  await expect.element(note(2)).toHaveTextContent("It is new.");
  expect(notes.elements()).toHaveLength(3);
  for (const line of [2, 3, 7]) {
    const said = note(line).element().getBoundingClientRect();
    const drawn = lineOf(`make part-${line}`);
    expect(said.left).toBeGreaterThan(drawn.right);
    expect(Math.abs(said.top - drawn.top)).toBeLessThan(10);
  }
  await expect.element(why).toHaveTextContent("Why it asks stands beside lines 2, 3, and 7 above.");
  expect(why.element().textContent).not.toContain("It deletes.");
  // The empty line keeps its room between two that have notes.
  expect(lineOf("make part-7").top - lineOf("make part-5").top).toBeGreaterThan(30);
  const numbers = [...card().querySelectorAll("[data-line]:not([data-beside] *)")];
  expect(numbers.map((one) => one.getAttribute("data-line")).join(" ")).toBe("1 2 3 4 5 6 7 8 9 10 11 12 13");
  expect(getComputedStyle(numbers[6] as Element, "::after").content).toBe('"7" / ""');
  await why.getByRole("button", { name: "Show 2 more reasons" }).click();
  for (const each of ["It sends away.", "It deletes.", "It is new, too.", "It only reads."])
    await expect.element(why).toHaveTextContent(each);
});

it("moves no line by what stands beside it, also where two stand close together, and is not copied", async () => {
  await page.viewport(1440, 900);
  const far = "It sends the whole of it to a place that nobody knows. ".repeat(3);
  open(thirteen, [
    { line: 2, reason: far },
    { line: 3, reason: `${far} And more.` },
    { line: 13, reason: "It deletes." },
  ]);
  await vi.waitFor(() => expect(notes.elements()).toHaveLength(3));
  const [first, ...others] = [1, 2, 3, 4, 5, 7, 13].map(
    (line) => [line, lineOf(`make part-${line}`).top] as const,
  );
  const step = (others[0]?.[1] ?? 0) - (first?.[1] ?? 0);
  for (const [line, at] of others) expect(at - (first?.[1] ?? 0)).toBeCloseTo(step * (line - 1), 0);
  expect([outOf(card()), collisionsIn(card())]).toEqual([[], []]);
  const selected = getSelection();
  selected?.selectAllChildren(card().querySelector("[data-piece]")?.parentElement as Element);
  expect(selected?.toString().trim()).toBe(thirteen.join("\n"));
});

it("names lines that follow each other by the first and the last", async () => {
  await page.viewport(1440, 900);
  const lines = [1, 2, 3, 4, 6, 8, 9];
  open(
    thirteen,
    lines.map((line) => ({ line, reason: "It is new.", verdict: "new" })),
  );
  await expect.element(note(1)).toHaveTextContent("Also lines 2 to 4, 6, 8, and 9.");
});

it("unlocks once the end of a note that reaches far below its line was on the screen", async () => {
  await page.viewport(1440, 330);
  open(thirteen.slice(0, 10), [{ line: 10, reason: `${"It sends all to a place. ".repeat(10)}The end.` }]);
  const approve = region.getByRole("button", { name: /^Approve/ }).first();
  await expect.element(approve).toHaveAttribute("data-locked");
  const edge = (document.querySelector("[data-card-scroll]") as Element).getBoundingClientRect().bottom;
  const end = () => note(10).element().getBoundingClientRect().bottom;
  expect(end()).toBeGreaterThan(edge);
  // Of high risk, so that a press leads to what was not seen yet and approves nothing.
  while (approve.element().hasAttribute("data-locked")) {
    await userEvent.keyboard("y");
    await new Promise(requestAnimationFrame);
  }
  expect(end()).toBeLessThanOrEqual(edge);
});

it("leaves below what has no place, what one line says, and what is not drawn at first", async () => {
  await page.viewport(1440, 900);
  const many = Array.from({ length: 80 }, (_, index) => `make part-${index + 1}`);
  open(many, [
    { line: 2, reason: "Of the whole.", placed: false },
    { line: 70, reason: "Far below." },
    { line: 40, reason: "Still there." },
  ]);
  await expect.element(note(40)).toHaveTextContent("Still there.");
  expect(notes.elements()).toHaveLength(1);
  await expect.element(why).toHaveTextContent("Of the whole.");
  await expect.element(why).toHaveTextContent("Far below.");
});

it.each([
  ["one line", ["make"], [{ line: 1, reason: "Said below." }], {}],
  ["a shortened text", thirteen, [{ line: 3, reason: "Said below." }], { leftOut: 10 }],
  ["a card from before", thirteen, [{ line: 3, reason: "Said below.", placed: false }], {}],
  ["a very long line", ["make", "b".repeat(2_000), "c"], [{ line: 2, reason: "Said below." }], {}],
] as const)("puts nothing beside %s", async (_, lines, parts, change) => {
  open(lines, parts, change);
  await expect.element(why).toHaveTextContent("Said below.");
  expect(notes.elements()).toHaveLength(0);
});

it("is among what has to be on the screen before Approve, and is reached by w", async () => {
  await page.viewport(900, 420);
  const lines = Array.from({ length: 38 }, (_, index) => `make part-${index + 1}`);
  open(lines, [{ line: 38, reason: "It deletes." }]);
  await expect
    .element(region.getByRole("button", { name: /^Approve/ }).first())
    .toHaveAttribute("data-locked");
  expect(note(38).element().closest("[data-subject] [data-piece]")).not.toBeNull();
  await userEvent.keyboard("w");
  await expect.element(why).toHaveFocus();
});

it("keeps nobody from approving what was on the screen with it", async () => {
  await page.viewport(1440, 900);
  open(thirteen, [{ line: 12, reason: "It deletes." }]);
  await expect.element(note(12)).toBeVisible();
  const approve = region.getByRole("button", { name: /^Approve/ }).first();
  await expect.element(approve).toBeVisible();
  await expect.element(approve).not.toHaveAttribute("data-locked");
});

it.each([
  ["wide", 1440],
  ["narrow", 320],
])("stands in nobody's way on a %s card, in Chinese and from right to left", async (_, width) => {
  await page.viewport(width, 3_000);
  const lines = [
    "rm -rf 构建/目录 && echo 完成",
    `echo ${"שלום עולם ".repeat(20)}`,
    `curl https://${"a".repeat(300)}.example`,
    "make",
  ];
  open(lines, [
    { line: 1, reason: `它删除 ${"构建".repeat(60)}` },
    { line: 2, reason: "שלום ".repeat(50) },
    { line: 3, reason: `It sends to ${"a".repeat(300)}.example` },
  ]);
  await vi.waitFor(() => expect(notes.elements()).toHaveLength(3));
  expect([outOf(card()), collisionsIn(card())]).toEqual([[], []]);
  if (width < 760)
    for (const [index, one] of notes.elements().entries())
      expect(top(one)).toBeGreaterThan(top(card().querySelectorAll("[data-piece] code")[index] as Element));
  const selected = getSelection();
  selected?.selectAllChildren(card().querySelector("[data-piece]") as Element);
  expect(selected?.toString()).not.toContain("It sends to");
});

it.each(Object.entries(hostileTexts))("lets no text pass for the console's words: %s", async (_, text) => {
  await page.viewport(1024, 720);
  const words = text.replaceAll("\n", " ").slice(0, 100);
  open([words, "make"], [{ line: 1, reason: words }]);
  await vi.waitFor(() => expect(notes.elements()).toHaveLength(1));
  expect([outOf(card()), collisionsIn(card()), asOwnWords(card(), words)]).toEqual([[], [], []]);
});
