/** Disk space and files of a thread as a person uses them, in a real browser over a scripted host. */
import { afterEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";
import { useThreadDialogs } from "./thread-dialogs.tsx";

afterEach(() => useThreadDialogs.setState(useThreadDialogs.getInitialState(), true));

const one = { threads: [sampleThread("t1", { status: "done", title: "Long talk" })], approvals: [] };

async function choose(entry: string): Promise<void> {
  await page.getByRole("list", { name: "Threads" }).getByRole("listitem").last().hover();
  await page.getByRole("button", { name: "More for Long talk" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

it("shows what a thread takes, what would be freed, and frees it only after naming what is lost", async () => {
  const done = Promise.withResolvers<{ checkpoints: number; bytes: number }>();
  const host = openConsole(
    one,
    {
      "threads.diskUse": () => ({
        checkpointBytes: 12_400_000,
        eventBytes: 310_000,
        logBytes: 999,
        undo: { bytes: 45_000, ofAll: 7_000_000, budget: 2e9 },
      }),
      "threads.prune": ({ keepTurns, preview }) =>
        preview ? { checkpoints: 40, bytes: keepTurns * 1_000_000 } : done.promise,
    },
    "#/threads",
  );
  await choose("Disk space…");
  const dialog = page.getByRole("dialog", { name: 'Disk space of "Long talk"' });
  for (const text of [
    "12 MB",
    "310 kB",
    "999 bytes",
    "45 kB",
    "7.0 MB for all threads, and at most 2.0 GB",
    "Frees about 5.0 MB: 40 saved steps",
  ])
    await expect.element(dialog).toHaveTextContent(text);
  await dialog.getByRole("combobox", { name: "Keep forking possible at" }).selectOptions("1");
  await expect.element(dialog).toHaveTextContent("Frees about 1.0 MB");
  await dialog.getByRole("button", { name: "Use less…" }).click();
  const confirm = page.getByRole("dialog", { name: "Forget all but the last fork point?" });
  await expect.element(confirm).toHaveTextContent("no longer fork at anything said before the last one");
  await expect.element(confirm).toHaveTextContent("The conversation, what the agent knows now");
  expect(host.inputsOf("threads.prune").every(({ preview }) => preview)).toBe(true);
  await confirm.getByRole("button", { name: "Free 1.0 MB" }).click();
  await expect.element(confirm.getByRole("status")).toHaveTextContent("Freeing space…");
  await expect.element(confirm.getByRole("button", { name: "Free 1.0 MB" })).toBeDisabled();
  done.resolve({ checkpoints: 40, bytes: 1_000_000 });
  await expect.element(page.getByText("1.0 MB freed.")).toBeVisible();
  expect(host.inputsOf("threads.prune").at(-1)).toEqual({ threadId: "t1", keepTurns: 1, preview: false });
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

it("offers nothing to free where nothing older is kept, and stays open to say why pruning was refused", async () => {
  let older = 0;
  openConsole(
    one,
    {
      "threads.diskUse": () => ({
        checkpointBytes: 0,
        eventBytes: 0,
        logBytes: 0,
        undo: { bytes: 0, ofAll: 0, budget: 2e9 },
      }),
      "threads.prune": ({ preview, keepTurns }) => {
        if (!preview) throw new Error("The thread is running.");
        return { checkpoints: keepTurns === 1 ? ++older : 0, bytes: 2_000 };
      },
    },
    "#/threads",
  );
  await choose("Disk space…");
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toHaveTextContent("there is nothing to free");
  await expect.element(dialog.getByRole("button", { name: "Use less…" })).toBeDisabled();
  await dialog.getByRole("combobox").selectOptions("1");
  await dialog.getByRole("button", { name: "Use less…" }).click();
  await dialog.getByRole("button", { name: "Free 2.0 kB" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The thread is running.");
});

it("says what a file of the thread holds before it is written, and then where it is", async () => {
  const path = "/home/ada/.countersign/exports/Long-talk.countersign.json";
  const host = openConsole(one, { "threads.export": () => ({ path }) }, "#/threads");
  await choose("Save as a file…");
  const dialog = page.getByRole("dialog", { name: 'Save "Long talk" as a file' });
  await expect.element(dialog).toHaveTextContent("whatever secret was read or typed there");
  expect(host.inputsOf("threads.export")).toEqual([]);
  await dialog.getByRole("button", { name: "Write the file" }).click();
  await expect.element(dialog.getByRole("status")).toHaveTextContent(path);
});

const settings = { threads: [], approvals: [] };

it("imports a thread, and names the field that was refused", async () => {
  let refused = false;
  const host = openConsole(
    settings,
    {
      "threads.import": () => {
        if (refused) return sampleThread("t9", { title: "From afar" });
        refused = true;
        throw new ContractError("invalid-input", "turns.3.status: Invalid option.", { field: "path" });
      },
    },
    "#/settings/data",
  );
  const file = page.getByRole("textbox", { name: "File" });
  await file.fill("/tmp/talk.countersign.json");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("turns.3.status");
  await expect.element(file).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(page.getByText("“From afar” was imported.")).toBeVisible();
  expect(host.inputsOf("threads.import").at(-1)).toEqual({
    path: "/tmp/talk.countersign.json",
    workspace: "/home/ada/shop",
  });
  expect(location.hash).toBe("#/thread/t9");
});
