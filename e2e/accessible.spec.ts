/** Every view and dialog passes axe in both themes, stands still for who asks for it, and can be told without colours. */
import { expect, test } from "./app-fixture/app.ts";
import { approvals, newThread, send } from "./app-fixture/console-steps.ts";
import { visitSettingsDialogs, visitThreadDialogs } from "./app-fixture/every-dialog.ts";
import { visitAgents, visitBeginning, visitSettings, visitWork } from "./app-fixture/every-view.ts";
import { lookByRules } from "./app-fixture/look-by-rules.ts";

test("queue and conversation are accessible, on a narrow window too", async ({ app }) => {
  const look = lookByRules(app);
  await newThread(app);
  await send(
    app,
    "say ## Plan\\n\\nFirst the **tests**, then the build.\nrun npm test && npm run build\nwrite notes.md # Notes\\nship it\nrun git push --force\nask Which branch should this go to?",
  );
  await expect(approvals(app).getByRole("article").first()).toBeVisible();
  await look("wide");
  await app.page.setViewportSize({ width: 800, height: 700 });
  await look("narrow");
});

test("the beginning is accessible", async ({ app }) => {
  await visitBeginning(app, lookByRules(app));
});

test("agents and servers are accessible", { tag: "@long" }, async ({ app }) => {
  await visitAgents(app, lookByRules(app));
});

test("the settings are accessible", async ({ app }) => {
  await visitSettings(app, lookByRules(app));
});

test("what is asked about a thread in a worktree is accessible: bringing home, undo, delete and the rest", {
  tag: "@long",
}, async ({ app }) => {
  await visitThreadDialogs(app, lookByRules(app));
});

test("what is asked about rules, prices and settings is accessible", { tag: "@long" }, async ({ app }) => {
  await visitSettingsDialogs(app, lookByRules(app));
});

test("a thread at work, the whole queue and its record are accessible", async ({ app }) => {
  await visitWork(app, lookByRules(app));
});
