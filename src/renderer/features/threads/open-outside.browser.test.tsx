/** The ways to a person's own programs: from a card and from a thread, with words where a file is only shown or nothing opens. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const file = { kind: "file", operation: "edit", path: "/w/bin/run.sh", added: 1, removed: 1, stale: false };

async function choose(entry: string, trigger: string): Promise<void> {
  await page.getByRole("button", { name: trigger, exact: true }).first().click();
  await page.getByRole("menuitem", { name: entry }).click();
}

it("opens the file of a card, and says when it was only shown since it could run", async () => {
  let done: "editor" | "folder" = "editor";
  const host = openConsole(
    { threads: [sampleThread("t1")], approvals: [sampleApproval("a", "x", { subject: file as never })] },
    { "files.open": () => ({ done }) },
  );
  await choose("Open in the editor", "More");
  const input = { threadId: "t1", path: file.path, how: "editor" };
  await vi.waitFor(() => expect(host.inputsOf("files.open")).toEqual([input]));
  await choose("Show in its folder", "More");
  await vi.waitFor(() => expect(host.inputsOf("files.open")[1]).toEqual({ ...input, how: "folder" }));
  done = "folder";
  await choose("Open in the editor", "More");
  await expect
    .element(
      page.getByText(
        "/w/bin/run.sh is shown in its folder: opening it could run it, or nothing here opens it.",
      ),
    )
    .toBeVisible();
});

it("opens the folder of a thread, and says why when nothing does", async () => {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done", title: "Long talk" })], approvals: [] },
    {
      "files.open": () => {
        throw new ContractError("unavailable", "No program here took it. It lies at /w.");
      },
    },
    "#/threads",
  );
  await page.getByRole("list", { name: "Threads" }).getByRole("listitem").last().hover();
  await choose("Open its folder", "More for Long talk");
  await expect.element(page.getByText("The folder was not opened").first()).toBeInTheDocument();
  await expect.element(page.getByText("It lies at /w.").first()).toBeInTheDocument();
  expect(host.inputsOf("files.open")).toEqual([{ threadId: "t1", path: "", how: "folder" }]);
});
