/** The ways through the dialogs about a thread, its folder, rules, prices and settings, each with what people have in them. */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { App } from "./app.ts";
import {
  agentSaid,
  approvePatiently,
  cardFor,
  newThread,
  openView,
  pressOnceRead,
  pressUntil,
  send,
} from "./console-steps.ts";
import type { Look } from "./every-view.ts";

const longName = "ein-sehr-langer-name-ohne-eine-stelle-zum-umbrechen-第一部分-".repeat(3);
const longTitle = `Prüfe die 价格表 und ${"vergleiche-sie-mit-der-letzten-".repeat(4)}Fassung`;

/** Thirteen lines that change a file, make two with long names, and remove one. */
const command = [
  "set -eu",
  ...Array.from({ length: 8 }, (_, at) => `echo '第 ${at + 1} 行: ${"Wert ".repeat(12)}' >> 说明.md`),
  "echo two >> notes.md",
  `echo new > '新文件.md'`,
  `echo new > '${longName}.md'`,
  "rm old.md",
].join("\n");

function git(app: App, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: app.workspace });
}

async function openPart(app: App, name: string): Promise<void> {
  await openView(app, "Settings");
  const parts = app.page.getByRole("navigation", { name: "Parts of the settings" });
  await parts.getByRole("button", { name, exact: true }).click();
}

/** A message of what was done is a dialog to who listens, too. */
const openDialog = (page: Page) =>
  page.locator('[role="dialog"]:not([aria-modal="false"]), [role="alertdialog"]');

/** While it still goes it lies over what is clicked next. */
async function close(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: /^(Cancel|Close|Not now)$/ }).click();
  await expect(dialog).toHaveCount(0);
}

