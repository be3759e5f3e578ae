/** Settings hold at once and after a reload, and a key that was set is never shown again. */
import { readFile } from "node:fs/promises";
import { type App, expect, test } from "./app-fixture/app.ts";
import { cardFor, newThread, openView, send } from "./app-fixture/console-steps.ts";

async function openPart(app: App, name: string): Promise<void> {
  await openView(app, "Settings");
  const parts = app.page.getByRole("navigation", { name: "Parts of the settings" });
  await parts.getByRole("button", { name, exact: true }).click();
}

test("the theme changes at once and stays after a reload", async ({ app }) => {
  await openPart(app, "Appearance");
  await app.page.getByRole("radio", { name: "Dark" }).check();
  await expect(app.page.locator(":root")).toHaveCSS("color-scheme", "dark");
  await app.page.reload();
  await expect(app.page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await expect(app.page.locator(":root")).toHaveCSS("color-scheme", "dark");
  await app.page.getByRole("radio", { name: "Light" }).check();
  await expect(app.page.locator(":root")).toHaveCSS("color-scheme", "light");
});

test("without time to take back an approved command starts at once", { tag: "@long" }, async ({ app }) => {
  await openPart(app, "Deciding");
  const grace = app.page.getByRole("textbox", { name: "Time to take back (s)" });
  await grace.fill("11");
  await grace.press("Enter");
  await expect(app.page.getByText("Enter a number from 0 to 10.")).toBeVisible();
  await grace.fill("0");
  await grace.press("Enter");
  await newThread(app);
  await send(app, "run echo x >> ran.txt");
  await cardFor(app, "echo x").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
  await expect(app.page.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("settings are found by their words and saved as a file", { tag: "@long" }, async ({ app }) => {
  await openView(app, "Settings");
  await app.page.getByRole("searchbox", { name: "Search settings" }).fill("font");
  const size = app.page.getByRole("textbox", { name: "Font size (px)" });
  await size.fill("16");
  await size.press("Enter");
  await openPart(app, "Data");
  const download = app.page.waitForEvent("download");
  await app.page.getByRole("button", { name: "Save settings as a file" }).click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
  expect(JSON.stringify(saved)).toContain('"fontSize":16');
});

test("a key can be set and removed and never comes back to the page", async ({ app }) => {
  const key = "sk-test-0123456789-never-shown";
  const received: string[] = [];
  app.page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => received.push(payload.toString())),
  );
  await app.page.reload();
  await openPart(app, "Models and keys");
  await app.page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
  const field = app.page.getByLabel("API key for OpenAI", { exact: true });
  await field.fill(key);
  await app.page.getByRole("button", { name: "Save", exact: true }).click();
  const openai = app.page.getByRole("listitem").filter({ has: field });
  await expect(openai).toContainText("Key set");
  await expect(field).toHaveValue("");
  await app.page.reload();
  await app.page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
  await expect(openai).toContainText("Key set");
  expect(received.length).toBeGreaterThan(0);
  expect(received.filter((frame) => frame.includes(key))).toEqual([]);
  expect(await app.page.content()).not.toContain(key);
  await openai.getByRole("button", { name: "Remove key and address" }).click();
  await app.page
    .getByRole("dialog", { name: "Remove the key of OpenAI?" })
    .getByRole("button", { name: "Remove key and address" })
    .click();
  await expect(openai).toContainText("No key");
});
