/** A thread runs on a model nobody suggested, and shows what it cost once its price is set. */
import { LLMock } from "@copilotkit/aimock";
import { type App, expect, test } from "./app-fixture/app.ts";
import { agentSaid, newThread, openView, send } from "./app-fixture/console-steps.ts";

const model = "gpt-of-my-own";
const mock = new LLMock({ port: 0, host: "127.0.0.1" });
test.beforeAll(async () => {
  await mock.start();
  const usage = { prompt_tokens: 20_000, completion_tokens: 1_000, total_tokens: 21_000 };
  mock.onMessage("hello", { content: "Good morning.", usage });
});
test.afterAll(() => mock.stop());

async function openModels(app: App): Promise<void> {
  await openView(app, "Settings");
  const parts = app.page.getByRole("navigation", { name: "Parts of the settings" });
  await parts.getByRole("button", { name: "Models and keys", exact: true }).click();
}

async function setUpOpenAi(app: App): Promise<void> {
  await openModels(app);
  await app.page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
  await app.page.getByLabel("API key for OpenAI", { exact: true }).fill("sk-e2e");
  await app.page.getByRole("textbox", { name: "Address of OpenAI", exact: true }).fill(`${mock.url}/v1`);
  await app.page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(app.page.getByText(/^Key set/)).toBeVisible();
}

test("a free model id is chosen in the thread, and its price makes an estimate that a reload keeps", {
  tag: "@long",
}, async ({ app }) => {
  await setUpOpenAi(app);
  await newThread(app);
  await app.page.getByRole("button", { name: "Agent and model: Countersign, Scripted demo" }).click();
  const panel = app.page.getByRole("dialog", { name: "Choose the agent or the model" });
  await panel.getByRole("combobox", { name: "Find an agent or a model" }).fill("another");
  await app.expectAccessible();
  await panel.getByRole("option", { name: "Another model or server…" }).click();
  await panel.getByRole("combobox", { name: "Provider" }).selectOption("openai");
  await panel.getByRole("combobox", { name: "Model" }).selectOption("Another model…");
  await panel.getByRole("textbox", { name: "Model: id" }).fill(model);
  await app.expectAccessible();
  await panel.getByRole("button", { name: "Use this model" }).click();
  await expect(
    app.page.getByRole("button", { name: new RegExp(`^Agent and model: .*, ${model}$`) }),
  ).toBeVisible();
  await expect(app.page.getByText(new RegExp(`^From your next message on: .*, ${model}`))).toBeVisible();
  await expect(app.page.getByRole("textbox", { name: "Message" })).toBeFocused();

  await send(app, "hello");
  await expect(agentSaid(app, "Good morning.")).toBeVisible();
  expect(mock.getRequests().map((request) => request.body)).toContainEqual(
    expect.objectContaining({ model }),
  );
  await expect(app.page.getByText(/\$/)).toHaveCount(0);

  await app.page.getByRole("button", { name: `Price not set for ${model}` }).click();
  const price = app.page.getByRole("dialog", { name: `Price of ${model}` });
  await price.getByLabel("Input", { exact: true }).fill("10");
  await price.getByLabel("Output", { exact: true }).fill("50");
  await app.expectAccessible();
  await price.getByRole("button", { name: "Save" }).click();
  await expect(app.page.getByRole("list", { name: "Prices" })).toContainText("$10.00 in · $50.00 out");
  await app.expectAccessible();

  await app.page.goBack();
  await expect(app.page.getByText("Cost of this thread: about $0.25")).toBeVisible();
  await expect(app.page.getByText("Cost of this turn: about $0.25")).toBeVisible();
  await app.page.reload();
  await expect(app.page.getByText("Cost of this thread: about $0.25")).toBeVisible();
  await app.expectAccessible();
});

test("an address alone can be taken away again, and the key stays", { tag: "@long" }, async ({ app }) => {
  await setUpOpenAi(app);
  const address = app.page.getByRole("textbox", { name: "Address of OpenAI", exact: true });
  await address.clear();
  await app.page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(app.page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await app.page.reload();
  await app.page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
  await expect(address).toHaveValue("");
  await expect(app.page.getByText(/^Key set/)).toBeVisible();
});

test("the scripted demo shows no cost", { tag: "@long" }, async ({ app }) => {
  await newThread(app);
  await send(app, "say hello");
  await expect(agentSaid(app, "hello")).toBeVisible();
  await expect(app.page.getByText("Done", { exact: true }).first()).toBeVisible();
  await expect(app.page.getByText(/\$|Price not set/)).toHaveCount(0);
});
