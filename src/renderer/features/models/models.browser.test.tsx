/** Providers, keys and the default model, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import type { Provider } from "../../../shared/contract/models.ts";
import { openConsole } from "../../testing/open-console.ts";
import { useProviders } from "./providers-store.ts";

const provider = (change: Partial<Provider>): Provider => ({
  id: "demo",
  label: "Scripted demo (no AI)",
  needsKey: false,
  hasKey: false,
  suggestedModels: ["scripted"],
  ...change,
});

function openModels(answers = {}) {
  let openai = provider({
    id: "openai",
    label: "OpenAI",
    needsKey: true,
    suggestedModels: ["gpt-a", "gpt-b"],
  });
  return openConsole(
    { threads: [], approvals: [], host: { mode: "electron" } },
    {
      "models.providers": () => ({
        providers: [provider({}), openai],
        defaultModel: { provider: "demo", model: "scripted" },
      }),
      "models.discover": () => ({ endpoints: [] }),
      "models.setKey": () => {
        openai = { ...openai, hasKey: true, keyStorage: "keychain" };
        return openai;
      },
      ...answers,
    },
    "#/settings/models",
  );
}

beforeEach(() => useProviders.setState(useProviders.getInitialState(), true));

it("sets a key, empties the field and says only where the key is kept", async () => {
  const host = openModels();
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  const field = page.getByLabelText("API key for OpenAI");
  await field.fill("sk-secret");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByText("Key set (kept in: the system's keychain)")).toBeVisible();
  await expect.element(field).toHaveValue("");
  expect(host.inputsOf("models.setKey")).toEqual([{ provider: "openai", key: "sk-secret" }]);
  expect(document.body.innerHTML).not.toContain("sk-secret");
});

it("keeps no address with a password in it", async () => {
  const host = openModels();
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  await page.getByLabelText("Address of OpenAI").fill("http://ada:secret@127.0.0.1:1234/v1");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByText("without a name and password in it")).toBeVisible();
  expect(host.inputsOf("models.setKey")).toEqual([]);
});

it("takes a model id that nobody suggested as the default", async () => {
  const host = openModels({ "models.setDefault": () => ({}) });
  await page.getByRole("combobox", { name: "Provider" }).selectOptions("openai");
  await page.getByRole("combobox", { name: "Model", exact: true }).selectOptions("Another model…");
  await page.getByRole("textbox", { name: "Model: id" }).fill("gpt-of-my-own");
  await page.getByRole("button", { name: "Use as default" }).click();
  await expect
    .poll(() => host.inputsOf("models.setDefault"))
    .toEqual([{ model: { provider: "openai", model: "gpt-of-my-own" } }]);
});

it("shows why a test failed", async () => {
  openModels({ "models.test": () => ({ ok: false, message: "OpenAI refused the key." }) });
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect.element(page.getByText("The test failed. OpenAI refused the key.")).toBeVisible();
});

it("says of a locked key that it is there, and asks the keychain again when told to", async () => {
  let openai = provider({
    id: "openai",
    label: "OpenAI",
    needsKey: true,
    hasKey: true,
    keyStorage: "locked",
  });
  let isOpen = false;
  const host = openModels({
    "models.providers": () => ({
      providers: [openai],
      defaultModel: { provider: "openai", model: "gpt-a" },
    }),
    "models.unlockKey": () => {
      openai = { ...openai, keyStorage: isOpen ? "keychain" : "locked" };
      return openai;
    },
  });
  await expect.element(page.getByText("Key locked")).toBeVisible();
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  await page.getByRole("button", { name: "Try the keychain again" }).click();
  await expect.element(page.getByText("The keychain did not open the key.")).toBeVisible();
  isOpen = true;
  await page.getByRole("button", { name: "Try the keychain again" }).click();
  await expect.element(page.getByText("Key set (kept in: the system's keychain)")).toBeVisible();
  expect(host.inputsOf("models.unlockKey")).toEqual([{ provider: "openai" }, { provider: "openai" }]);
});
