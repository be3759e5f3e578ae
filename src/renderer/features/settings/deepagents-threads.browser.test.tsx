/** Taking over threads of the deepagents CLI as a person sees it, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";

it("lists them when asked, says why one could not be taken over, and opens the one that was", async () => {
  let reads = 0;
  const answers: (() => unknown)[] = [
    () => {
      throw new ContractError("invalid-input", "This folder is not there.", { field: "workspace" });
    },
    () => {
      throw new ContractError("invalid-input", "Its state cannot be read.", { field: "id" });
    },
    () => sampleThread("t9", { title: "Tidy up" }),
  ];
  const host = openConsole(
    { threads: [], approvals: [], host: { workspace: "/home/ada/site" } },
    {
      "deepagents.threads": () => {
        reads += 1;
        if (reads === 1) throw new ContractError("invalid-input", "There is no database there.");
        return {
          threads: [
            {
              id: "a1",
              title: "Tidy up",
              agent: "coder",
              updatedAt: "2026-11-01T10:00:00Z",
              folder: "/home/ada/notes",
              waiting: 2,
            },
            { id: "0198-no-title", updatedAt: "never", waiting: 0 },
          ],
        };
      },
      "deepagents.import": () => answers.shift()?.() as never,
    },
    "#/settings/data",
  );
  await page.getByRole("button", { name: "Look for threads…" }).click();
  await expect.element(page.getByText("There is no database there.")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  const rows = page.getByRole("list", { name: "Threads of the deepagents CLI" }).getByRole("listitem");
  await expect.element(rows.nth(0)).toHaveTextContent("2 calls wait there");
  await expect.element(rows.nth(0)).toHaveTextContent("Tidy up");
  await expect.element(rows.nth(0)).toHaveTextContent("/home/ada/notes");
  await expect.element(rows.nth(1)).toHaveTextContent("0198-no-title");
  await expect.element(rows.nth(1)).not.toHaveTextContent("Invalid");
  const take = rows.nth(0).getByRole("button");
  await take.click();
  await expect.element(page.getByText("This folder is not there.")).toBeVisible();
  await take.click();
  await expect.element(rows.nth(0).getByRole("alert")).toHaveTextContent("Its state cannot be read.");
  // By keyboard alone, from the field above the list.
  await page.getByRole("textbox", { name: "Folder the agent works in" }).click();
  await userEvent.keyboard("{Tab}{Enter}");
  await expect.poll(() => location.hash).toBe("#/thread/t9");
  expect(host.inputsOf("deepagents.import")).toEqual(
    Array.from({ length: 3 }, () => ({ id: "a1", workspace: "/home/ada/site" })),
  );
});
