/** The ways through every view and dialog of the console, so that one look can be taken at each of them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { isLongRun } from "../../src/main/base/testing/long-run.ts";
import type { App } from "./app.ts";
import {
  approvals,
  cardFor,
  newThread,
  openCard,
  openView,
  orderBy,
  pageTo,
  pressOnceRead,
  pressUntil,
  rows,
  send,
  showView,
} from "./console-steps.ts";

/** Called when a view stands; `name` says which, such as `queue by shape`. */
export type Look = (name: string) => Promise<void>;

/** Longer than the place a command has without scrolling. */
const script = Array.from({ length: 13 }, (_, at) => `make part-${at + 1} --jobs=${at + 1}`).join("\n");

const task = [
  "todo [x] Look at the folder",
  "todo [>] Write the notes",
  "todo [ ] Send them off",
  "say ## Plan\\n\\nFirst the **tests**, then the `build`, as [agreed](https://example.com).\\n\\n| Step | Done |\\n| --- | --- |\\n| Tests | yes |\\n\\n```ts\\n// twice\\nconst twice = (word: string) => word + `s` + 1;\\n```",
  "delegate general-purpose: read AGENTS.md ;; say Nothing unusual there.",
  "",
  "run touch zero.txt",
  "write notes.md # Notes\\n\\nship it",
  "run git push --force",
  "run touch one.txt",
  "run touch two.txt",
  `call execute ${JSON.stringify({ command: script })}`,
  "ask Which branch should this go to?",
].join("\n");

/** What a person sees who has done nothing yet. */
export async function visitBeginning(app: App, look: Look): Promise<void> {
  const { page } = app;
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("textbox", { name: "Folder" })).toHaveValue(app.workspace);
  await look("first run, folder");
  await steps.getByRole("button", { name: "Next" }).click();
  await expect(steps).toContainText("Step 2 of 3");
  await look("first run, model");
  await steps.getByRole("button", { name: "Try the scripted demo (no AI)" }).click();
  await expect(steps).toContainText("Step 3 of 3");
  await look("first run, task");
  await steps.getByRole("button", { name: "Skip" }).click();
  await expect(page.getByText("Nothing waits for you").first()).toBeVisible();
  await look("empty queue");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await pressUntil(app, "?", () => expect(sheet).toBeVisible({ timeout: 500 }));
  await look("key sheet");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+K");
  await page.getByRole("combobox", { name: "Go to or do" }).fill("set");
  await look("palette");
  await page.keyboard.press("Escape");
}

