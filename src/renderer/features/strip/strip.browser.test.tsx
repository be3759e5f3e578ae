/** The strip of agents in every view: fixed cells, states without colour, and the keys from thread to thread. */
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { useRoute } from "../../base/navigation.ts";
import { manyThreads } from "../../testing/many-threads.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const strip = page.getByRole("navigation", { name: "Agents at a glance" });
const cells = strip.getByRole("listitem");
const shapesOf = (cell: number) =>
  [...cells.nth(cell).element().querySelectorAll("[data-shape]")].map((one) =>
    one.getAttribute("data-shape"),
  );
const opened = () => useRoute.getState().id;
const none = { removedThreads: [], approvals: [], removedApprovals: [] };

/** Opens a console with four threads, the second and fourth of which need the person. */
function openFour(hash?: string) {
  const at = (age: number, change: Record<string, unknown>) =>
    sampleThread(`t${age}`, { createdAt: age, ...change });
  return openConsole(
    {
      threads: [
        at(1, { status: "running" }),
        at(2, { status: "waiting", waiting: 1 }),
        at(3, { status: "done" }),
        at(4, { status: "failed" }),
        // Put away, they count for nothing.
        at(5, { status: "running", archived: true }),
        at(6, { status: "failed", archived: true }),
      ],
      approvals: [sampleApproval("a", "npm publish", { threadId: "t2" })],
    },
    {},
    hash,
  );
}

describe("the strip", () => {
  it.each([1440, 1200, 480])(
    "says each state by name, shape, fill and number at %i px, in targets large enough",
    async (width) => {
      await page.viewport(width, 800);
      openConsole({ ...manyThreads(), spent: { dollars: 14.82, more: false } }, {});
      await expect.element(cells.nth(8)).toBeVisible();
      expect(cells.elements()).toHaveLength(10);
      const first = cells.nth(3).getByRole("link");
      await expect.element(first).toHaveAccessibleName(/^Release 2\.0\.0\s*, 4 wait for you, plan: 3 of 7$/);
      const fill = first.element().querySelector("[data-plan]")!.getBoundingClientRect().width;
      expect(fill / first.element().getBoundingClientRect().width).toBeCloseTo(3 / 7, 1);
      await expect
        .element(cells.nth(9).getByRole("link"))
        .toHaveAccessibleName(/3 more threads are not idle, 2 threads need you/);
      expect(shapesOf(9)).toEqual(["waits"]);
      const sums = page.getByText("8 threads need you · 3 work · $14.82 today");
      await expect.element(sums).toBeInTheDocument();
      expect(sums.element().scrollWidth).toBeLessThanOrEqual(sums.element().clientWidth);
      for (const cell of strip.getByRole("link").elements()) {
        const { width, height } = cell.getBoundingClientRect();
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
      }
      // Each state that is shown has an outline of its own.
      const shapes = [...strip.element().querySelectorAll("[data-shape]")];
      const outlines = new Map(shapes.map((shape) => [shape.getAttribute("data-shape"), shape.innerHTML]));
      expect(new Set(outlines.values()).size).toBe(outlines.size);
    },
  );

  it("moves no cell when agents come and go, and counts those without one", async () => {
    await page.viewport(1440, 900);
    const host = openFour();
    await expect.element(cells.nth(3).getByRole("link")).toBeVisible();
    await expect.element(page.getByText("2 threads need you · 1 works", { exact: true })).toBeVisible();
    const places = () =>
      cells.elements().map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return [left, top, width, height].join();
      });
    const before = places();
    const added = Array.from({ length: 9 }, (_, at) =>
      sampleThread(`n${at}`, {
        status: "running",
        createdAt: 10 + at,
        title: "A very long title of a new thread",
      }),
    );
    host.push("console.watch", { kind: "changes", seq: 2, ...none, threads: added });
    await expect.element(cells.nth(9).getByRole("link")).toBeVisible();
    expect(places()).toEqual(before);
    // Nobody among those without a cell needs the person.
    expect(shapesOf(9)).toEqual([]);
    // The idle one gave up its cell, the others kept theirs.
    await expect.element(cells.nth(0).getByRole("link")).toHaveAccessibleName(/^Thread t1/);
    await expect.element(cells.nth(3).getByRole("link")).toHaveAccessibleName(/^Thread t4/);
    host.push("console.watch", {
      kind: "changes",
      seq: 3,
      ...none,
      threads: [],
      removedThreads: ["t2" as never],
    });
    await expect.element(cells.nth(1).getByRole("link")).toHaveAccessibleName(/^A very long title/);
    expect(places()).toEqual(before);
  });
});

describe("the keys from thread to thread", () => {
  it("go to the next and the previous, by age and round, and to those that need the person", async () => {
    openFour();
    await expect.element(cells.nth(3).getByRole("link")).toBeVisible();
    const press = async (keys: string, id: string) => {
      await userEvent.keyboard(keys);
      await expect.poll(opened).toBe(id);
      await expect.element(page.getByRole("textbox", { name: "Message" })).toBeVisible();
      await expect.element(page.getByRole("textbox", { name: "Message" })).not.toHaveFocus();
    };
    await press("i", "t2");
    await press("i", "t4");
    await press("i", "t2");
    await press("{Shift>}i{/Shift}", "t4");
    await press("t", "t1");
    await press("t", "t2");
    await press("{Shift>}t{/Shift}", "t1");
    await expect.element(cells.nth(0).getByRole("link")).toHaveAttribute("aria-current", "page");
  });

  it("go to a cell by its number, and decide nothing about the card that waits", async () => {
    const host = openFour();
    await expect.element(page.getByRole("region", { name: "Approvals" }).getByRole("article")).toBeVisible();
    // An empty cell leads nowhere, and its number is no answer to the card either.
    for (const empty of ["9", "7"]) await userEvent.keyboard(`g${empty}`);
    await userEvent.keyboard("g3");
    await expect.poll(opened).toBe("t3");
    for (const number of [1, 2]) {
      await userEvent.keyboard("gq");
      await userEvent.keyboard(`g${number}`);
      await expect.poll(opened).toBe(`t${number}`);
    }
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    expect(page.getByRole("textbox", { name: "Reason" }).elements()).toEqual([]);
  });

  it("lead to the request of a thread, and to its view where none waits, so that both are heard", async () => {
    const threads = [sampleThread("t1", { waiting: 1, status: "waiting" }), sampleThread("t2")];
    openConsole({ threads, approvals: [sampleApproval("a", "make a")] }, {});
    await expect.element(cells.nth(1).getByRole("link")).toBeVisible();
    await userEvent.keyboard("i");
    await expect.element(page.getByRole("article", { name: "make a" })).toHaveFocus();
    await userEvent.keyboard("t");
    await expect.element(page.getByRole("main")).toHaveFocus();
  });

  it("leave a person who opened a thread by hand in its field, and say when nothing needs them", async () => {
    openConsole({ threads: [sampleThread("t1", { status: "done" })], approvals: [] }, {});
    await expect.element(cells.nth(0).getByRole("link")).toBeVisible();
    await userEvent.keyboard("i");
    await expect.element(page.getByText("Nothing needs you.").first()).toBeVisible();
    await cells.nth(0).getByRole("link").click();
    await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveFocus();
  });
});
