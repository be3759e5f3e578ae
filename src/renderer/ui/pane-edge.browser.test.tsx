/** The edges of panes: pulled, moved by keys, kept within their range, and remembered. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { readWidths, setPaneWidth, usePaneWidths } from "../base/stores/pane-widths.ts";
import { openConsole } from "../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../testing/samples.ts";

const approvals = [sampleApproval("a1", "npm test"), sampleApproval("a2", "npm run build")];
const open = (hash: string) => {
  usePaneWidths.setState({}, true);
  return openConsole({ threads: [sampleThread("t1", { waiting: 2 })], approvals }, {}, hash);
};
const edge = (name: string) => page.getByRole("separator", { name });
const paneWidth = (name: string) =>
  Math.round(edge(name).element().parentElement!.getBoundingClientRect().width);

it("moves by the arrow keys, within its range, and is remembered; Enter gives it its own width again", async () => {
  await page.viewport(1440, 900);
  open("#/agents");
  const list = "Width of the list of threads";
  await expect.element(edge(list)).toBeVisible();
  const own = paneWidth(list);
  (edge(list).element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  await vi.waitFor(() => expect(paneWidth(list)).toBe(own + 32));
  await expect.element(edge(list)).toHaveAttribute("aria-valuenow", String(own + 32));
  expect(readWidths()).toEqual({ list: own + 32 });
  await userEvent.keyboard("{Home}{ArrowLeft}");
  await vi.waitFor(() => expect(paneWidth(list)).toBe(260));
  await userEvent.keyboard("{End}");
  await vi.waitFor(() => expect(paneWidth(list)).toBe(560));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(paneWidth(list)).toBe(own));
});

it("is pulled by the pointer, and its arrow keys move no row", async () => {
  await page.viewport(1440, 900);
  open("#/queue");
  const rows = "Width of the rows";
  await expect.element(page.getByRole("row", { selected: true })).toBeVisible();
  const own = paneWidth(rows);
  const line = edge(rows).element() as HTMLElement;
  const { left, top } = line.getBoundingClientRect();
  const at = (type: string, x: number) =>
    line.dispatchEvent(
      new PointerEvent(type, { pointerId: 1, button: 0, clientX: left + x, clientY: top + 9, bubbles: true }),
    );
  // The pointer of a test is not one of the browser's, which it could capture.
  line.setPointerCapture = () => undefined;
  at("pointerdown", 0);
  at("pointermove", -60);
  at("pointerup", -60);
  at("pointermove", -200);
  await vi.waitFor(() => expect(paneWidth(rows)).toBe(own - 60));
  const current = page.getByRole("row", { selected: true }).element();
  line.focus();
  await userEvent.keyboard("{ArrowRight}");
  await vi.waitFor(() => expect(paneWidth(rows)).toBe(own - 44));
  expect(page.getByRole("row", { selected: true }).element()).toBe(current);
});

it.each([
  ["#/agents", "Width of the list of threads"],
  ["#/queue", "Width of the rows"],
])("a double click in %s gives the view's own width back, and nothing is remembered", async (hash, name) => {
  await page.viewport(1440, 900);
  open(hash);
  await expect.element(edge(name)).toBeVisible();
  const own = paneWidth(name);
  (edge(name).element() as HTMLElement).focus();
  await userEvent.keyboard("{Home}");
  await vi.waitFor(() => expect(paneWidth(name)).not.toBe(own));
  await edge(name).dblClick();
  await vi.waitFor(() => expect(paneWidth(name)).toBe(own));
  await expect.element(edge(name)).toHaveAttribute("aria-valuenow", String(own));
  expect(readWidths()).toEqual({});
});

it("takes nothing that is no width out of the browser's storage", () => {
  usePaneWidths.setState({}, true);
  for (const stored of ["", "null", "[]", '{"list":"400","rows":1e9,"side":-4,"other":300}', "{"]) {
    localStorage.setItem("countersign.panes", stored);
    expect(readWidths()).toEqual({});
  }
  setPaneWidth("side", 10_000);
  expect(readWidths()).toEqual({ side: 640 });
  setPaneWidth("side", undefined);
});

it("is not there where one pane fits", async () => {
  await page.viewport(480, 800);
  open("#/queue");
  await expect.element(page.getByRole("article")).toBeVisible();
  expect(page.getByRole("separator").elements()).toEqual([]);
});
