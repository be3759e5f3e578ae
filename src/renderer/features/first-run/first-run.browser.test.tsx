/** The first steps, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { defaultSettings } from "../../../shared/contract/console.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";

const fresh = { threads: [], approvals: [], settings: { firstRunDone: false } };
const steps = page.getByRole("region", { name: "First steps" });

it("leads to a task in three steps and leaves the queue and New thread in reach all the time", async () => {
  const host = openConsole(fresh, {
    "workspaces.open": ({ path }) => ({ path, name: "shop", trusted: false, lastUsedAt: 1 }),
    "models.providers": () => ({
      providers: [
        {
          id: "demo",
          label: "Scripted demo (no AI)",
          needsKey: false,
          hasKey: false,
          suggestedModels: ["scripted"],
        },
      ],
      defaultModel: { provider: "demo", model: "scripted" },
    }),
    "models.setDefault": () => ({}),
    "threads.create": () => sampleThread("n", { status: "new" }),
    "settings.update": (change) => ({ ...defaultSettings, ...change }),
  });
  const reachable = async () => {
    await expect.element(page.getByRole("region", { name: "Approvals" })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "New thread" })).toBeVisible();
  };
  await steps.getByRole("button", { name: "Next" }).click();
  await reachable();
  await steps.getByRole("button", { name: "Try the scripted demo (no AI)" }).click();
  await reachable();
  await steps.getByRole("button", { name: "Write a file" }).click();
  await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveValue("write notes.md hello");
  expect(host.inputsOf("threads.create")).toMatchObject([{ workspace: "/home/ada/shop" }]);
  expect(host.inputsOf("threads.send")).toEqual([]);
  await expect.poll(() => host.inputsOf("settings.update")).toEqual([{ firstRunDone: true }]);
});

it("goes away for good when it is skipped", async () => {
  const host = openConsole(fresh, { "settings.update": (change) => ({ ...defaultSettings, ...change }) });
  await steps.getByRole("button", { name: "Skip" }).click();
  await expect.element(steps).not.toBeInTheDocument();
  expect(host.inputsOf("settings.update")).toEqual([{ firstRunDone: true }]);
});

it("is not shown where there are threads already", async () => {
  openConsole({ ...fresh, threads: [sampleThread("t1")] }, {});
  await expect.element(page.getByText("Nothing waits for you")).toBeVisible();
  await expect.element(steps).not.toBeInTheDocument();
});
