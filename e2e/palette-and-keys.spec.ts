/** Everything can be reached from the keyboard: the palette, the keys, and the sheet that lists them. */
import { type App, expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  cardFor,
  glimpseMs,
  newThread,
  openView,
  pressUntil,
  send,
} from "./app-fixture/console-steps.ts";

async function pressBoth(app: App, first: string, then: string): Promise<void> {
  await app.page.keyboard.press(first);
  await app.page.keyboard.press(then);
}

test("the palette goes to views, settings and threads by a few letters", { tag: "@long" }, async ({
  app,
}) => {
  await newThread(app);
  await send(app, "say lighthouse keeper");
  await expect(agentSaid(app, "lighthouse")).toBeVisible();
  const field = app.page.getByRole("combobox", { name: "Go to or do" });

  await app.page.keyboard.press("ControlOrMeta+K");
  await expect(field).toBeFocused();
  await app.page.keyboard.type("go agents");
  await app.page.keyboard.press("Enter");
  await expect(app.page.getByRole("heading", { name: "Agents", level: 1 })).toBeVisible();

  await app.page.keyboard.press("ControlOrMeta+K");
  await expect(field).toBeFocused();
  await app.page.keyboard.type("time to take");
  await app.page.keyboard.press("Enter");
  await expect(app.page.getByRole("textbox", { name: "Time to take back (s)" })).toBeVisible();

  await app.page.keyboard.press("ControlOrMeta+K");
  await expect(field).toBeFocused();
  await app.page.keyboard.type("lighthouse");
  await app.page.keyboard.press("Enter");
  await expect(agentSaid(app, "lighthouse")).toBeVisible();

  await app.page.keyboard.press("ControlOrMeta+K");
  await field.fill("no such thing at all");
  await expect(app.page.getByText("Nothing is called “no such thing at all”.")).toBeVisible();
  await app.page.keyboard.press("Escape");
  await expect(field).toBeHidden();
});

test("the key sheet lists what the keys do, and the keys do it", { tag: "@long" }, async ({ app }) => {
  const sheet = app.page.getByRole("dialog", { name: "Keys" });
  await pressUntil(app, "?", () => expect(sheet).toBeVisible({ timeout: glimpseMs }));
  await expect(
    sheet.getByRole("term").filter({ hasText: /^Snooze, or wake what is snoozed$/ }),
  ).toBeVisible();
  await expect(sheet.getByRole("term").filter({ hasText: /^Go to the settings$/ })).toBeVisible();
  await app.page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await pressBoth(app, "g", "s");
  await expect(app.page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await pressBoth(app, "g", "q");
  await expect(app.page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
});

test("keys that go somewhere do nothing to the card that waits", async ({ app }) => {
  await newThread(app);
  await send(app, "run touch made.txt");
  await expect(cardFor(app, "touch made.txt")).toBeVisible();
  await openView(app, "Approvals");
  const snoozed = approvals(app).getByRole("button", { name: "Snoozed" });
  await approvals(app).getByRole("article").focus();
  for (const [key, view] of [
    ["s", "Settings"],
    ["a", "Agents"],
  ] as const) {
    await pressBoth(app, "g", key);
    await expect(app.page.getByRole("heading", { name: view, level: 1 })).toBeVisible();
    await openView(app, "Approvals");
    await expect(cardFor(app, "touch made.txt")).toBeVisible();
    await expect(snoozed).toHaveAccessibleName("Snoozed 0");
    await expect(app.page.getByRole("dialog")).toHaveCount(0);
    await approvals(app).getByRole("article").focus();
  }
});
