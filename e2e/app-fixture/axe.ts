/** Runs axe in the page. The library's source goes there once, since sending and reading it takes longer than the check. */
import type { Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

/** A rule that is broken, and the markup of every place where it is. */
export type Broken = { id: string; help: string; at: string[] };

/** @param rules only these; without them all rules. */
export async function findBroken(page: Page, rules?: string[]): Promise<Broken[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
}
