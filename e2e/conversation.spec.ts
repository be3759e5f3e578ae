/** A conversation: live output, honest failures, Stop that stops, and threads that can be kept in order. */
import { expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvePatiently, cardFor, newThread, send } from "./app-fixture/console-steps.ts";

test("a failed command is shown as failed, with its exit code", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "run ls /nowhere-at-all");
  await approvePatiently(app, "ls /nowhere");
  await expect(app.page.getByRole("log", { name: "Conversation" })).toContainText(/exit code 2|failed/i);
});

test("Stop ends the command and keeps what it printed", async ({ app }) => {
  await newThread(app);
  await send(app, "run echo begun; touch running; sleep 86400; touch survived");
  await cardFor(app, "echo begun").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => app.read("running")).toBe("");
  await app.page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(app.page.getByRole("list", { name: "Threads" })).toContainText("Stopped");
  await expect(app.page.getByRole("log", { name: "Conversation" })).toContainText("begun");
  expect(await app.read("survived")).toBeUndefined();
});

test("a sub-agent's risky call waits in the same queue, under its name", async ({ app }) => {
  await newThread(app);
  await send(app, "delegate general-purpose: run echo x >> ran.txt ; say done here");
  const card = cardFor(app, "echo x >> ran.txt");
  await expect(card).toContainText("general-purpose");
  await card.getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
  await expect(agentSaid(app, "1 of 1 step worked")).toBeVisible();
});

test("threads are renamed and deleted", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "say hello");
  await expect(agentSaid(app, "hello")).toBeVisible();
  const threads = app.page.getByRole("list", { name: "Threads" });
  await threads.getByRole("button", { name: /^More for/ }).click();
  await app.page.getByRole("menuitem", { name: "Rename…" }).click();
  await app.page.getByRole("textbox", { name: "Title" }).fill("Greeting");
  await app.page.getByRole("button", { name: "Save" }).click();
  await expect(threads).toContainText("Greeting");
  await threads.getByRole("button", { name: "More for Greeting" }).click();
  await app.page.getByRole("menuitem", { name: "Delete…" }).click();
  await app.page.getByRole("button", { name: "Delete thread" }).click();
  await expect(threads.getByRole("listitem")).toHaveCount(0);
});

test("unknown words get help that lists what the demo understands, plainly labelled", {
  tag: "@long",
}, async ({ app }) => {
  await newThread(app);
  await expect(app.page.getByText("no AI").first()).toBeVisible();
  await send(app, "please make me a sandwich");
  await expect(agentSaid(app, "run <command>")).toBeVisible();
});
