/** Prices, addresses and the way to a key, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ModelPrice } from "../../../shared/contract/costs.ts";
import type { Provider } from "../../../shared/contract/models.ts";
import { openConsole } from "../../testing/open-console.ts";
import { usePrices } from "./prices-store.ts";
import { useProviders } from "./providers-store.ts";

const openai: Provider = {
  id: "openai",
  label: "OpenAI",
  needsKey: true,
  hasKey: true,
  keyStorage: "file",
  keyUrl: "https://platform.openai.com/api-keys",
  suggestedModels: ["gpt-a", "gpt-b"],
};
const listed: ModelPrice = {
  provider: "openai",
  model: "gpt-a",
  price: { input: 1.25, output: 10, cacheRead: 0.125 },
  listedOn: "2026-10-10",
};

function openModels(answers = {}, provider: Provider = openai, start: ModelPrice[] = [listed]) {
  let prices = start;
  return openConsole(
    { threads: [], approvals: [] },
    {
      "models.providers": () => ({
        providers: [provider],
        defaultModel: { provider: "openai", model: "gpt-a" },
      }),
      "models.discover": () => ({ endpoints: [] }),
      "costs.prices": () => ({ prices }),
      "costs.setPrice": ({ price, ...id }) => {
        const others = prices.filter((one) => one.model !== id.model);
        prices = price ? [{ ...id, price }, ...others] : [...others, listed];
        return { prices };
      },
      ...answers,
    },
    "#/settings/models",
  );
}

beforeEach(() => {
  useProviders.setState(useProviders.getInitialState(), true);
  usePrices.setState(usePrices.getInitialState(), true);
});

const list = page.getByRole("list", { name: "Prices" });
const dialog = page.getByRole("dialog");

it("shows a list price with its day, takes the person's instead, and goes back to it", async () => {
  const host = openModels();
  await expect.element(list).toHaveTextContent("$1.25 in · $10.00 out · $0.125 from the cache");
  await expect.element(list).toHaveTextContent("List price of October 10, 2026");
  await page.getByRole("button", { name: "Change the price of gpt-a" }).click();
  await expect.element(dialog).toHaveAccessibleName("Price of gpt-a");
  await dialog.getByLabelText("Input", { exact: true }).fill("3");
  await userEvent.keyboard("{Enter}");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(host.inputsOf("costs.setPrice")).toEqual([
    { provider: "openai", model: "gpt-a", price: { input: 3, output: 10, cacheRead: 0.125 } },
  ]);
  await expect.element(list).toHaveTextContent("Set by you");
  await page.getByRole("button", { name: "Forget the price of gpt-a" }).click();
  await expect.element(list).toHaveTextContent("List price of October 10, 2026");
});

it("sets the price of any model id, and names each field that is no amount", async () => {
  const host = openModels({}, openai, []);
  await page.getByRole("button", { name: "Set a price" }).click();
  await dialog.getByRole("textbox", { name: "Model: id" }).fill("gpt-a");
  await dialog.getByRole("textbox", { name: "Model: id" }).fill("gpt-a-of-mine");
  await dialog.getByLabelText("Input", { exact: true }).fill("cheap");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByRole("alert").first()).toHaveTextContent("Enter an amount, such as 0.25.");
  expect(dialog.getByRole("alert").elements()).toHaveLength(2);
  expect(host.inputsOf("costs.setPrice")).toEqual([]);
  await dialog.getByLabelText("Input", { exact: true }).fill("0,5");
  await dialog.getByLabelText("Output").fill("$2");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => host.inputsOf("costs.setPrice"))
    .toEqual([{ provider: "openai", model: "gpt-a-of-mine", price: { input: 0.5, output: 2 } }]);
  await expect.element(list).toHaveTextContent("gpt-a-of-mine");
});

it("keeps what was typed and says why when a price could not be saved", async () => {
  openModels({
    "costs.setPrice": () => {
      throw new Error("The disk is full.");
    },
  });
  await page.getByRole("button", { name: "Change the price of gpt-a" }).click();
  await dialog.getByLabelText("Output").fill("7");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The disk is full.");
  await expect.element(dialog.getByLabelText("Output")).toHaveValue("7");
});

it("goes back to the provider's own address and leaves the key when the address is emptied", async () => {
  const host = openModels(
    { "models.setKey": () => openai },
    { ...openai, baseUrl: "https://proxy.example/v1" },
  );
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  const save = page.getByRole("button", { name: "Save", exact: true });
  await expect.element(save).toBeDisabled();
  await page.getByRole("textbox", { name: "Address of OpenAI" }).clear();
  await save.click();
  await expect.poll(() => host.inputsOf("models.setKey")).toEqual([{ provider: "openai", baseUrl: null }]);
});

it("leads to where a key is made through the host's question, and shows the address where nothing can be opened", async () => {
  const host = openModels({ "host.openLink": () => ({ opened: false }) });
  await page.getByRole("button", { name: "Set up OpenAI" }).click();
  await page.getByRole("link", { name: "Get a key at platform.openai.com" }).click();
  expect(host.inputsOf("host.openLink")).toEqual([{ url: "https://platform.openai.com/api-keys" }]);
  await expect.element(page.getByText("https://platform.openai.com/api-keys").first()).toBeInTheDocument();
});
