/** The queue's views, filters and decisions about many at once. */
import { type App, expect, test } from "./app-fixture/app.ts";
import {
  approvals,
  cardFor,
  expectRequests,
  glimpseMs,
  newThread,
  openCard,
  openView,
  orderBy,
  pageTo,
  pressOnceRead,
  pressUntil,
  rejectPatiently,
  rows,
  send,
  showView,
} from "./app-fixture/console-steps.ts";

/** What the rows are about, in their order; a row begins with the risk and the deed. */
async function expectRows(app: App, subjects: readonly string[]): Promise<void> {
  await expect(rows(app)).toHaveCount(subjects.length);
  for (const [index, subject] of subjects.entries())
    await expect(rows(app).nth(index)).toHaveAccessibleName(new RegExp(`^[a-z]+ risk, ${subject}, `));
}

test("the views order and group what waits, and a snoozed card waits elsewhere", { tag: "@long" }, async ({
  app,
}) => {
  await newThread(app);
  await send(app, "run touch one.txt\nrun git push --force");
  await pageTo(app, "git push --force");
  await newThread(app);
  await send(app, "write notes.md hello");
  await expect(cardFor(app, "write notes.md")).toBeVisible();
  await openView(app, "Approvals");
  await expectRows(app, ["Run touch one.txt", "Run git push --force", "Write notes.md"]);

  await orderBy(app, "Urgent first");
  await expect(rows(app).first()).toHaveAccessibleName(/^high risk, Run git push --force, /);

  await orderBy(app, "By thread");
  const lines = approvals(app).getByRole("grid").getByRole("row");
  await expect(lines).toHaveCount(5);
  await expect(lines.nth(0)).toHaveText("run touch one.txt2");
  await expect(lines.nth(3)).toHaveText("write notes.md hello1");
  await expect(rows(app).last()).toHaveAccessibleName(/Write notes.md/);

  await orderBy(app, "Oldest first");
  const card = await openCard(app, "notes.md");
  await card.getByRole("button", { name: "More" }).click();
  await app.page.getByRole("menuitem", { name: "Snooze for 15 min" }).click();
  await expectRows(app, ["Run touch one.txt", "Run git push --force"]);
  await showView(app, "Snoozed 1");
  await expectRows(app, ["Write notes.md"]);
  await cardFor(app, "write notes.md").getByRole("button", { name: "More" }).click();
  await app.page.getByRole("menuitem", { name: "Wake up now" }).click();
  await showView(app, "Waiting");
  await expectRows(app, ["Run touch one.txt", "Run git push --force", "Write notes.md"]);
});

test("search and filters narrow the queue until they are cleared", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run touch one.txt\nrun git push --force\nwrite notes.md hello");
  await openView(app, "Approvals");
  await expect(rows(app)).toHaveCount(3);
  await approvals(app).getByRole("searchbox", { name: "Search approvals" }).fill("notes");
  await expectRows(app, ["Write notes.md"]);
  await approvals(app).getByRole("searchbox", { name: "Search approvals" }).fill("");

  await approvals(app).getByRole("button", { name: "Filter" }).click();
  await app.page.getByRole("combobox", { name: "Risk" }).selectOption("high risk");
  await expectRows(app, ["Run git push --force"]);
  await app.page.getByRole("combobox", { name: "Tool" }).selectOption("write_file");
  await expect(approvals(app).getByText("Nothing matches these filters.")).toBeVisible();
  await app.page
    .getByRole("dialog", { name: "Filter" })
    .getByRole("button", { name: "Clear filters" })
    .click();
  await expect(rows(app)).toHaveCount(3);
});

