/** Holds in every view: what can be pressed is large enough, and what warns is seen where the system takes the colours away. */
import { expect, it, onTestFinished, vi } from "vitest";
import { cdp, page } from "vitest/browser";
import { useSide } from "../base/stores/side-store.ts";
import { openThread } from "../features/conversation/testing/open-thread.ts";
import { openCards } from "../testing/open-cards.ts";
import { openConsole } from "../testing/open-console.ts";
import { call, lastPosition, sampleApproval, sampleThread, says } from "../testing/samples.ts";
import { smallTargets } from "../testing/small-targets.ts";

// Vitest leaves it to its providers to say what a session has.
const session = cdp() as { send(method: string, how: object): Promise<unknown> };

const many = <T,>(make: (at: number) => T) => Array.from({ length: 200 }, (_, at) => make(at));

it("nothing to press in a thread and its panel is smaller than 24 pixels", async () => {
  await page.viewport(1440, 900);
  useSide.setState({ chosen: true, asked: false, terminalId: undefined }, true);
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {},
    "#/thread/t1",
  );
  const items = [
    says("m1", "Two files.", { reasoning: "First the tests." }),
    call("make", {
      args: { command: "make", timeout: 5 },
      receipt: { executionId: "x1", durationMs: 1, exitCode: 0 },
    }),
    call("c2", { tool: "mcp__files__move", args: { from: "a", to: "b" } }),
  ];
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(page.getByText("Two files.")).toBeVisible();
  expect(smallTargets()).toEqual([]);
});

it("the focus on a row is seen on all of its sides", async () => {
  openCards([sampleApproval("a", "make one"), sampleApproval("b", "make two")]);
  await expect.element(page.getByRole("row", { name: /make two/ })).toBeVisible();
  const row = page.getByRole("row", { name: /make two/ }).element() as HTMLElement;
  row.focus({ focusVisible: true } as FocusOptions);
  // What reaches beyond the row is cut by the list that it stands in.
  const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(row);
  expect(outlineStyle).toBe("solid");
  expect(Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)).toBeLessThanOrEqual(0);
});

it("a misleading character has an edge where colours are forced", async () => {
  await session.send("Emulation.setEmulatedMedia", {
    features: [{ name: "forced-colors", value: "active" }],
  });
  onTestFinished(async () => void (await session.send("Emulation.setEmulatedMedia", { features: [] })));
  openCards([sampleApproval("a", "rm dist/\u202Egpj.exe")]);
  const label = page.getByRole("article").getByRole("img", { name: /U\+202E/ });
  await expect.element(label).toBeVisible();
  await expect.poll(() => getComputedStyle(label.element()).outlineStyle).toBe("solid");
});

it.each([
  ["the conversation", () => openThread(many((at) => says(`m${at}`, `Message ${at}.`)))],
  ["the approvals", () => openCards(many((at) => sampleApproval(`a${at}`, `make part-${at}`)))],
])("what %s scrolls is pressed while it scrolls", async (_, open) => {
  await page.viewport(1000, 500);
  await open();
  const scroller = await vi.waitFor(() => {
    const found = [...document.querySelectorAll(".takes-presses")].find(
      (one) => one.scrollHeight > one.clientHeight + 100,
    );
    return found ?? expect.fail("nothing scrolls");
  });
  const rows = scroller.firstElementChild as HTMLElement;
  const { left, top, width, height } = scroller.getBoundingClientRect();
  // As the library does for as long as it scrolls.
  rows.style.pointerEvents = "none";
  expect(rows.contains(document.elementFromPoint(left + width / 2, top + height / 2))).toBe(true);
});
