/** One look at a view or a dialog: axe in both themes, what moves, what is too small, and what shows by colour alone. */
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { smallTargets } from "../../src/renderer/testing/small-targets.ts";
import type { App } from "./app.ts";
import { findBroken } from "./axe.ts";
import type { Look } from "./every-view.ts";
import { findCovered, findMoving, findRedrawn, findUnmarked } from "./without-colours.ts";

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
export function lookByRules(app: App): Look {
  const { page } = app;
  return (name) =>
    test.step(name, async () => {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      // A menu lies in no landmark, and is reached from its button alone.
      const within = (await page.getByRole("menu").count()) > 0 ? "[role=menu]" : undefined;
      expect(await findBroken(page, undefined, within)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      expect(await findBroken(page, ["color-contrast", "link-in-text-block"], within)).toEqual([]);
      expect(await findMoving(page)).toEqual([]);
      expect(await findRedrawn(page)).toEqual([]);
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
