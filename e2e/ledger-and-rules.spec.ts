/** What was decided can be found again, and a decision can become a rule. */
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  approvePatiently,
  cardFor,
  newThread,
  openView,
  pressOnceRead,
  rejectPatiently,
  send,
} from "./app-fixture/console-steps.ts";

test("the ledger holds every decision with its outcome and can be searched", { tag: "@long" }, async ({
  app,
}) => {
  await newThread(app);
  await send(app, "run echo alpha >> ran.txt\nrun touch beta.txt");
  await approvePatiently(app, "echo alpha");
  await rejectPatiently(app, "touch beta.txt");
  await expect(agentSaid(app, "1 of 2 steps worked")).toBeVisible();
  await openView(app, "Approvals");
  await approvals(app).getByRole("button", { name: "Decided" }).click();
  const decisions = approvals(app).getByRole("list", { name: "Decided" });
  await expect(decisions.getByRole("listitem")).toHaveCount(2);
  const approved = decisions.getByRole("listitem").filter({ hasText: "Approved" });
  await expect(approved.getByText("echo alpha >> ran.txt", { exact: true })).toBeVisible();
  await expect(approved).toContainText("exit code 0");
  await approvals(app).getByRole("searchbox", { name: "Search decisions" }).fill("beta");
  await expect(decisions.getByRole("listitem")).toHaveCount(1);
  await expect(decisions).toContainText("Rejected");
});

test("a rule made from a card is previewed, and the next equal command runs without asking", async ({
  app,
}) => {
  await newThread(app);
  await send(app, "run touch one.txt\nrun touch two.txt");
  await rejectPatiently(app, "touch one.txt");
  await expect(cardFor(app, "touch one.txt")).toHaveCount(0);
  await cardFor(app, "touch two.txt").getByRole("button", { name: "More" }).click();
  await app.page.getByRole("menuitem", { name: "Make a rule…" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Make a rule" });
  await expect(dialog.getByRole("textbox", { name: "Command" })).toHaveValue("touch two.txt");
  await dialog.getByRole("textbox", { name: "Command" }).fill("touch");
  await dialog.getByRole("combobox", { name: "Covers" }).selectOption("Commands that begin like this");
  await dialog.getByRole("combobox", { name: "Where it holds" }).selectOption("Everywhere");
  await expect(dialog.getByText("Would have approved 1, 1 of which you rejected.")).toBeVisible();
  await pressOnceRead(dialog.getByRole("button", { name: "Save rule" }));
  await expect(dialog).toBeHidden();
  await rejectPatiently(app, "touch two.txt");
  await expect(agentSaid(app, "0 of 2 steps worked")).toBeVisible();
  await send(app, "run touch three.txt");
  await expect.poll(() => app.read("three.txt")).toBe("");
  await expect(approvals(app).getByRole("article")).toHaveCount(0);
  expect(await app.read("two.txt")).toBeUndefined();
});
