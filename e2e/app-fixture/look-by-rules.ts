/** One look at a view or a dialog: axe in both themes, what moves, what is too small, and what shows by colour alone. */
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { isLongRun } from "../../src/main/base/testing/long-run.ts";
import { dialogFaults } from "../../src/renderer/testing/dialog-faults.ts";
import { smallTargets } from "../../src/renderer/testing/small-targets.ts";
import type { App } from "./app.ts";
import { findBroken } from "./axe.ts";
import type { Look } from "./every-view.ts";
import { findCovered, findMoving, findRedrawn, findUnmarked } from "./without-colours.ts";

/** As it stands, on narrow windows, and at 200 % of a wide one: what is too small there, and what is wrong with a dialog. */
async function faultsAt(page: Page): Promise<string[]> {
  const found = await faultsOf(page);
  const before = page.viewportSize();
  if (before === null || before.width < 1_000) return found;
  for (const [width, height] of [
    [480, 800],
    [320, 640],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    found.push(...(await faultsOf(page)).map((one) => `${one} at ${width} px`));
  }
  await page.setViewportSize(before);
  return found;
}

async function faultsOf(page: Page): Promise<string[]> {
  return [...(await page.evaluate(dialogFaults)), ...(await page.evaluate(smallTargets))];
}

/**
 * All rules in light; in dark the page is the same but for its colours, so only the rules about colours. The short run takes
 * dark, movement and forced colours at every other look.
 */
export function lookByRules(app: App): Look {
  const { page } = app;
  let looks = 0;
  return (name) =>
    test.step(name, async () => {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      // A menu lies in no landmark, and is reached from its button alone.
      const within = (await page.getByRole("menu").count()) > 0 ? "[role=menu]" : undefined;
      expect(await findBroken(page, undefined, within)).toEqual([]);
      expect.soft(await faultsAt(page), `faults in ${name}`).toEqual([]);
      looks += 1;
      if (!isLongRun && looks % 2 === 0) return;
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      expect(await findBroken(page, ["color-contrast", "link-in-text-block"], within)).toEqual([]);
      expect(await findMoving(page)).toEqual([]);
      expect(await findRedrawn(page)).toEqual([]);
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
