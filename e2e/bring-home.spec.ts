/** A thread works in a worktree of its own, and what it did there comes home, seen before and undone after. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvePatiently, newThread, openView, send } from "./app-fixture/console-steps.ts";

test("what a thread did in its worktree is looked at, put back in part, merged and undone", async ({
  app,
}) => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
      cwd: app.workspace,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  await writeFile(join(app.workspace, "notes.md"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  await newThread(app);
  await openView(app, "Settings");
  await app.page.getByRole("button", { name: "Folders", exact: true }).click();
  const trust = app.page.getByRole("switch", { name: /^Trust workspace/ });
  await trust.click();
  await expect(trust).toBeChecked();
  await newThread(app);
  await app.page.getByRole("switch", { name: "Work in a worktree of its own" }).click();
  await send(app, "run echo two > notes.md && echo new > 新文件.md && echo no > unwanted.md");
  await approvePatiently(app, "echo two");
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  await writeFile(join(app.workspace, "own.md"), "mine\n");
  git("commit", "-q", "--allow-empty", "-m", "theirs");

  await app.page.keyboard.press("Escape");
  await app.page.keyboard.press("Shift+H");
  const dialog = app.page.getByRole("dialog", { name: /home/ });
  await expect(dialog.getByRole("radio", { name: "Merge" })).toBeChecked();
  await dialog.getByText("unwanted.md", { exact: true }).click();
  await dialog.getByRole("button", { name: "Put the whole file back" }).click();
  await expect(dialog.getByText("unwanted.md was put back in the worktree.")).toBeVisible();
  await expect(dialog.getByRole("heading", { name: "Changes: 2 files" })).toBeVisible();
  await app.expectAccessible();
  await dialog.getByRole("textbox", { name: "Message of the commit" }).fill("Two");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(app.page.getByText(/You merged .* into main\./)).toBeVisible();
  expect(git("log", "--format=%s", "--first-parent").split("\n")[0]).toMatch(/^Merge branch/);
  expect([await app.read("notes.md"), await app.read("新文件.md"), git("status", "--porcelain")]).toEqual([
    ...["two\n", "new\n", "?? own.md"],
  ]);

  await app.page.keyboard.press("Shift+H");
  await dialog.getByRole("button", { name: "Undo this" }).click();
  await expect(dialog.getByRole("button", { name: "Undo this" })).toHaveCount(0);
  expect([await app.read("notes.md"), git("log", "-1", "--format=%s")]).toEqual(["one\n", "theirs"]);
});
