/** Forty threads at a glance: what each one needs and does, the strip in every view, and the keys between them. */
import { expect, test } from "./app-fixture/app.ts";
import { approvals, cardFor, newThread, send } from "./app-fixture/console-steps.ts";
import { restartWithManyThreads } from "./app-fixture/many-threads.ts";

test("forty threads stand by what they need, say what they do, and are reached by keys", {
  tag: "@long",
}, async ({ app }) => {
  await restartWithManyThreads(app, 38);
  const { page } = app;
  const rows = page.getByRole("list", { name: "Threads" }).getByRole("listitem");
  const strip = page.getByRole("navigation", { name: "Agents at a glance" });
  const rowOf = (text: string) => rows.filter({ hasText: text });
  await newThread(app);
  await send(app, "todo [x] Look\ntodo [>] Wait\nrun sleep 600");
  await expect(rowOf("sleep 600")).toContainText("Runs sleep 600");
  await newThread(app);
  await send(app, "run touch made.txt");
  await expect(cardFor(app, "touch made.txt")).toBeVisible();
  await page.getByRole("textbox", { name: "Message" }).press("Escape");

  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page.getByRole("heading", { name: "4 of 40 need you", level: 1 })).toBeVisible();
  await expect(page.getByText("1 works, 8 finished, 27 idle. 1 command runs.")).toBeVisible();
  // What waits stands first, then what failed, then what works.
  await expect(rows.nth(0)).toHaveText(/^Needs you\s*4$/);
  await expect(rows.nth(1)).toContainText("Wants to run touch made.txt");
  await expect(rows.nth(2)).toContainText("Failed. The model did not answer.");
  await expect(rowOf("sleep 600")).toContainText(/Runs sleep 600\s*· \d+ s/);
  await expect(rowOf("sleep 600")).toContainText("1 of 2");
  await expect(rowOf("Part 36 of the work")).toContainText("Done. Part 36 is as it should be.");

  for (const [width, forcedColors] of [
    [1440, "none"],
    [1440, "active"],
    [480, "none"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ forcedColors, reducedMotion: "reduce" });
    await expect(rows.nth(1)).toContainText("Wants to run touch made.txt");
    await app.expectAccessible();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ forcedColors: "none" });

  await expect(strip.getByRole("link", { name: /run touch made\.txt\s*, 1 waits for you/ })).toBeVisible();
  await expect(strip.getByRole("link", { name: /plan: 1 of 2/ })).toBeVisible();
  const seen = new Set<string>();
  for (let press = 0; press < 4; press += 1) {
    const before = page.url();
    await page.keyboard.press("i");
    await expect(page).not.toHaveURL(before);
    seen.add((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
  }
  expect([...seen].sort()).toEqual([
    "Part 10 of the work",
    "Part 20 of the work",
    "Part 30 of the work",
    "run touch made.txt",
  ]);
  await expect(page.getByRole("complementary", { name: "Threads and what waits" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await approvals(app)
    .getByRole("row", { name: /^failed, Part 10 of the work/ })
    .click();
  await expect(approvals(app).getByRole("button", { name: "Retry" })).toBeEnabled();
  await app.expectAccessible();
  expect(await app.read("made.txt")).toBeUndefined();
});
