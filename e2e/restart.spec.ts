/** The promise: kill it at any moment, and what waited waits again, once. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { type App, expect, test } from "./app-fixture/app.ts";
import { approvals, cardFor, newThread, openFirstThread, send } from "./app-fixture/console-steps.ts";

const field = (app: App) => app.page.getByRole("textbox", { name: "Message", exact: true });

test("approvals wait again after kill -9, and an approved command runs once", async ({ app }) => {
  await newThread(app);
  await send(app, "run echo x >> ran.txt\n\nsay finished");
  await expect(cardFor(app, "echo x >> ran.txt")).toBeVisible();
  await app.kill();
  await app.start();
  await expect(approvals(app).getByRole("article")).toHaveCount(1);
  expect(await app.read("ran.txt")).toBeUndefined();
  await cardFor(app, "echo x >> ran.txt").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
  await openFirstThread(app);
  await expect(
    app.page.getByRole("article", { name: "Agent" }).filter({ hasText: "finished" }),
  ).toBeVisible();
  expect(await app.runs("ran.txt")).toBe(1);
});

test("a draft survives kill -9, and what was sent comes back by ArrowUp, both by keyboard alone", async ({
  app,
}) => {
  await newThread(app);
  await send(app, "say hello there");
  await expect(app.page.getByRole("article", { name: "Agent" })).toContainText("hello there");
  await app.page.keyboard.type("half a 句子");
  await expect(field(app)).toHaveValue("half a 句子");
  const database = new Database(join(app.dataDir, "countersign.db"), { readonly: true });
  const kept = () => database.prepare("SELECT draft ->> '$.text' FROM drafts").pluck().get();
  await expect.poll(kept).toBe("half a 句子");
  database.close();
  await app.kill();
  await app.start();
  await openFirstThread(app);
  await expect(field(app)).toHaveValue("half a 句子");
  await field(app).fill("");
  await app.page.keyboard.press("ArrowUp");
  await expect(field(app)).toHaveValue("say hello there");
  await app.page.keyboard.press("Enter");
  await expect(app.page.getByRole("article", { name: "Agent" })).toHaveCount(2);
});

test("a page whose host is gone says so and what is not lost", async ({ app, door }) => {
  test.skip(door !== "browser", "In Electron the page is gone with the host.");
  await newThread(app);
  await send(app, "say hello there");
  await expect(app.page.getByRole("article", { name: "Agent" })).toContainText("hello there");
  await app.kill();
  await expect(app.page.getByText(/does not answer/)).toBeVisible();
});

test("a part of the window whose code cannot come now comes later, and says so where it never does", async ({
  app,
  door,
}) => {
  test.skip(door !== "browser", "The desktop app has its code in its own files.");
  const { page } = app;
  const main = page.getByRole("main");
  const open = (name: RegExp) =>
    page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
  const lost = "**/agents-view-*.js";
  await page.route(lost, (route) => route.abort());
  await Promise.all([page.waitForEvent("requestfailed"), open(/^Agents/)]);
  await expect(main.getByRole("status").filter({ hasText: "Loading…" })).toBeVisible();
  await page.unroute(lost);
  await expect(main.getByRole("list", { name: "Agents you can start" })).toBeVisible();

  const missing = "**/settings-view-*.js";
  await page.route(missing, (route) => route.fulfill({ status: 404 }));
  await open(/^Settings/);
  await main.getByRole("button", { name: "Try again" }).click();
  await page.unroute(missing);
  await main.getByRole("button", { name: "Reload the window" }).click();
  await expect(main.getByRole("heading", { name: "Appearance" })).toBeVisible();
});

test("auto-approve is off after a restart", async ({ app }) => {
  await newThread(app);
  await app.page.getByRole("switch", { name: "Auto-approve" }).click();
  await expect(app.page.getByRole("switch", { name: "Auto-approve" })).toBeChecked();
  await send(app, "run echo x >> ran.txt");
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
  await app.restart();
  await openFirstThread(app);
  await expect(app.page.getByRole("switch", { name: "Auto-approve" })).not.toBeChecked();
  await send(app, "run echo y >> ran.txt");
  await expect(cardFor(app, "echo y")).toBeVisible();
  expect(await app.runs("ran.txt")).toBe(1);
});
