/** What commands and moves did to the files is seen in the side panel and taken back there. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvePatiently, cardFor, newThread, send } from "./app-fixture/console-steps.ts";

test("a file that a command changed is shown with its diff and put back", async ({ app }) => {
  await writeFile(join(app.workspace, "notes.md"), "one\ntwo\n");
  await writeFile(join(app.workspace, "logo.png"), Buffer.alloc(300_000));
  await newThread(app);
  await send(app, "run seq 2 > notes.md && rm logo.png");
  await approvePatiently(app, "seq 2");
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  await app.page.getByRole("button", { name: "Plan, files and terminals" }).click();
  const panel = app.page.getByRole("complementary", { name: "Plan, files and terminals" });
  const files = panel.getByRole("region", { name: "Changed files" });
  await expect(files.getByText("logo.png")).toBeVisible();
  await files.getByText("logo.png").click();
  await expect(files).toContainText("Changed by a command; the version before it was not kept.");
  await files.getByText("notes.md").click();
  await expect(files.getByRole("figure", { name: "Diff of notes.md" })).toContainText("two");
  await files.getByRole("button", { name: "Put back…" }).click();
  await app.page.getByRole("dialog").getByRole("button", { name: "Put back" }).click();
  await expect(files.getByText("notes.md")).toHaveCount(0);
  await expect(files.getByText("logo.png")).toBeVisible();
  expect(await app.read("notes.md")).toBe("one\ntwo\n");
});

test("a moved file shows both places on its card and in the list, and goes back to the old one", {
  tag: "@long",
}, async ({ app }) => {
  await writeFile(join(app.workspace, "draft.md"), "one\n");
  await newThread(app);
  await send(app, "move draft.md docs/final.md");
  const moved = "draft.md → docs/final.md";
  const card = cardFor(app, `move ${moved}`);
  await expect(card).toContainText("Nothing is there yet");
  await approvePatiently(app, `move ${moved}`);
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  await expect(app.page.getByRole("article", { name: `Move ${moved}`, exact: true })).toBeVisible();
  expect(await app.read("docs/final.md")).toBe("one\n");
  await app.page.getByRole("button", { name: "Plan, files and terminals" }).click();
  const panel = app.page.getByRole("complementary", { name: "Plan, files and terminals" });
  const files = panel.getByRole("region", { name: "Changed files" });
  await expect(files.getByRole("listitem")).toContainText("moved from draft.md");
  await files.getByText("docs/final.md").click();
  await files.getByRole("button", { name: "Put back…" }).click();
  await app.page.getByRole("dialog").getByRole("button", { name: "Put back" }).click();
  await expect(files.getByText("docs/final.md")).toHaveCount(0);
  expect(await app.read("draft.md")).toBe("one\n");
});

test("files of a message go back by its button, what a person changed since stays, and the changes can be brought back", async ({
  app,
}) => {
  await writeFile(join(app.workspace, "notes.md"), "one\n");
  await writeFile(join(app.workspace, "mine.md"), "one\n");
  await newThread(app);
  await send(app, "run echo two > notes.md && echo two > mine.md && echo new > 新文件.md");
  await approvePatiently(app, "echo two");
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  await writeFile(join(app.workspace, "mine.md"), "a person's own\n");
  const goBack = app.page.getByRole("button", { name: "Take back from here" });
  await goBack.click();
  const dialog = app.page.getByRole("dialog", { name: "Undo what this thread did from here on" });
  await expect(dialog.getByRole("list", { name: "Undone" }).getByRole("listitem")).toHaveCount(2);
  await expect(dialog.getByRole("list", { name: "Stays as it is" })).toContainText("mine.md");
  await takePictures(app, "undo");
  await dialog.getByRole("button", { name: "Undo 2 files" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await app.read("notes.md")).toBe("one\n");
  expect(await app.read("mine.md")).toBe("a person's own\n");
  await goBack.click();
  await dialog.getByRole("button", { name: "Bring it back" }).click();
  await expect(dialog).toHaveCount(0);
  expect([await app.read("notes.md"), await app.read("新文件.md")]).toEqual(["two\n", "new\n"]);
  await goBack.click();
  await dialog.getByRole("button", { name: "Undo both" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await app.read("notes.md")).toBe("one\n");
  const line = app.page.getByRole("button", { name: /^You took back 1 message and 2 files here/ });
  await expect(agentSaid(app, "1 of 1 step")).toHaveCount(0);
  await line.click();
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  await takePictures(app, "taken-back");
});

/** Where a folder for them is named: in both themes, wide and narrow. */
async function takePictures(app: App, name: string): Promise<void> {
  const folder = process.env.COUNTERSIGN_PICTURES;
  if (!folder) return;
  const wide = app.page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of [wide.width, 480])
    for (const colorScheme of ["light", "dark"] as const) {
      await app.page.setViewportSize({ ...wide, width });
      await app.page.emulateMedia({ colorScheme });
      await app.page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  await app.page.setViewportSize(wide);
}
