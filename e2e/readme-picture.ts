/** No test: makes the picture of the README from the real console, where COUNTERSIGN_PICTURE names its file. */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, expect, test } from "./app-fixture/app.ts";
import { newThread, openCard, openView, rows, send } from "./app-fixture/console-steps.ts";

const limiter = [
  "/** How many requests a client may make. */",
  "export const perMinute = 600;",
  "",
  "export function isAllowed(count: number): boolean {",
  "  return count < perMinute;",
  "}",
  "",
];

const edit =
  "edit src/limit.ts   return count < perMinute; => " +
  "  // The last request of the minute counts too.\\n  return count <= perMinute;";

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];

/** Title of the thread, what its agent is told to do, and how many requests then wait. */
const work = [
  ["Release 2.4", "say The build is green, so this goes to the mirror.\nrun git push --tags mirror", 1],
  ["Tidy the old fixtures", "say Nothing refers to these any more.\nrun rm -r fixtures/2023", 1],
  ["Fix the flaky checkout test", "say I run it until it fails.\nrun npm test -- --repeat 20 checkout", 1],
  ["Translate the emails", "ask Which language should come first?", 1],
  ["Rate limit: off by one", `say The limit says 600 a minute, and 599 pass.\n${edit}\nrun npm test`, 2],
] as const;

async function rename(app: App, from: string, title: string): Promise<void> {
  const threads = app.page.getByRole("list", { name: "Threads" });
  await threads.getByRole("button", { name: `More for ${from}` }).click();
  await app.page.getByRole("menuitem", { name: "Rename…" }).click();
  await app.page.getByRole("textbox", { name: "Title" }).fill(title);
  await app.page.getByRole("button", { name: "Save" }).click();
  await expect(threads).toContainText(title);
}

test("the picture of the README", async ({ app }) => {
  await mkdir(join(app.workspace, "src"), { recursive: true });
  await mkdir(join(app.workspace, "fixtures/2023"), { recursive: true });
  await writeFile(join(app.workspace, "src/limit.ts"), limiter.join("\n"));
  await writeFile(join(app.workspace, "fixtures/2023/orders.json"), "[]\n");
  for (const args of [["init"], ["add", "."], [...author, "commit", "-m", "Start"]])
    execFileSync("git", args, { cwd: app.workspace, stdio: "ignore" });
  for (const [title, text, waiting] of work) {
    await newThread(app);
    await send(app, text);
    await expect(app.page.getByRole("region", { name: "Approvals" }).getByRole("article")).toHaveCount(1);
    if (waiting > 1) await expect(app.page.getByText(`1 of ${waiting}`)).toBeVisible();
    await rename(app, text.slice(0, 20), title);
  }
  await app.page.emulateMedia({ colorScheme: "light" });
  await openView(app, "Approvals");
  await expect(rows(app)).toHaveCount(6);
  const card = await openCard(app, "src/limit.ts");
  await app.page.mouse.move(0, 0);
  await expect(card.getByRole("button", { name: "Approve", exact: true })).not.toHaveAttribute("data-locked");
  await app.page.screenshot({ path: process.env.COUNTERSIGN_PICTURE, animations: "disabled" });
});