test("commands of one form are decided by one decision, and a risky one stays", async ({ app }) => {
  await newThread(app);
  const others = "write notes.md words\nrun touch one.txt\nfetch https://a.example/";
  await send(app, `${others}\nrun touch two.txt\nrun touch three.txt\nrun git push --force`);
  await expectRequests(app, 6);
  // Files, commands and addresses are not judged equally fast.
  const inOrder = ["Write notes.md", "Run touch one.txt", "Fetch https://a.example/", "Run touch two.txt"];
  // The card that came first stays in its place, which is that of its call.
  await expect(approvals(app)).toContainText(
    /1 of 6.*notes\.md|2 of 6.*touch one|3 of 6.*a\.example|4 of 6.*touch two/,
  );
  await openView(app, "Approvals");
  await expectRows(app, [...inOrder, "Run touch three.txt", "Run git push --force"]);
  await orderBy(app, "By command shape");
  const alone = ["Write notes.md", "Fetch https://a.example/", "Run git push --force"];
  await expectRows(app, ["Run touch", ...alone]);
  // Whichever of the six came first is the current one until then.
  await rows(app).first().click();
  await approvals(app).getByRole("button", { name: "Open up" }).click();
  await expect(rows(app)).toHaveCount(7);
  await approvals(app).getByRole("button", { name: "Approve all 3" }).click();
  const question = app.page.getByRole("dialog", { name: "Approve 3?" });
  await expect(question).toContainText("3 medium risk.");
  await pressOnceRead(question.getByRole("button", { name: "Approve 3" }));
  await expectRows(app, alone);
  await expect(app.page.getByRole("contentinfo")).toContainText("3 approved.");
  await openCard(app, "git push --force");
  await rejectPatiently(app, "git push --force");
  await expect
    .poll(() => Promise.all(["one.txt", "two.txt", "three.txt"].map((name) => app.read(name))))
    .toEqual(["", "", ""]);
});

test("Shift+Y lets the selection run after a question, without what is of high risk", {
  tag: "@long",
}, async ({ app }) => {
  await newThread(app);
  await send(app, "run echo a >> ran.txt\nrun echo b >> ran.txt\nrun git push --force");
  await openView(app, "Approvals");
  for (const what of ["echo a >> ran.txt", "echo b >> ran.txt", "git push --force"])
    await approvals(app)
      .getByRole("checkbox", { name: `Select ${what}` })
      .check();
  await expect(approvals(app).getByText("3 selected")).toBeVisible();
  const question = app.page.getByRole("dialog", { name: "Approve 2?" });
  await pressUntil(app, "Shift+Y", () => expect(question).toBeVisible({ timeout: glimpseMs }));
  await expect(question.getByRole("region", { name: "1 stays" })).toContainText("decide it by itself.");
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await pressOnceRead(question.getByRole("button", { name: "Approve 2" }));
  await expectRows(app, ["Run git push --force"]);
  await rejectPatiently(app, "git push --force");
  await expect.poll(() => app.runs("ran.txt")).toBe(2);
});

test("many that were let run are taken back together before any of them starts", { tag: "@long" }, async ({
  app,
}) => {
  await newThread(app);
  await send(app, "run echo a >> ran.txt\nrun echo b >> ran.txt\nrun echo c >> ran.txt");
  await openView(app, "Approvals");
  await expect(rows(app)).toHaveCount(3);
  await orderBy(app, "By command shape");
  await approvals(app).getByRole("button", { name: "Approve all 3" }).click();
  await app.page
    .getByRole("dialog", { name: "Approve 3?" })
    .getByRole("button", { name: "Approve 3" })
    .click();
  await app.page.getByRole("button", { name: "Undo" }).click();
  await expect(approvals(app).getByRole("button", { name: "Approve all 3" })).toBeVisible();
  expect(await app.runs("ran.txt")).toBe(0);
  await orderBy(app, "Oldest first");
  for (const what of ["a", "b", "c"]) {
    const card = await openCard(app, `echo ${what} >> ran.txt`);
    // A button that has just slid under the pointer takes no click yet.
    await expect(async () => {
      // It may have been decided by the press before, of which the page had not heard yet.
      if ((await card.count()) > 0)
        await card.getByRole("button", { name: "Reject", exact: true }).click({ timeout: glimpseMs });
      await expect(card).toHaveCount(0, { timeout: glimpseMs });
    }).toPass();
  }
  await expect(rows(app)).toHaveCount(0);
  expect(await app.runs("ran.txt")).toBe(0);
});

test("the keys go on from the requests of a thread to the approvals", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run echo a >> ran.txt\nrun echo b >> ran.txt");
  await expectRequests(app, 2);
  await app.page.keyboard.press("Escape");
  await app.page.keyboard.press("g");
  await app.page.keyboard.press("q");
  await expect(app.page.getByRole("main").getByRole("region", { name: "Approvals" })).toBeVisible();
  await app.page.keyboard.press("Shift+G");
  await expect(cardFor(app, "echo b >> ran.txt")).toBeFocused();
  await app.page.keyboard.press("k");
  await expect(cardFor(app, "echo a >> ran.txt")).toBeFocused();
});
