/** Presses a button that is locked until what it acts on was read, as a person does who reads it. */
import { expect } from "vitest";
import type { Locator } from "vitest/browser";

/** Once it is not locked any more. */
export async function pressOnceRead(button: Locator): Promise<void> {
  await expect.element(button).not.toHaveAttribute("data-locked");
  await button.click();
}

/** Each press leads on, until the last one acts and the dialog closes. */
export async function pressToTheEnd(button: Locator): Promise<void> {
  for (let element = button.query(); element; element = button.query()) {
    (element as HTMLElement).click();
    await new Promise(requestAnimationFrame);
  }
}