export async function visitAgents(app: App, look: Look): Promise<void> {
  const { page } = app;
  await openView(app, "Agents");
  await expect(page.getByRole("list", { name: "Agents you can start" })).toBeVisible();
  await look("agents");
  await page.getByRole("button", { name: "Make an agent" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Careful reader");
  await page.getByRole("combobox", { name: "Asking about read_file" }).selectOption("Custom…");
  await page.getByRole("button", { name: "Add a sub-agent" }).click();
  await look("agent as a form");
  await page.getByRole("tab", { name: "As a file" }).click();
  await expect(page.getByRole("textbox", { name: "Agent as JSON" })).toBeVisible();
  await look("agent as a file");
  await page.getByRole("button", { name: "Back to the agents" }).click();
  await page.getByRole("tab", { name: "MCP servers" }).click();
  await expect(page.getByText("No MCP server yet")).toBeVisible();
  await look("no servers");
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an MCP server" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("files");
  await dialog.getByRole("textbox", { name: "Program" }).fill("/nowhere/at-all");
  await pressOnceRead(dialog.getByRole("button", { name: "Test" }));
  await expect(dialog.getByText("It does not work:", { exact: false })).toBeVisible();
  await look("server dialog");
  await pressOnceRead(dialog.getByRole("button", { name: "Save" }));
  await expect(page.getByRole("list", { name: "Servers" })).toBeVisible();
  await look("servers");
  await page.getByRole("tab", { name: "Other programs" }).click();
  await page.getByRole("button", { name: "Add an agent" }).click();
  const outer = page.getByRole("dialog", { name: "Add an agent of another program" });
  await outer.getByRole("textbox", { name: "Name", exact: true }).fill("Other");
  await outer.getByRole("textbox", { name: "Program" }).fill("/nowhere/at-all");
  await look("dialog of an outer agent");
  await pressOnceRead(outer.getByRole("button", { name: "Save" }));
  await expect(page.getByRole("list", { name: "Agents of other programs" })).toBeVisible();
  await look("outer agents");
}

/** The short run opens every other part. */
export async function visitSettings(app: App, look: Look): Promise<void> {
  const { page } = app;
  await openView(app, "Settings");
  const parts = page.getByRole("navigation", { name: "Parts of the settings" }).getByRole("button");
  const names = await parts.allInnerTexts();
  for (const name of names.filter((_, at) => isLongRun || at % 2 === 1)) {
    await parts.getByText(name, { exact: true }).click();
    await expect(page.getByRole("heading", { name, level: 2 })).toBeVisible();
    await expect(page.getByRole("status").getByText("Loading…")).toHaveCount(0);
    await look(`settings, ${name}`);
    if (name !== "Models and keys") continue;
    await page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
    await look("settings, a provider");
  }
}

/** A thread with everything in it, then the queue it fills and the record of what was decided. */
export async function visitWork(app: App, look: Look): Promise<void> {
  await writeFile(join(app.workspace, "AGENTS.md"), "# Rules\n\nBe brief.\n");
  await newThread(app);
  await look("new thread");
  await send(app, task);
  await pageTo(app, "touch zero.txt");
  await look("conversation");
  await visitThread(app, look);
  await visitQueue(app, look);
}

async function visitThread(app: App, look: Look): Promise<void> {
  const { page } = app;
  await cardFor(app, "touch zero.txt").getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Plan, files and terminals" }).click();
  const panel = page.getByRole("complementary", { name: "Plan, files and terminals" });
  await expect(panel.getByRole("region", { name: "Changed files" }).getByText("zero.txt")).toBeVisible();
  await look("side panel");
  await page.keyboard.press("ControlOrMeta+F");
  const bar = page.getByRole("form", { name: "Find in this thread" });
  await bar.getByRole("textbox").fill("tests");
  await expect(bar.getByRole("status")).toContainText(" of ");
  await look("find bar");
  await page.keyboard.press("Escape");

  const control = page.getByRole("switch", { name: "Auto-approve" });
  await control.click();
  const question = page.getByRole("dialog", { name: "Turn on auto-approve?" });
  await expect(question.getByRole("region").first()).toBeVisible();
  await look("auto-approve dialog");
  await question.getByRole("button", { name: "Only from now on" }).click();
  await page.getByRole("button", { name: "More for" }).first().click();
  await page.getByRole("menuitem", { name: "Disk space…" }).click();
  await expect(page.getByText("Counting…")).toHaveCount(0);
  await look("disk space dialog");
  await page.getByRole("button", { name: "Close", exact: true }).click();

  await newThread(app);
  await control.click();
  await expect(control).toBeChecked();
  await send(app, "run touch auto.txt\n\nrun sleep 60");
  const letThrough = panel.getByRole("region", { name: "Approved without asking" });
  await expect(letThrough).toContainText("1");
  await letThrough.getByText("Approved without asking").click();
  await expect(letThrough).toContainText("touch auto.txt");
  await expect(panel.getByRole("region", { name: "Terminals" })).toContainText("sleep 60");
  await look("side panel with a terminal");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
}

async function visitQueue(app: App, look: Look): Promise<void> {
  const { page } = app;
  const queue = approvals(app);
  await openView(app, "Approvals");
  await expect(queue.getByRole("article").first()).toBeVisible();
  await look("queue");
  await openCard(app, "make part-1 --jobs=1 … 13 lines");
  await look("a script of many lines");
  await orderBy(app, "By command shape");
  await rows(app)
    .and(page.getByRole("row", { name: ", 2 alike," }))
    .click();
  await expect(queue.getByRole("button", { name: "Approve all 2" })).toBeVisible();
  await look("queue by shape");
  await orderBy(app, "Oldest first");
  await queue.getByRole("button", { name: "Filter" }).click();
  await look("filters");
  await page.keyboard.press("Escape");
  for (const what of ["touch one.txt", "git push"]) {
    await rows(app).filter({ hasText: what }).hover();
    await queue.getByRole("checkbox", { name: `Select ${what}` }).check();
  }
  await queue.getByRole("button", { name: "Approve them" }).click();
  await look("bulk dialog");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  const card = await openCard(app, "touch two.txt");
  const makeRule = page.getByRole("menuitem", { name: "Make a rule…" });
  // News of the queue that come in this moment close the menu.
  await expect(async () => {
    if (!(await makeRule.isVisible())) await card.getByRole("button", { name: "More" }).click();
    await expect(makeRule).toBeVisible();
  }).toPass();
  await makeRule.click();
  await expect(
    page.getByRole("dialog", { name: "Make a rule" }).getByText(/^Would have approved/),
  ).toBeVisible();
  await look("rule dialog");
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "Edit" }).click();
  await look("edited card");
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Snooze for 15 min" }).click();
  await showView(app, "Snoozed 1");
  await expect(rows(app)).toHaveCount(1);
  await look("snoozed");
  await showView(app, "Decided");
  const decided = queue.getByRole("list", { name: "Decided" }).getByRole("listitem");
  await expect(decided.first()).toBeVisible();
  await decided.first().getByText("Folder, reasons and arguments").click();
  await look("decided");
}
