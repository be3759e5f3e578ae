/** Two pages open on one host: what was on the page that pressed is what is decided, once, and the other page says so. */
import type { Locator, Page, WebSocketRoute } from "@playwright/test";
import { type App, expect, test } from "./app-fixture/app.ts";
import { glimpseMs, newThread, openView, send } from "./app-fixture/console-steps.ts";

const named = (number: number) => `echo ${number} >> ran-${number}.txt`;

function cardOn(page: Page, number: number): Locator {
  return page.getByRole("region", { name: "Approvals" }).getByRole("article", { name: named(number) });
}

function rowOn(page: Page, number: number): Locator {
  return page.getByRole("grid").getByRole("row", { name: new RegExp(`^\\w+ risk, Run echo ${number} >>`) });
}

/** Makes a card the current one of a page, as a person does who clicks on its row. */
async function openOn(page: Page, number: number): Promise<Locator> {
  await page.bringToFront();
  await rowOn(page, number).click();
  await expect(cardOn(page, number)).toBeVisible();
  return cardOn(page, number);
}

/** Asks for so many commands, and opens the approvals on the page and on another one. */
async function openTwo(app: App, count: number): Promise<[Page, Page]> {
  await newThread(app);
  await send(app, Array.from({ length: count }, (_, at) => `run ${named(at)}`).join("\n"));
  await openView(app, "Approvals");
  return [app.page, await app.openAnother()];
}

/** Presses a key of the current card until it does something, since what is new on the screen is guarded for a moment. */
async function pressOn(page: Page, key: string, happened: () => Promise<void>): Promise<void> {
  await page.bringToFront();
  await expect(async () => {
    await page.keyboard.press(key);
    await happened();
  }).toPass();
}

/** Lets the connections of pages that are opened from now on be lost, as a network does it, and come back. */
async function breakableLine(page: Page) {
  let broken = false;
  const sockets = new Set<WebSocketRoute>();
  await page.context().routeWebSocket(/.*/, (socket) => {
    if (broken) return void socket.close();
    sockets.add(socket);
    socket.connectToServer();
  });
  return {
    async lose() {
      broken = true;
      for (const socket of sockets) await socket.close();
    },
    async comeBack() {
      broken = false;
    },
  };
}

const isGone = (page: Page, number: number) => async () =>
  expect(cardOn(page, number)).toHaveCount(0, { timeout: glimpseMs });
const goneNote = (page: Page) => page.getByText(/does not wait any more/).first();

test.skip(({ door }) => door === "electron", "The desktop has one window.");

test("a card that one page decides leaves the other, which says so and decides nothing by it", {
  tag: "@long",
}, async ({ app }) => {
  const [one, other] = await openTwo(app, 3);
  await openOn(other, 1);
  await openOn(one, 1);
  await pressOn(one, "y", isGone(one, 1));
  await expect(cardOn(other, 1)).toHaveCount(0);
  await other.bringToFront();
  await expect(goneNote(other)).toBeVisible();
  await expect.poll(() => app.runs("ran-1.txt")).toBe(1);
  for (const number of [0, 2]) expect(await app.runs(`ran-${number}.txt`), named(number)).toBe(0);
});

test("a change half written on one page is not sent when the other approves, and goes to no other card", {
  tag: "@long",
}, async ({ app }) => {
  const [one, other] = await openTwo(app, 2);
  const card = await openOn(other, 0);
  await card.getByRole("button", { name: "Edit" }).click();
  await card.getByRole("textbox", { name: "Command" }).fill("touch wrong.txt");
  await openOn(one, 0);
  await pressOn(one, "y", isGone(one, 0));
  await expect(cardOn(other, 0)).toHaveCount(0);
  await other.bringToFront();
  await expect(goneNote(other)).toBeVisible();
  // Whoever types on, and sends, does so into nothing.
  await other.keyboard.type(" y");
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(() => app.runs("ran-0.txt")).toBe(1);
  expect([await app.read("wrong.txt"), await app.runs("ran-1.txt")]).toEqual([undefined, 0]);
  await expect(cardOn(other, 1)).toBeVisible();
});

test("what one page approved and took back waits on both, and starts once, when the other approves it", async ({
  app,
}) => {
  // As long as there can be, so that what is pressed here is pressed within it.
  await openView(app, "Settings");
  await app.page.getByRole("searchbox", { name: "Search settings" }).fill("taken back");
  await app.page.getByRole("textbox", { name: /^Time to take back/ }).fill("10");
  await app.page.keyboard.press("Tab");
  const [one, other] = await openTwo(app, 2);
  await openOn(one, 1);
  await pressOn(one, "y", isGone(one, 1));
  // Only who decided takes back: what was decided on another page was not on the screen here.
  await other.keyboard.press("z");
  await expect(one.getByRole("button", { name: /^Undo/ }).first()).toBeVisible();
  await one.keyboard.press("z");
  await expect(cardOn(one, 1)).toBeVisible();
  await other.bringToFront();
  await expect(rowOn(other, 1)).toBeVisible();
  await openOn(other, 1);
  await pressOn(other, "y", isGone(other, 1));
  await expect.poll(() => app.runs("ran-1.txt")).toBe(1);
  expect(await app.runs("ran-0.txt")).toBe(0);
});

test("pressed on both pages at the same moment, a card counts once and no other card is hit", async ({
  app,
}) => {
  const [one, other] = await openTwo(app, 3);
  for (const page of [one, other]) {
    const card = await openOn(page, 1);
    await expect(card.getByRole("button", { name: "Approve" })).not.toHaveAttribute("data-locked");
  }
  await expect(async () => {
    await Promise.all([one.keyboard.press("y"), other.keyboard.press("y")]);
    await isGone(one, 1)();
  }).toPass();
  await expect(cardOn(other, 1)).toHaveCount(0);
  await expect.poll(() => app.runs("ran-1.txt")).toBe(1);
  for (const number of [0, 2]) {
    for (const page of [one, other]) await expect(rowOn(page, number)).toBeVisible();
    expect(await app.runs(`ran-${number}.txt`), named(number)).toBe(0);
  }
});

test("a page that lost its connection and comes back decides only what still waits", async ({ app }) => {
  await newThread(app);
  await send(app, Array.from({ length: 3 }, (_, at) => `run ${named(at)}`).join("\n"));
  await openView(app, "Approvals");
  const one = app.page;
  const line = await breakableLine(one);
  const other = await app.openAnother();
  await openOn(other, 1);
  await line.lose();
  await expect(other.getByText(/What you see may be out of date/).first()).toBeVisible();
  await openOn(one, 1);
  await cardOn(one, 1).getByRole("button", { name: "Reject", exact: true }).click();
  await isGone(one, 1)();
  await openOn(one, 2);
  await pressOn(one, "y", isGone(one, 2));
  // What the page without a connection shows is of before; what is pressed there counts for that or not at all.
  await other.bringToFront();
  await expect(cardOn(other, 1)).toBeVisible();
  await other.keyboard.press("y");
  await line.comeBack();
  await expect(cardOn(other, 1)).toHaveCount(0);
  await expect.poll(() => app.runs("ran-2.txt")).toBe(1);
  await expect(rowOn(other, 0)).toBeVisible();
  expect([await app.runs("ran-0.txt"), await app.runs("ran-1.txt")]).toEqual([0, 0]);
  await openOn(other, 0);
  await pressOn(other, "y", isGone(other, 0));
  await expect.poll(() => app.runs("ran-0.txt")).toBe(1);
});
