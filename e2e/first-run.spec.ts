/** The first steps lead to a first task and never stand in the way of one. */
import { expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvals, newThread, openView, send } from "./app-fixture/console-steps.ts";

test("three steps lead to a task that waits in the composer", async ({ app }) => {
  const steps = app.page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("Step 1 of 3");
  await expect(steps.getByRole("textbox", { name: "Folder" })).toHaveValue(app.workspace);
  await steps.getByRole("textbox", { name: "Folder" }).fill("/nowhere/at-all");
  await steps.getByRole("button", { name: "Next" }).click();
  await expect(steps).toContainText("Step 1 of 3");
  await steps.getByRole("textbox", { name: "Folder" }).fill(app.workspace);
  await steps.getByRole("button", { name: "Next" }).click();
  await steps.getByRole("button", { name: "Try the scripted demo (no AI)" }).click();
  await steps.getByRole("button", { name: /^Write a file/ }).click();
  await expect(app.page.getByRole("textbox", { name: "Message" })).toHaveValue("write notes.md hello");
  await openView(app, "Approvals");
  await expect(steps).toBeHidden();
});

test("the first steps block nothing, and skipped they do not come back", async ({ app }) => {
  const steps = app.page.getByRole("region", { name: "First steps" });
  await expect(steps).toBeVisible();
  await openView(app, "Settings");
  await openView(app, "Approvals");
  await steps.getByRole("button", { name: "Skip" }).click();
  await expect(steps).toBeHidden();
  await app.page.reload();
  await expect(app.page.getByText("Nothing waits for you").first()).toBeVisible();
  await expect(steps).toBeHidden();
});

test("a task can be given while the first steps still show", async ({ app }) => {
  await expect(app.page.getByRole("region", { name: "First steps" })).toBeVisible();
  await newThread(app);
  await send(app, "say hello");
  await expect(agentSaid(app, "hello")).toBeVisible();
});

test("what stands below the first steps comes together with them, so that nothing moves under a hand", async ({
  app,
  door,
}) => {
  test.skip(door !== "browser", "The desktop app has its code in its own files.");
  const { page } = app;
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>();
  await page.route("**/first-steps-*.js", async (route) => {
    await mayCome;
    await route.continue();
  });
  await Promise.all([page.waitForRequest("**/first-steps-*.js"), page.reload()]);
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Loading…" })).toBeVisible();
  await expect(approvals(app)).toBeHidden();
  letCome();
  await expect(page.getByRole("region", { name: "First steps" })).toBeVisible();
  await expect(approvals(app)).toBeVisible();
});
