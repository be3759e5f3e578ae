/** Each decision through the page: what the person says is what happens, and what the agent hears. */
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  approvePatiently,
  cardFor,
  expectRequests,
  glimpseMs,
  newThread,
  pressUntil,
  rejectPatiently,
  rows,
  send,
} from "./app-fixture/console-steps.ts";

test("a rejection with a reason reaches the agent and nothing runs", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run touch made.txt");
  const card = cardFor(app, "touch made.txt");
  await card.getByRole("button", { name: "More" }).click();
  await app.page.getByRole("menuitem", { name: "Reject with a reason…" }).click();
  await card.getByRole("textbox", { name: "Reason" }).fill("use the other folder");
  await card.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(agentSaid(app, "use the other folder")).toBeVisible();
  expect(await app.read("made.txt")).toBeUndefined();
});

test("an edited command runs as edited", async ({ app }) => {
  await newThread(app);
  await send(app, "run echo one > made.txt");
  const card = cardFor(app, "echo one");
  await card.getByRole("button", { name: "Edit" }).click();
  const field = card.getByRole("textbox", { name: "Command" });
  await field.fill("echo two > made.txt && git push");
  await card.getByRole("button", { name: "Approve" }).click();
  // It is shown first what that is more than its card said.
  const changed = cardFor(app, "git push");
  await expect(changed.getByText("This is what your edit does. Look at it, then decide.")).toBeVisible();
  await expect(changed.getByText("Leaves this machine").first()).toBeVisible();
  expect(await app.read("made.txt")).toBeUndefined();
  await changed.getByRole("textbox", { name: "Command" }).fill("echo two > made.txt");
  await approvePatiently(app, "git push");
  await expect.poll(() => app.read("made.txt")).toBe("two\n");
});

test("a question is answered in the person's words", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "ask Which colour?");
  const card = cardFor(app, "Which colour?");
  await card.getByRole("button", { name: "Answer" }).click();
  await card.getByRole("textbox", { name: "Answer" }).fill("blue");
  await card.getByRole("button", { name: "Answer" }).click();
  await expect(agentSaid(app, "blue")).toBeVisible();
});

test("a question is answered with one of the answers it offers", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "ask Which region? | eu-west-1 | us-east-1");
  await expect(cardFor(app, "Which region?").getByRole("button", { name: "eu-west-1" })).toBeVisible();
  await app.page.keyboard.press("Escape");
  await app.page.keyboard.press("2");
  await expect(cardFor(app, "Which region?").getByRole("button", { name: "us-east-1" })).toBeFocused();
  await pressUntil(app, "Enter", () =>
    expect(agentSaid(app, "us-east-1")).toBeVisible({ timeout: glimpseMs }),
  );
});

test("a mixed batch does exactly what was decided", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run echo a >> a.txt\nrun echo b >> b.txt\nrun echo c >> c.txt");
  await approvePatiently(app, "echo a");
  await rejectPatiently(app, "echo b");
  await approvePatiently(app, "echo c");
  await expect(agentSaid(app, "2 of 3 steps worked")).toBeVisible();
  expect([await app.runs("a.txt"), await app.runs("b.txt"), await app.runs("c.txt")]).toEqual([1, 0, 1]);
});

test("an approve can be taken back before anything starts", async ({ app }) => {
  await newThread(app);
  await send(app, "run touch made.txt");
  await cardFor(app, "touch made.txt").getByRole("button", { name: "Approve" }).click();
  await app.page.getByRole("button", { name: "Undo" }).first().click();
  await expect(cardFor(app, "touch made.txt").getByRole("button", { name: "Approve" })).toBeVisible();
  expect(await app.read("made.txt")).toBeUndefined();
});

test("the queue is worked with the keyboard alone", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run echo first >> ran.txt\nrun echo second >> ran.txt");
  await expectRequests(app, 2);
  await app.page.keyboard.press("Escape");
  await app.page.goto(`${app.page.url().split("#")[0]}`);
  const first = approvals(app).getByRole("article").first();
  await first.focus();
  await expect(async () => {
    await app.page.keyboard.press("y");
    await expect(rows(app)).toHaveCount(1, { timeout: glimpseMs });
  }).toPass();
  await expect(async () => {
    await app.page.keyboard.press("n");
    await expect(app.page.getByRole("textbox", { name: "Reason" })).toBeFocused({ timeout: glimpseMs });
  }).toPass();
  await app.page.keyboard.type("no more");
  await app.page.keyboard.press("Enter");
  await expect(rows(app)).toHaveCount(0);
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
});

test("auto-approve says what it will do to what waits, does that, and leaves a receipt that leads to each", async ({
  app,
}) => {
  await newThread(app);
  await send(app, "run echo a >> ran.txt\nrun echo b >> ran.txt\nrun git push --force");
  await expectRequests(app, 3);
  const control = app.page.getByRole("switch", { name: "Auto-approve" });
  await control.click();
  const question = app.page.getByRole("dialog", { name: "Turn on auto-approve?" });
  const passes = question.getByRole("region", { name: "2 that wait are approved at once" });
  await expect(passes.getByRole("listitem")).toContainText(["echo a >> ran.txt", "echo b >> ran.txt"]);
  const stays = question.getByRole("region", { name: "1 goes on waiting for you" });
  await expect(stays).toContainText("git push --force");
  expect(await app.runs("ran.txt")).toBe(0);
  // A press that comes before the whole list was on the screen leads to its end and does no more.
  await expect(async () => {
    if (await question.isVisible()) await question.getByRole("button", { name: /^Turn on/ }).click();
    await expect(question).toBeHidden();
  }).toPass();
  await expect.poll(() => app.runs("ran.txt")).toBe(2);
  await expect(approvals(app).getByRole("article")).toHaveCount(1);
  await control.click();
  const log = app.page.getByRole("log", { name: "Conversation" });
  await log.getByText("What the 2 were").click();
  const actions = log.getByRole("list", { name: "What the 2 were" }).getByRole("listitem");
  await expect(actions).toHaveCount(2);
  await expect(actions.first()).toContainText("exit code 0");
  await actions.first().getByRole("button").click();
  await expect(log.getByRole("article", { name: /^Run echo [ab] >> ran.txt/ }).first()).toBeInViewport();
});
