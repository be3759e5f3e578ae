/** A command that a folder brings: not offered before the folder is trusted, put into the field when it is chosen, sent by the next Enter. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  newThread,
  openFirstThread,
  openView,
  pressOnceRead,
} from "./app-fixture/console-steps.ts";

test("a command of a folder is offered once the folder is trusted, and its text is seen before it is sent", async ({
  app,
}) => {
  const folder = join(app.workspace, ".agents/commands");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "greet.md"),
    "---\ndescription: Greets somebody\n---\nsay good morning $ARGUMENTS\n",
  );
  await newThread(app);
  const message = app.page.getByRole("textbox", { name: "Message" });
  const list = app.page.getByRole("listbox", { name: "Commands" });
  await message.fill("/");
  await expect(app.page.getByText(/^\d+ more (is|are) not offered/)).toBeVisible();
  await expect(list.getByText("greet")).toHaveCount(0);
  await message.fill("");

  await openView(app, "Settings");
  const parts = app.page.getByRole("navigation", { name: "Parts of the settings" });
  await parts.getByRole("button", { name: "Folders", exact: true }).click();
  await app.page.getByRole("switch", { name: /^Trust workspace/ }).click();
  const dialog = app.page.getByRole("dialog", { name: /^Trust workspace/ });
  await expect(dialog).toContainText("say good morning $ARGUMENTS");
  await pressOnceRead(dialog.getByRole("button", { name: "Trust the folder" }));
  await expect(dialog).toHaveCount(0);

  await openFirstThread(app);
  await message.fill("/somebody");
  await expect(list.getByRole("option")).toHaveText(["/greetGreets somebodythis folder"]);
  await expect(app.page.getByRole("region", { name: "What it writes into the field" })).toContainText(
    "say good morning $ARGUMENTS",
  );
  await app.expectAccessible();
  await message.press("Enter");
  await expect(message).toHaveValue("/greet ");
  await message.pressSequentially("Ada");
  await message.press("Enter");
  await expect(message).toHaveValue("say good morning Ada");
  await message.press("Enter");
  await expect(agentSaid(app, "good morning Ada")).toBeVisible();
});
