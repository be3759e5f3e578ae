/** Forty threads by what they need: the sections, what a row says, and that nothing moves while somebody points. */
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { manyThreads } from "../../testing/many-threads.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const list = page.getByRole("list", { name: "Threads" });
const rowOf = (text: string) => list.getByRole("listitem").filter({ hasText: text }).first();
const titles = () => [...list.element().querySelectorAll("[data-thread], h2")].map((row) => row.textContent);
const none = { removedThreads: [], approvals: [], removedApprovals: [] };

describe("the overview of forty threads", () => {
  it("has them in sections, with the sums of all", async () => {
    await page.viewport(1440, 900);
    openConsole({ ...manyThreads(), spent: { dollars: 14.82, more: true } }, {}, "#/threads");
    await expect.element(page.getByRole("heading", { name: "8 of 40 need you", level: 1 })).toBeVisible();
    await expect
      .element(page.getByText("3 work, 1 finished, 28 idle. $14.82+ today. 2 commands run."))
      .toBeVisible();
    // The rows are measured after the sums were drawn.
    const headings = () => page.getByRole("heading", { level: 2 }).elements();
    await expect
      .poll(() => headings().map((heading) => heading.textContent))
      .toEqual(["Needs you8", "Working3", "Finished, unread1", "Idle28"]);
    const pane = page.getByRole("main").element().getBoundingClientRect().left;
    const heads = page.getByRole("main").getByRole("heading").elements();
    const cell = list.element().querySelector("[data-thread]")?.closest("li")?.querySelector("[aria-hidden]");
    expect([...heads.slice(0, 2), cell].map((one) => textLeft(one) - pane)).toEqual([16, 16, 16]);
    expect(page.getByRole("region", { name: "Approvals" }).elements()).toEqual([]);
  });

  it.each([1440, 480])(
    "says in each row at %i px what it does now, since when, how far, and what it cost",
    async (width) => {
      await page.viewport(width, 900);
      openConsole(manyThreads(), {}, "#/threads");
      const works = rowOf("Port the settings screen");
      await expect.element(works).toHaveTextContent(/Runs \.\/gradlew assembleDebug\s*· 4 min \d+ s/);
      for (const part of ["2 of 7", "$1.19+", "qwen3-coder"])
        await expect.element(works).toHaveTextContent(part);
      await expect.element(rowOf("Release 2.0.0")).toHaveTextContent(/Wants to run npm ci\s*and 3 more/);
      await expect.element(rowOf("flaky login")).toHaveTextContent("Failed. The model did not answer");
      await expect
        .element(
          rowOf("flaky login").getByRole("button", { name: /^Find the flaky login test\s*, failed, unread/ }),
        )
        .toBeVisible();
      await expect.element(rowOf("Outdated")).toHaveTextContent("Done. 2 of 41 packages raised");
    },
  );

  it.each([1440, 480])(
    "counts from the oldest request at %i px, and not from the last change",
    async (width) => {
      await page.viewport(width, 900);
      const threads = [
        sampleThread("t1", { title: "Alpha", status: "waiting", waiting: 2, updatedAt: Date.now() }),
      ];
      // In the middle of a minute: the clock of the page is up to half of one behind.
      const asked = (id: string, minutes: number) =>
        sampleApproval(id, `make ${id}`, { requestedAt: Date.now() - (minutes + 0.6) * 60_000 });
      openConsole({ threads, approvals: [asked("a", 40), asked("b", 3)] }, {}, "#/threads");
      await expect.element(rowOf("Alpha")).toHaveTextContent("40 min");
    },
  );

  it.each(["pointer", "focus"] as const)(
    "keeps every row at its place while the %s is on the list, and sorts after",
    async (how) => {
      await page.viewport(1440, 900);
      const host = openConsole(
        {
          threads: [
            sampleThread("a", { title: "Alpha", status: "running", createdAt: 1 }),
            sampleThread("b", { title: "Beta", status: "done" }),
          ],
          approvals: [],
        },
        {},
        "#/threads",
      );
      await expect.element(rowOf("Beta")).toBeVisible();
      const beta = rowOf("Beta").getByRole("button", { name: /^Beta/ });
      if (how === "pointer") await rowOf("Beta").hover();
      else (beta.element() as HTMLElement).focus();
      const before = titles().length;
      const place = beta.element().getBoundingClientRect().top;
      const now = [
        sampleThread("b", { title: "Beta", status: "failed", problem: "No answer.", updatedAt: 1 }),
        sampleThread("c", { title: "Gamma", status: "interrupted" }),
      ];
      host.push("console.watch", { kind: "changes", seq: 2, ...none, threads: now });
      // What it says is true at once; only its place waits.
      await expect.element(rowOf("Beta")).toHaveTextContent("Failed. No answer.");
      await expect.element(rowOf("Gamma")).toBeVisible();
      expect(beta.element().getBoundingClientRect().top).toBe(place);
      expect(
        titles()
          .slice(0, before)
          .map((title) => title?.slice(0, 5)),
      ).toEqual(["Worki", "Alpha", "Idle0", "Beta,"]);
      if (how === "pointer") await page.getByRole("heading", { level: 1 }).hover();
      else (document.activeElement as HTMLElement).blur();
      await expect
        .poll(() => titles().map((title) => title?.slice(0, 5)))
        .toEqual(["Needs", "Beta,", "Gamma", "Worki", "Alpha"]);
    },
  );

  it.each(["light", "dark"] as const)(
    "breaks no rule of accessibility in %s, at any width",
    async (theme) => {
      openConsole({ ...manyThreads(), settings: { theme } }, {}, "#/threads");
      for (const width of [1440, 1024, 480]) {
        await page.viewport(width, 800);
        await expect.element(rowOf("Release 2.0.0")).toBeVisible();
        const { violations } = await axe.run("#root");
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        for (const control of page.getByRole("main").getByRole("button").elements()) {
          const { width: wide, height } = areaOf(control);
          expect(Math.min(wide, height), control.textContent ?? "").toBeGreaterThanOrEqual(24);
        }
      }
    },
  );

  it("goes along the rows by arrows and opens one by Enter", async () => {
    await page.viewport(1440, 900);
    openConsole(manyThreads(), {}, "#/threads");
    await expect.element(rowOf("Release 2.0.0")).toBeVisible();
    (list.element().querySelector("[data-thread]") as HTMLElement).focus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await expect.element(page.getByRole("heading", { name: "Release 2.0.0", level: 1 })).toBeVisible();
  });
});

/** Where the words of an element begin. */
function textLeft(element: Element | null | undefined): number {
  const words = document.createRange();
  if (element) words.selectNodeContents(element);
  return Math.round(words.getBoundingClientRect().left);
}

/** What can be pressed: a row's button reaches over the whole row. */
function areaOf(control: Element): { width: number; height: number } {
  const over = getComputedStyle(control, "::after");
  return over.position === "absolute"
    ? { width: Number.parseFloat(over.width), height: Number.parseFloat(over.height) }
    : control.getBoundingClientRect();
}
