/** Runs axe in the page. The library's source goes there once, since sending and reading it takes longer than the check. */
import type { Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

/** A rule that is broken, and the markup of every place where it is. */
export type Broken = { id: string; help: string; at: string[] };

/**
 * @param rules only these; without them all rules.
 * @param within looks there alone.
 */
export async function findBroken(page: Page, rules?: string[], within?: string): Promise<Broken[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await atRest(page);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate(
    ({ options, within = "html" }) =>
      (
        window as unknown as { axe: { run(within: string, options: RunOptions): Promise<AxeResults> } }
      ).axe.run(within, options),
    { options, within },
  );
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
}

/** A colour that is changing, or about to after its delay, is neither the one nor the other: waits until none is. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const changing = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    for (let left = changing(); left.length > 0; left = changing())
      await Promise.allSettled(left.map(({ finished }) => finished));
  });
}
