/** Messages in a real browser: one that stands there already is not put beside itself. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { openConsole } from "../testing/open-console.ts";
import { showProblem, showToast } from "./toast.tsx";

it("says what it says already in the same place, with how often", async () => {
  openConsole({ threads: [], approvals: [] }, {});
  await expect.element(page.getByRole("main")).toBeVisible();
  for (let count = 0; count < 3; count += 1) showToast("Taken back. It waits again.");
  showToast("Copied.");
  showProblem("Copied.");
  const wordsOf = (role: "dialog" | "alertdialog") =>
    page
      .getByRole(role)
      .elements()
      .map((one) => one.textContent);
  await vi.waitFor(() => expect(wordsOf("alertdialog")).toEqual(["Copied."]));
  expect(wordsOf("dialog")).toEqual(["Copied.", "Taken back. It waits again. 3 times"]);
});
