/** Forty mixed requests of a real host, twelve in the short run, from first to last: by keys alone, and by what the accessibility tree says alone. */
import type { Locator } from "@playwright/test";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { type App, expect, test } from "./app-fixture/app.ts";
import { approvals, glimpseMs, newThread, openView, send } from "./app-fixture/console-steps.ts";

const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));
const script = (at: number) => many(14, (line) => `touch script-${at}-${line}.txt`).join("\n");
const pages = (at: number) => many(40, (line) => `Line ${line} of note ${at}, which is long.`).join("\\n");

/** How many of each kind; `bench/triage.ts` decides forty at any time. */
const [made, scripts, notes, gone, questions] = isLongRun ? [16, 6, 6, 8, 4] : [4, 2, 2, 2, 2];
const all = made + scripts + notes + gone + questions;
/** A thread each; the lines of one are asked together. */
const work = [
  many(made, (at) => `run touch made-${at}.txt`),
  many(scripts, (at) => `call execute ${JSON.stringify({ command: script(at) })}`),
  many(notes, (at) => `write notes-${at}.md ${pages(at)}`),
  many(gone, (at) => `run rm -rf gone-${at}`),
  many(questions, (at) => `ask Which region should replica ${at} be in?`),
];
const rejected = "made-3.txt";

/** How many wait, as the title of the page says. */
async function left(app: App): Promise<number> {
  return Number(/^\((\d+)\)/.exec(await app.page.title())?.[1] ?? 0);
}

async function askAll(app: App): Promise<void> {
  let asked = 0;
  for (const lines of work) {
    await newThread(app);
    await send(app, lines.join("\n"));
    asked += lines.length;
    await expect.poll(() => left(app)).toBe(asked);
  }
  await app.page.getByRole("textbox", { name: "Message" }).press("Escape");
  await openView(app, "Approvals");
  await expect(approvals(app).getByRole("grid", { name: `${all} approvals wait for you` })).toBeVisible();
}

/** Everything ran but what was rejected, and the agents have their answers. */
async function expectAllDone(app: App): Promise<void> {
  const names = [
    ...many(made, (at) => `made-${at}.txt`),
    ...many(scripts, (at) => `script-${at}-13.txt`),
    ...many(notes, (at) => `notes-${at}.md`),
  ].filter((name) => name !== rejected);
  const missing = async () => {
    const texts = await Promise.all(names.map((name) => app.read(name)));
    return names.filter((_, at) => texts[at] === undefined);
  };
  await expect.poll(missing).toEqual([]);
  expect(await app.read(rejected)).toBeUndefined();
}

/** Tries once what a person would do with the card that stands there, and looks for a moment whether one fewer waits. */
type Deciding = (app: App, card: Locator) => Promise<void>;

async function decideAll(app: App, decide: Deciding): Promise<void> {
  const card = approvals(app).getByRole("article");
  for (let before = await left(app); before > 0; before = await left(app))
    await expect(async () => {
      if ((await left(app)) < before) return;
      await decide(app, card);
      await expect.poll(() => left(app), { timeout: glimpseMs }).toBeLessThan(before);
    }).toPass({ intervals: [50] });
}

async function isFocused(field: Locator): Promise<boolean> {
  return (await field.count()) > 0 && field.evaluate((one) => one === document.activeElement);
}

const byKeys: Deciding = async (app, card) => {
  const { keyboard } = app.page;
  const about = (await card.getAttribute("aria-label", { timeout: glimpseMs })) ?? "";
  if (about.startsWith("Which region")) {
    const field = card.getByRole("textbox", { name: "Answer" });
    if (!(await isFocused(field))) await keyboard.press("r");
    await expect(field).toBeFocused({ timeout: glimpseMs });
    await field.fill("");
    await keyboard.type("eu-west-1");
    return keyboard.press("Enter");
  }
  if (about === `touch ${rejected}`) {
    const field = card.getByRole("textbox", { name: "Reason" });
    if (!(await isFocused(field))) await keyboard.press("n");
    await expect(field).toBeFocused({ timeout: glimpseMs });
    return keyboard.press("Enter");
  }
  const approve = card.getByRole("button", { name: "Approve", exact: true });
  if ((await approve.getAttribute("data-locked", { timeout: glimpseMs })) !== null)
    return keyboard.press("Space");
  if (!about.startsWith("rm ")) return keyboard.press("y");
  const before = await left(app);
  await keyboard.down("y");
  await expect
    .poll(() => left(app), { timeout: 3 * glimpseMs })
    .toBeLessThan(before)
    .finally(() => keyboard.up("y"));
};

test("a queue of mixed requests is decided by keys alone", async ({ app }) => {
  test.slow();
  await askAll(app);
  await decideAll(app, byKeys);
  await expect(app.page.getByText("Nothing waits for you").first()).toBeVisible();
  await expectAllDone(app);
});

/** As who hears the page does: on it by its name, then Enter. */
async function press(button: Locator): Promise<void> {
  await button.focus({ timeout: glimpseMs });
  await button.press("Enter", { timeout: glimpseMs });
}

test("a queue of mixed requests is decided by roles, names and what is said aloud alone", {
  tag: "@long",
}, async ({ app }) => {
  test.slow();
  await askAll(app);
  const { page } = app;
  await expect(page.getByRole("main", { name: "Approvals" })).toBeVisible();
  const said = page.locator("[aria-live=polite]");
  await decideAll(app, async (_, card) => {
    const count = await left(app);
    await expect(said.getByText(`${count} approval${count === 1 ? " waits" : "s wait"} for you`)).toHaveCount(
      1,
      {
        timeout: glimpseMs,
      },
    );
    const named = (name: string) => card.getByRole("button", { name, exact: true });
    // Each card says in its heading what it is, how dangerous, and where in the queue.
    const heading = card.getByRole("heading", {
      level: 2,
      name: new RegExp(`^(Run|Write|Answer), .+, \\d+ of ${count}$`),
    });
    await expect(heading).toHaveCount(1, { timeout: glimpseMs });
    const name = (await heading.getAttribute("aria-label")) ?? "";
    const readOn = named("Read on");
    if (await readOn.isVisible()) return press(readOn);
    const about = await card.getAttribute("aria-label");
    if (about === `touch ${rejected}`) return press(named("Reject"));
    if (name.includes("question")) {
      const field = card.getByRole("textbox", { name: "Answer" });
      if (!(await field.isVisible())) await press(named("Answer"));
      await field.fill("eu-west-1", { timeout: glimpseMs });
      return press(named("Answer"));
    }
    await press(named("Approve"));
    if (name.includes("high risk")) await press(card.getByRole("button", { name: "Approve", pressed: true }));
  });
  await expectAllDone(app);
});
