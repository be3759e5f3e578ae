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

it("has its folder chosen by pointer alone, also where the system has no dialog for that", async () => {
  openConsole(fresh, {
    "workspaces.list": () => ({ workspaces: [], home: "/home/ada" }),
    "workspaces.browse": ({ path }) => ({
      path,
      parent: null,
      drives: [],
      writable: true,
      folders: path === "/home/ada" ? ["/home/ada/shop"] : [],
    }),
    "workspaces.open": ({ path }) => ({ path, name: "shop", trusted: false, lastUsedAt: 1 }),
  });
  await steps.getByRole("button", { name: "Choose…" }).click();
  const chooser = page.getByRole("dialog", { name: "Choose a folder" });
  await chooser.getByRole("button", { name: "shop" }).click();
  await expect.element(chooser.getByRole("textbox", { name: "Folder" })).toHaveValue("/home/ada/shop");
  await chooser.getByRole("button", { name: "Open here" }).click();
  await expect.element(steps).toHaveTextContent("Step 2 of 3");
  await expect.element(chooser).not.toBeInTheDocument();
});

const providers = [
  {
    id: "demo",
    label: "Scripted demo (no AI)",
    needsKey: false,
    hasKey: false,
    suggestedModels: ["scripted"],
  },
  { id: "anthropic", label: "Anthropic", needsKey: true, hasKey: false, suggestedModels: ["claude"] },
  {
    id: "ollama",
    label: "Ollama",
    needsKey: false,
    hasKey: false,
    suggestedModels: [],
    baseUrl: "http://127.0.0.1:11434",
  },
  {
    id: "openai-compatible",
    label: "OpenAI-compatible endpoint",
    needsKey: false,
    hasKey: false,
    suggestedModels: [],
  },
];

async function openModelStep(endpoints: object[]) {
  const host = openConsole(fresh, {
    "workspaces.open": ({ path }) => ({ path, name: "shop", trusted: false, lastUsedAt: 1 }),
    "models.providers": () => ({ providers, defaultModel: { provider: "demo", model: "scripted" } }) as never,
    "models.discover": () => ({ endpoints }) as never,
    "models.setKey": () => providers[3] as never,
    "models.setDefault": () => ({}),
  });
  await steps.getByRole("button", { name: "Next" }).click();
  await steps.getByRole("button", { name: "Use a model of mine" }).click();
  return host;
}

it("connects a model server of one's own by its address and model, with a key only where it asks for one", async () => {
  const host = await openModelStep([]);
  await steps.getByRole("combobox", { name: "Provider" }).selectOptions("OpenAI-compatible endpoint");
  await steps.getByRole("button", { name: "Use this model" }).click();
  await expect.element(steps.getByText("Enter a whole address", { exact: false })).toBeVisible();
  await steps.getByRole("textbox", { name: "Server address" }).fill("http://ada:pw@127.0.0.1:8000/v1");
  await steps.getByRole("textbox", { name: "Model: id" }).fill("qwen");
  await steps.getByRole("button", { name: "Use this model" }).click();
  await expect.element(steps.getByText("Enter a whole address", { exact: false })).toBeVisible();
  expect(host.inputsOf("models.setDefault")).toEqual([]);
  await steps.getByRole("textbox", { name: "Server address" }).fill("http://127.0.0.1:8000/v1");
  await steps.getByRole("button", { name: "Use this model" }).click();
  await expect.element(steps.getByText("Start with a task")).toBeVisible();
  const model = { provider: "openai-compatible", model: "qwen", baseUrl: "http://127.0.0.1:8000/v1" };
  expect(host.inputsOf("models.setDefault")).toEqual([{ model }]);
  expect(host.inputsOf("models.setKey")).toEqual([]);
});

it("fills in the server that runs on this computer, and the models that it has", async () => {
  const baseUrl = "http://127.0.0.1:11434";
  const host = await openModelStep([
    { label: "Ollama", provider: "ollama", baseUrl, models: ["a:1", "b:2"] },
  ]);
  await steps.getByRole("combobox", { name: "Provider" }).selectOptions("Ollama");
  await expect.element(steps.getByRole("textbox", { name: "Server address" })).toHaveValue(baseUrl);
  await steps.getByRole("combobox", { name: "Model" }).selectOptions("b:2");
  await steps.getByLabelText("API key, if it asks for one").fill("k");
  await steps.getByRole("button", { name: "Use this model" }).click();
  await expect
    .poll(() => host.inputsOf("models.setDefault"))
    .toEqual([{ model: { provider: "ollama", model: "b:2", baseUrl } }]);
  expect(host.inputsOf("models.setKey")).toEqual([{ provider: "ollama", key: "k" }]);
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
