/** Presses a button that is locked until what it acts on was read, as a person does: once it is not locked any more. */
import { expect } from "vitest";
import type { Locator } from "vitest/browser";

export async function pressOnceRead(button: Locator): Promise<void> {
  await expect.element(button).not.toHaveAttribute("data-locked");
  await button.click();
}
