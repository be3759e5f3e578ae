/** The main views look as they did, in both themes; what changes from run to run is masked. */
import { basename } from "node:path";
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  cardFor,
  newThread,
  openCard,
  openView,
  rows,
  send,
} from "./app-fixture/console-steps.ts";

/** Letters are drawn differently by every Chromium; the pictures were made with this one, on Linux. */
const pictured = { platform: "linux", program: "chromium-headless-shell", major: "156" };

const tasks = [
  ["write notes.md # Notes", "write notes.md"],
  ["run git push --force", "git push --force"],
  [
    "say ## Plan\\n\\nFirst the **tests**, then the build.\nrun npm test && npm run build",
    "npm test && npm run build",
  ],
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  test(`the main views look right in ${colorScheme}`, {
    tag: colorScheme === "dark" ? "@long" : [],
  }, async ({ app, door }) => {
    const version = app.page.context().browser()?.version() ?? "";
    const program = basename(process.env.CHROMIUM_PATH ?? "");
    test.skip(
      door !== "browser" ||
        process.platform !== pictured.platform ||
        program !== pictured.program ||
        version.split(".")[0] !== pictured.major,
      `The pictures are of ${pictured.program} ${pictured.major} on ${pictured.platform}, not of ${program || door} ${version} on ${process.platform}.`,
    );
    const { page } = app;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const look = (name: string) =>
      expect(page).toHaveScreenshot(`${name}-${colorScheme}.png`, {
        maxDiffPixelRatio: 0.002,
        mask: [
          page.getByRole("time"),
          page.getByText(app.workspace),
          page.getByText(app.dataDir),
          page.getByText("just now"),
        ],
      });

    // A thread each, one after the other, so that the order in the queue is the same every time.
    for (const [text, subject] of tasks) {
      await newThread(app);
      await send(app, text);
      await expect(cardFor(app, subject)).toBeVisible();
    }
    await expect(agentSaid(app, "then the build.")).toBeVisible();
    await page.mouse.move(0, 0);
    await page.getByRole("textbox", { name: "Message" }).blur();
    await look("conversation");
    await openView(app, "Approvals");
    await page.mouse.move(0, 0);
    await expect(rows(app)).toHaveCount(tasks.length);
    await openCard(app, "notes.md");
    await page.mouse.move(0, 0);
    await expect(approvals(app).getByRole("figure", { name: "Diff of notes.md" })).toBeVisible();
    await look("queue");
    await openView(app, "Agents");
    await expect(page.getByRole("list", { name: "Agents you can start" })).toBeVisible();
    await look("agents");
    await openView(app, "Settings");
    await look("settings");
  });
}
