/** What a person does in the console again and again, by the names they would say. */
import { expect, type Locator } from "@playwright/test";
import type { App } from "./app.ts";

/** How long one try of a step that is tried again and again looks for its effect, in milliseconds. */
export const glimpseMs = 1_000;

export function approvals(app: App): Locator {
  return app.page.getByRole("region", { name: "Approvals" });
}

/**
 * The card about this command, question or file change, such as `write notes.md`, where it is the current one.
 */
export function cardFor(app: App, subject: string): Locator {
  return approvals(app).getByRole("article", { name: subject });
}

/** The rows of the approvals that wait, a group counting as one. */
export function rows(app: App): Locator {
  return approvals(app).getByRole("grid").getByRole("row").and(app.page.locator("[aria-selected]"));
}

/** Shows what waits, what is snoozed or what was decided. */
export async function showView(app: App, view: string): Promise<void> {
  await approvals(app)
    .getByRole("group", { name: "View" })
    .getByRole("button", { name: new RegExp(`^${view}`) })
    .click();
}

/** Orders or groups what waits. */
export async function orderBy(app: App, order: string): Promise<void> {
  await approvals(app).getByRole("button", { name: "Order: " }).click();
  await app.page.getByRole("menuitemradio", { name: order }).click();
}

/** The open thread carries this many requests, one of them on its card. */
export async function expectRequests(app: App, count: number): Promise<void> {
  await expect(approvals(app).getByRole("article")).toHaveCount(Math.min(1, count));
  if (count > 1) await expect(approvals(app)).toContainText(new RegExp(`\\d+ of ${count}(?!\\d)`));
}

/** Goes through the requests of the open thread, to and fro while they still come, to the one about this. */
export async function pageTo(app: App, subject: string): Promise<Locator> {
  const card = cardFor(app, subject);
  const press = (name: string) =>
    approvals(app).getByRole("button", { name, exact: true }).click({ timeout: glimpseMs });
  const isAt = (place: RegExp) => approvals(app).getByText(place).isVisible();
  let back = true;
  await expect(async () => {
    if (await card.isVisible()) return;
    if (await isAt(/^1 of \d+$/)) back = false;
    else if (await isAt(/^(\d+) of \1$/)) back = true;
    await press(back ? "Previous" : "Next");
    await expect(card).toBeVisible({ timeout: glimpseMs / 4 });
  }).toPass({ intervals: [100] });
  return card;
}

/** Makes the card about this the current one in the approvals, and gives it. */
export async function openCard(app: App, subject: string): Promise<Locator> {
  const start = new RegExp(`^[a-z]+ risk, \\w+ ${subject.replaceAll(".", "\\.")}, `);
  await rows(app)
    .and(app.page.getByRole("row", { name: start }))
    .click();
  return cardFor(app, subject);
}

/** Approves a card that wants more than one press: of high risk, not in view, or slid under the pointer just now. */
export function approvePatiently(app: App, subject: string): Promise<void> {
  return pressPatiently(app, subject, /^(?:Approve|Press again)/);
}

/** Rejects a card that may have slid under the pointer just now. */
export function rejectPatiently(app: App, subject: string): Promise<void> {
  return pressPatiently(app, subject, /^Reject$/);
}

/** Presses until the card has gone. */
async function pressPatiently(app: App, subject: string, name: RegExp): Promise<void> {
  const card = cardFor(app, subject);
  const button = card.getByRole("button", { name });
  await expect(card).toBeVisible();
  await expect(async () => {
    // The press before may have decided it, and its answer come late.
    if ((await card.count()) === 0) return;
    await button.click({ timeout: glimpseMs });
    await expect(card).toHaveCount(0, { timeout: glimpseMs });
  }).toPass();
}

export async function newThread(app: App): Promise<void> {
  await app.page.getByRole("button", { name: "New thread" }).first().click();
  // A thread that was open before has a message field too.
  await expect(app.page.getByRole("heading", { name: "New thread", level: 1 })).toBeVisible();
  await expect(app.page.getByRole("textbox", { name: "Message" })).toBeVisible();
}

export async function send(app: App, text: string): Promise<void> {
  await app.page.getByRole("textbox", { name: "Message" }).fill(text);
  await app.page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The agent's message that holds this text. */
export function agentSaid(app: App, text: string): Locator {
  return app.page.getByRole("article", { name: "Agent" }).filter({ hasText: text }).first();
}

/** Opens one of the views on the rail, such as `Approvals`, `Agents` or `Settings`. */
export async function openView(app: App, name: string): Promise<void> {
  const views = app.page.getByRole("navigation", { name: "Views" });
  await views.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await expect(app.page.getByRole("heading", { name: new RegExp(`^${name}`), level: 1 })).toBeVisible();
}

/** Shows the list of threads on a pane of its own. */
export async function showThreads(app: App): Promise<void> {
  await app.page
    .getByRole("navigation", { name: "Views" })
    .getByRole("button", { name: /^Threads/ })
    .click();
}

/** Opens the thread that stands first in the list. */
export async function openFirstThread(app: App): Promise<void> {
  await showThreads(app);
  await app.page.getByRole("list", { name: "Threads" }).getByRole("button").first().click();
}

/** Presses a key that decides, again while the console's guard against stray keys still holds it back. */
export async function pressUntil(app: App, key: string, happened: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await app.page.keyboard.press(key);
    await happened();
  }).toPass();
}

/** Presses a button that is locked until what it acts on was read, as a person does: once it is not locked any more. */
export async function pressOnceRead(button: Locator): Promise<void> {
  await expect(button).not.toHaveAttribute("data-locked");
  await button.click();
}
