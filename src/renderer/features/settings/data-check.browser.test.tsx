/** The check of the data and its warning as a person sees them, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openConsole } from "../../testing/open-console.ts";

const nothing = { threads: [], approvals: [] };

it("shows which database is being read and, when it is damaged, what to do", async () => {
  const host = openConsole(nothing, {}, "#/settings/data");
  const go = page.getByRole("button", { name: "Check now" });
  await go.click();
  await expect.element(go).toBeDisabled();
  const push = (item: Parameters<typeof host.push<"host.checkData">>[1]) =>
    expect.poll(() => host.push("host.checkData", item)).toBe(1);
  await push({ kind: "checking", name: "checkpoints.db", bytes: 12_400_000, step: 2, of: 2 });
  await expect.element(page.getByText("Reading checkpoints.db, 12 MB (2 of 2)…")).toBeVisible();
  await expect.element(page.getByRole("progressbar", { name: "How far the check is" })).toBeVisible();
  await push({
    kind: "checked",
    advice: "The newest sound backup is /b/one.db.",
    checks: [
      { name: "countersign.db", state: "damaged", bytes: 8_192, findings: ["Tree 5 page 12"] },
      { name: "checkpoints.db", state: "sound", bytes: 12_400_000, findings: [] },
    ],
  });
  await expect.element(page.getByText("countersign.db is damaged: Tree 5 page 12")).toBeVisible();
  await expect.element(page.getByText("checkpoints.db is sound (12 MB).")).toBeVisible();
  await expect.element(page.getByText("The newest sound backup is /b/one.db.")).toBeVisible();
});

it("shows a warning that comes up later, also to whoever dismissed those of the start", async () => {
  const host = openConsole({ ...nothing, host: { warnings: ["settings.json was broken."] } }, {});
  await expect.element(page.getByText("settings.json was broken.")).toBeVisible();
  await page.getByRole("banner").getByRole("button").click();
  await expect.element(page.getByText("settings.json was broken.")).not.toBeInTheDocument();
  host.push("console.watch", {
    kind: "changes",
    seq: 2,
    threads: [],
    removedThreads: [],
    approvals: [],
    removedApprovals: [],
    host: {
      version: "0.1.0",
      mode: "browser",
      platform: "linux",
      dataDir: "/d",
      home: "/home/ada",
      workspace: null,
      hasFolderDialog: false,
      commandPath: { source: "as-started", path: "/usr/bin", problem: null },
      commandShell: { kind: "bash", title: "bash 5.2" },
      sandbox: { state: "untried" },
      warnings: ["countersign.db is damaged."],
    },
  });
  await expect.element(page.getByText("countersign.db is damaged.")).toBeVisible();
});