/** A repository whose files steer agents, trusted after a look at them. */
async function trustRepository(app: App, look: Look): Promise<void> {
  const rules = Array.from({ length: 13 }, (_, at) => `- 规则 ${at}: ${"keep it small, ".repeat(9)}`).join(
    "\n",
  );
  await mkdir(app.workspace, { recursive: true });
  for (const [name, text] of [
    ["AGENTS.md", `# Rules\n\n${rules}\n`],
    ["notes.md", "one\n"],
    ["old.md", "old\n"],
    ["说明.md", "说明\n"],
  ] as const)
    await writeFile(join(app.workspace, name), text);
  git(app, "init", "-q", "-b", "main");
  git(app, "add", "-A");
  git(app, "commit", "-qm", "one");
  await newThread(app);
  await openPart(app, "Folders");
  const trust = app.page.getByRole("switch", { name: /^Trust workspace/ });
  await trust.click();
  const question = app.page.getByRole("dialog", { name: /^Trust / });
  await expect(question.getByRole("figure").first()).toBeVisible();
  await look("trust dialog");
  const take = question.getByRole("button", { name: "Trust the folder" });
  await expect(async () => {
    if (await question.isVisible()) await take.click({ timeout: 500 });
    await expect(question).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect(trust).toBeChecked();
}

/** A thread in a worktree of its own, from whom it is to its end. */
export async function visitThreadDialogs(app: App, look: Look): Promise<void> {
  const { page } = app;
  await trustRepository(app, look);
  await newThread(app);
  await page.getByRole("switch", { name: "Work in a worktree of its own" }).click();
  await visitPartners(app, look);
  await visitLongText(app, look);
  await send(app, `call execute ${JSON.stringify({ command })}`);
  await expect(cardFor(app, "set -eu")).toBeVisible();
  await look("a request of a worktree");
  await approvePatiently(app, "set -eu");
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  // Both sides changed one file since.
  await writeFile(join(app.workspace, "notes.md"), "mine\n");
  git(app, "commit", "-qam", "theirs");

  await page.keyboard.press("Escape");
  await pressUntil(app, "Shift+H", () =>
    expect(page.getByRole("dialog", { name: /home$/ })).toBeVisible({ timeout: 500 }),
  );
  const home = page.getByRole("dialog", { name: /home$/ });
  await expect(home.getByRole("heading", { name: "Changed on both sides: 1 file" })).toBeVisible();
  await home.getByText("说明.md", { exact: true }).click();
  await home.getByText("Compare").click();
  await expect(home.getByRole("figure")).toHaveCount(2);
  await look("bring home");
  await close(home);

  const undo = page.getByRole("dialog", { name: "Undo what this thread did from here on" });
  await page.getByRole("button", { name: "Take back from here" }).click();
  await expect(undo).toBeVisible();
  await expect(undo.getByRole("list", { name: "Undone" })).toContainText("新文件.md");
  await look("undo");
  await close(undo);
  await visitThreadMenu(app, look);
}

async function visitPartners(app: App, look: Look): Promise<void> {
  const { page } = app;
  await page.getByRole("button", { name: /^Agent and model: / }).click();
  const panel = page.getByRole("dialog", { name: "Choose the agent or the model" });
  await expect(panel.getByRole("option").first()).toBeVisible();
  await look("agent and model");
  await panel.getByRole("option", { name: "Another model or server…" }).click();
  await panel.getByRole("combobox", { name: "Provider" }).selectOption("openai");
  await panel.getByRole("combobox", { name: "Model" }).selectOption("Another model…");
  await panel.getByRole("textbox", { name: "Model: id" }).fill(longName);
  await look("another model");
  await page.keyboard.press("Escape");
}

async function visitLongText(app: App, look: Look): Promise<void> {
  const { page } = app;
  const field = page.getByRole("textbox", { name: "Message" });
  await field.evaluate((one, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    one.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, `${command}\n${longName}`);
  const chips = page.getByRole("list", { name: "Long texts in this message" });
  await chips.getByRole("button").first().click();
  await look("long text");
  await close(openDialog(page));
}

async function visitThreadMenu(app: App, look: Look): Promise<void> {
  const { page } = app;
  const choose = async (entry: string) => {
    await page.getByRole("button", { name: "More for" }).first().click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await choose("Rename…");
  const rename = page.getByRole("dialog", { name: "Rename thread" });
  await rename.getByRole("textbox", { name: "Title" }).fill(longTitle);
  await look("rename");
  await rename.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: longTitle, level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "More for" }).first().click();
  await expect(page.getByRole("menuitem", { name: "Delete…" })).toBeVisible();
  await look("thread menu");
  await page.keyboard.press("Escape");
  await choose("Save as a file…");
  const save = page.getByRole("dialog", { name: /as a file$/ });
  await save.getByRole("button", { name: "Write the file" }).click();
  await expect(save.getByRole("button", { name: "Copy the path" })).toBeVisible();
  await look("thread saved");
  await close(save);
  await choose("Delete…");
  const remove = page.getByRole("dialog", { name: /^Delete the thread / });
  await expect(remove).toContainText("Its worktree goes too");
  await look("delete");
  await close(remove);
}

/** The dialogs that stand behind the settings. */
export async function visitSettingsDialogs(app: App, look: Look): Promise<void> {
  await visitRules(app, look);
  await visitPrices(app, look);
  await visitSettingsFile(app, look);
}

async function visitRules(app: App, look: Look): Promise<void> {
  const { page } = app;
  const file = {
    permissions: {
      allow: ["Bash(npm run 测试)", `Bash(make ${longName})`, "Read(**)", "Bash(curl:*)"],
      deny: ["Bash(rm -rf /)", "Bash(git push --force origin main)"],
      ask: ["Bash(npm publish)"],
    },
  };
  await openPart(app, "Rules");
  await page.getByRole("button", { name: "Take over rules…" }).click();
  const taking = page.getByRole("dialog", { name: "Take over rules" });
  await taking.getByLabel("Rules of another program").setInputFiles({
    name: "settings.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(file)),
  });
  await expect(taking.getByRole("list", { name: "Entries of the file" })).toBeVisible();
  await look("rules to take over");
  await pressOnceRead(taking.getByRole("button", { name: /^Take \d+ rules?$/ }));
  await expect(taking).toHaveCount(0);
  await look("rules");
  await page.getByRole("button", { name: "Write rules for another program…" }).click();
  const writing = page.getByRole("dialog", { name: "Write rules for another program" });
  await expect(writing.getByRole("textbox", { name: "The rules as text" })).not.toHaveValue("");
  await look("rules for another program");
  await close(writing);
  await page.getByRole("button", { name: /^Remove .*npm run/ }).click();
  await look("rule to remove");
  await close(openDialog(page));
}

async function visitPrices(app: App, look: Look): Promise<void> {
  const { page } = app;
  await openPart(app, "Models and keys");
  await page.getByRole("button", { name: "Set a price" }).click();
  const price = page.getByRole("dialog", { name: "Set a price" });
  await price.getByRole("combobox", { name: "Provider" }).selectOption("openai");
  await price.getByRole("combobox", { name: "Model", exact: true }).selectOption("Another model…");
  await price.getByRole("textbox", { name: "Model: id" }).fill(longName);
  await price.getByLabel("Input", { exact: true }).fill("ten");
  await price.getByLabel("Output", { exact: true }).fill("50");
  await price.getByRole("button", { name: "Save" }).click();
  await look("price with a mistake");
  await price.getByLabel("Input", { exact: true }).fill("10");
  await price.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("list", { name: "Prices" })).toContainText("$10.00 in");
  await look("prices");
  await page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
  await page.getByLabel("API key for OpenAI", { exact: true }).fill("sk-e2e");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/^Key set/)).toBeVisible();
  await page.getByRole("button", { name: "Remove key and address" }).click();
  const remove = page.getByRole("dialog", { name: "Remove the key of OpenAI?" });
  await look("key to remove");
  await close(remove);
}

async function visitSettingsFile(app: App, look: Look): Promise<void> {
  const { page } = app;
  await openPart(app, "Data");
  await page.getByLabel("Settings file").setInputFiles({
    name: "settings.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ fontSize: 16, hiddenPaths: [`/home/${longName}`, "/srv/数据"] })),
  });
  // A message of what was done before may still stand there, and is a dialog to who listens.
  const settings = page.getByRole("dialog", { name: "Use these settings?" });
  await expect(settings).toBeVisible();
  await look("settings from a file");
  await close(settings);
  await page.getByRole("button", { name: "Look for threads…" }).click();
  const threads = page.getByRole("dialog", { name: "Threads of the deepagents CLI" });
  await expect(threads).not.toContainText("Reading its database…");
  await look("threads of another program");
  await close(threads);
}
