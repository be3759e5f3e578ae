/** Every view and dialog passes axe in both themes, stands still for who asks for it, and can be told without colours. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { smallTargets } from "../src/renderer/testing/small-targets.ts";
import { type App, expect, test } from "./app-fixture/app.ts";
import { findBroken } from "./app-fixture/axe.ts";
import { approvals, newThread, send } from "./app-fixture/console-steps.ts";
import {
  type Look,
  visitAgents,
  visitBeginning,
  visitSettings,
  visitWork,
} from "./app-fixture/every-view.ts";
import { findCovered, findMoving, findUnmarked } from "./app-fixture/without-colours.ts";

/** As it stands, on a narrow window, and at 200 % of a wide one; each with what is too small there. */
async function smallTargetsAt(page: Page): Promise<string[]> {
  const found = await page.evaluate(smallTargets);
  const before = page.viewportSize();
  if (before === null || before.width < 1_000) return found;
  for (const [width, height] of [
    [480, 800],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    found.push(...(await page.evaluate(smallTargets)).map((one) => `${one} at ${width} px`));
  }
  await page.setViewportSize(before);
  return found;
}

/** All rules in light; in dark the page is the same but for its colours, so only the rules about colours. */
function axeOn(app: App): Look {
  const { page } = app;
  return (name) =>
    test.step(name, async () => {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await app.expectAccessible();
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      expect(await findBroken(page, ["color-contrast", "link-in-text-block"])).toEqual([]);
      expect(await findMoving(page)).toEqual([]);
      expect.soft(await smallTargetsAt(page), `small in ${name}`).toEqual([]);
      await page.emulateMedia({ forcedColors: "active" });
      expect(await findUnmarked(page)).toEqual([]);
      expect(await findCovered(page)).toEqual([]);
      if (process.env.COUNTERSIGN_PICTURES)
        await page.screenshot({
          path: join(process.env.COUNTERSIGN_PICTURES, `${name.replaceAll(/\W+/g, "-")}-forced.png`),
        });
      await page.emulateMedia({ forcedColors: "none" });
    });
}

test("queue and conversation are accessible, on a narrow window too", async ({ app }) => {
  const look = axeOn(app);
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

test("beginning, agents and settings are accessible", async ({ app }) => {
  const look = axeOn(app);
  await visitBeginning(app, look);
  await visitAgents(app, look);
  await visitSettings(app, look);
});

test("a thread at work, the whole queue and its record are accessible", async ({ app }) => {
  await visitWork(app, axeOn(app));
});
