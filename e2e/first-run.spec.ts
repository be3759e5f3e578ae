/** The first steps lead to a first task and never stand in the way of one. */
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  glimpseMs,
  newThread,
  openView,
  pressUntil,
  send,
} from "./app-fixture/console-steps.ts";

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

test("the tour teaches its keys on real requests in the approvals, by keyboard alone", async ({ app }) => {
  const { page } = app;
  const tour = page.getByRole("region", { name: "Tour" });
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await expect(page.getByText("Agents ask here. You decide.")).toBeVisible();
  await press("Next");
  await press("Try the scripted demo (no AI)");
  await press("Take the tour");
  const card = (subject: RegExp) => approvals(app).getByRole("article", { name: subject });
  await expect(tour).toContainText("Read it, then press y to approve");
  await pressUntil(app, "y", () => expect(card(/^write /)).toBeHidden({ timeout: glimpseMs }));
  await expect(tour).toContainText("then z while it says that it starts");
  await expect(card(/^edit /)).toBeVisible();
  await pressUntil(app, "y", () => expect(card(/^edit /)).toBeHidden({ timeout: glimpseMs }));
  await expect(tour).toContainText("This one you refuse: press n");
  const reason = page.getByRole("textbox", { name: /reason/i });
  await pressUntil(app, "n", () => expect(reason).toBeFocused({ timeout: glimpseMs }));
  await page.keyboard.type("not now");
  await page.keyboard.press("Enter");
  await expect(tour).toContainText("hold y until it is done");
  await expect(async () => {
    await page.keyboard.down("y");
    try {
      await expect(card(/rm -rf/)).toBeHidden({ timeout: 3 * glimpseMs });
    } finally {
      await page.keyboard.up("y");
    }
  }).toPass();
  await expect(tour).toContainText("That is all: agents ask here, you decide.");
  await app.expectAccessible();
  await press("Connect a model");
  await expect(page.getByRole("main", { name: "Settings" })).toBeVisible();
});

test("every sample of the demo asks", async ({ app }) => {
  const steps = app.page.getByRole("region", { name: "First steps" });
  await steps.getByRole("button", { name: "Next" }).click();
  await steps.getByRole("button", { name: "Try the scripted demo (no AI)" }).click();
  await expect(steps.getByRole("listitem")).toHaveCount(3);
  const samples = await steps.getByRole("listitem").allInnerTexts();
  for (const sample of samples) {
    await newThread(app);
    await send(app, sample.split("\n").at(-1)!);
    await expect(approvals(app).getByRole("article")).toHaveCount(1);
  }
});

test("the first steps block nothing, and skipped they do not come back", { tag: "@long" }, async ({
  app,
}) => {
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

test("a task can be given while the first steps still show", { tag: "@long" }, async ({ app }) => {
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
