/** The palette, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { usePalette } from "../../base/stores/palette-store.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";

const field = page.getByRole("combobox", { name: "Go to or do" });
const open = async () => {
  await expect.element(page.getByRole("region", { name: "Approvals" })).toBeVisible();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(field).toHaveFocus();
};

beforeEach(() => usePalette.setState({ open: false }));

it("finds a thread by its title and opens it with Enter", async () => {
  openConsole({ threads: [sampleThread("t7", { title: "Mend the checkout" })], approvals: [] }, {});
  await open();
  await userEvent.keyboard("checkout");
  await expect.element(page.getByRole("option").first()).toHaveTextContent("Mend the checkout");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.hash).toBe("#/thread/t7");
  await expect.element(field).not.toBeInTheDocument();
});

it("goes to the part of the settings that holds a setting", async () => {
  openConsole({ threads: [], approvals: [] }, {});
  await open();
  await userEvent.keyboard("do not disturb{Enter}");
  await expect.element(page.getByRole("switch", { name: "Do not disturb" })).toBeVisible();
});

it("moves with the arrows, round the ends, and says so when nothing is found", async () => {
  openConsole({ threads: [], approvals: [] }, {});
  await open();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(page.getByRole("option", { selected: true })).toHaveTextContent("About Countersign");
  await field.fill("zzqqxx");
  await expect.element(page.getByRole("status").filter({ hasText: "zzqqxx" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(field).not.toBeInTheDocument();
});

it("offers what can be done with the open thread, such as deleting it, and nothing of it elsewhere", async () => {
  openConsole(
    { threads: [sampleThread("t7", { title: "Mend the checkout", status: "done" })], approvals: [] },
    {},
  );
  await open();
  await field.fill("delete");
  await expect.element(page.getByRole("option", { name: "Delete…" })).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  location.hash = "#/thread/t7";
  await expect.element(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.keyboard("delete thread");
  await expect.element(page.getByRole("option").first()).toHaveTextContent("Delete…This thread");
  await userEvent.keyboard("{Enter}");
  await expect
    .element(page.getByRole("heading", { name: /^Delete the thread .Mend the checkout/ }))
    .toBeVisible();
});
