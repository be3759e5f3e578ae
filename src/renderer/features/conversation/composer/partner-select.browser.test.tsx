/** The agent and the model of a thread, seen and changed at the message field by one list, over a scripted host. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Agent, agentSchema } from "../../../../shared/contract/agents.ts";
import type { Provider } from "../../../../shared/contract/models.ts";
import type { FakeHost } from "../../../testing/fake-host.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { sampleThread } from "../../../testing/samples.ts";
import { useProviders } from "../../models/providers-store.ts";
import { useAgents, useChangedThread } from "./agents-store.ts";

const provider = (id: Provider["id"], label: string, change: Partial<Provider> = {}): Provider => ({
  id,
  label,
  needsKey: true,
  hasKey: true,
  suggestedModels: ["gpt-a", "gpt-b"],
  ...change,
});
const providers = [
  provider("anthropic", "Anthropic", { hasKey: false, suggestedModels: ["claude-a"] }),
  provider("openai", "OpenAI"),
  provider("openai-compatible", "OpenAI-compatible endpoint", { needsKey: false, suggestedModels: [] }),
];
const agent = (id: string, name: string): Agent => agentSchema.parse({ id, name, prompt: "" });
const agents = [agent("default", "Default agent"), agent("careful", "Careful\u202e")];
const model = { provider: "openai" as const, model: "gpt-a" };

async function openThread(answers = {}, change = {}) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done", model, ...change })], approvals: [] },
    {
      "models.providers": () => ({ providers, defaultModel: model }),
      "models.discover": () => ({ endpoints: [] }),
      "agents.list": () => ({ agents, tools: [], problems: [] }),
      "threads.setModel": () => ({}),
      "threads.setAgent": () => ({}),
      "threads.send": () => ({ messageId: "m" as never, turnId: "turn" as never, queued: false }),
      "costs.ofThread": () => ({ turns: {} }),
      ...answers,
    },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items: [], hasMore: false, seq: 0, live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(message).toHaveFocus();
  return host;
}

beforeEach(() => {
  useProviders.setState(useProviders.getInitialState(), true);
  useAgents.setState(useAgents.getInitialState(), true);
  useChangedThread.setState(useChangedThread.getInitialState(), true);
});

const message = page.getByRole("textbox", { name: "Message" });
const opener = page.getByRole("button", { name: /^Agent and model: / });
const panel = page.getByRole("dialog", { name: "Choose the agent or the model" });
const search = panel.getByRole("combobox", { name: "Find an agent or a model" });
const shown = () =>
  panel
    .getByRole("option")
    .elements()
    .map((option) => option.textContent);

function changeThread(host: FakeHost, change: object): void {
  const threads = [sampleThread("t1", { status: "done", model, ...change })];
  const none = { removedThreads: [], approvals: [], removedApprovals: [] };
  host.push("console.watch", { kind: "changes", seq: 1, ...none, threads });
}

async function openList() {
  await message.fill("/model ");
  await userEvent.keyboard("{Enter}");
  await expect.element(search).toHaveFocus();
  await expect.poll(() => shown().length).toBeGreaterThan(1);
}

describe("the agent and the model of a thread", () => {
  it("stand at the message field, and both are changed by keyboard alone", async () => {
    const host = await openThread();
    await expect.element(opener).toHaveAccessibleName("Agent and model: Default agent, gpt-a");
    await openList();
    await expect.element(message).toHaveValue("");
    expect(shown()).toEqual([
      "Default agentAgent",
      "Careful\u202eAgent",
      "gpt-aOpenAI",
      "gpt-bOpenAI",
      "claude-aAnthropic · no key",
      "Another model or server…Model",
    ]);
    await expect.element(panel.getByRole("img", { name: /^U\+202E/ })).toBeVisible();
    await search.fill("careful");
    await expect
      .poll(shown)
      .toEqual(["Careful\u202eAgent", "Use the model id carefulopenai", "Another model or server…Model"]);
    await userEvent.keyboard("{Enter}");
    await expect
      .poll(() => host.inputsOf("threads.setAgent"))
      .toEqual([{ threadId: "t1", agentId: "careful" }]);
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
    changeThread(host, { agentId: "careful" });
    const said = page.getByText(/^From your next message on: Careful.*, gpt-a\.$/);
    await expect.element(said).toBeVisible();
    await openList();
    await search.fill("gpt-b");
    await userEvent.keyboard("{Enter}");
    await expect
      .poll(() => host.inputsOf("threads.setModel"))
      .toEqual([{ threadId: "t1", model: { provider: "openai", model: "gpt-b" } }]);
    await expect.element(message).toHaveFocus();
    await message.fill("go on");
    await userEvent.keyboard("{Enter}");
    await expect.element(said).not.toBeInTheDocument();
  });

  it("leave Stop and Send whole in a window as narrow as a phone, and can still be told apart", async () => {
    await page.viewport(320, 640);
    await openThread({}, { status: "waiting", waiting: 1, model: { provider: "demo", model: "scripted" } });
    const box = (name: string) =>
      page.getByRole("button", { name, exact: true }).element().getBoundingClientRect();
    await expect.element(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
    expect(box("Send").right).toBeLessThanOrEqual(window.innerWidth - 16);
    expect(box("Stop").right).toBeLessThanOrEqual(box("Send").left);
    // Both names are there, and nothing of them lies below the buttons.
    const partner = page
      .getByRole("button", { name: /^Agent and model/ })
      .element()
      .getBoundingClientRect();
    expect(partner.width).toBeGreaterThan(120);
    expect(partner.right <= box("Stop").left || partner.bottom <= box("Stop").top).toBe(true);
  });

  it("takes an id that nobody suggested, by the arrow keys too, and says what holds for a turn at work", async () => {
    const host = await openThread({}, { status: "running" });
    await openList();
    await search.fill("gpt-b-of-mine");
    await expect.element(panel.getByRole("option", { name: /Use the model id gpt-b-of-mine/ })).toBeVisible();
    await userEvent.keyboard("{ArrowDown}{ArrowUp}{Enter}");
    await expect
      .poll(() => host.inputsOf("threads.setModel"))
      .toEqual([{ threadId: "t1", model: { provider: "openai", model: "gpt-b-of-mine" } }]);
    await expect
      .element(page.getByText(/^This turn goes on as it was; from your next message on/))
      .toBeVisible();
  });

  it("takes a server of one's own, and asks for its address when none is known", async () => {
    const host = await openThread();
    await openList();
    await userEvent.keyboard("{ArrowUp}{Enter}");
    await panel.getByRole("combobox", { name: "Provider" }).selectOptions("openai-compatible");
    await panel.getByRole("textbox", { name: "Model: id" }).fill("mine");
    await panel.getByRole("button", { name: "Use this model" }).click();
    await expect.element(panel.getByRole("alert")).toHaveTextContent("http://");
    expect(host.inputsOf("threads.setModel")).toEqual([]);
    await panel.getByRole("textbox", { name: "Server address" }).fill("http://10.0.0.2:8000/v1");
    await panel.getByRole("button", { name: "Use this model" }).click();
    const baseUrl = "http://10.0.0.2:8000/v1";
    await expect
      .poll(() => host.inputsOf("threads.setModel"))
      .toEqual([{ threadId: "t1", model: { provider: "openai-compatible", model: "mine", baseUrl } }]);
  });

  it("stay as they were when the list is left with Escape, and the focus comes back", async () => {
    const host = await openThread();
    await opener.click();
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}{Escape}");
    await expect.element(panel).not.toBeInTheDocument();
    expect([host.inputsOf("threads.setModel"), host.inputsOf("threads.setAgent")]).toEqual([[], []]);
    await expect.element(opener).toHaveFocus();
  });

  it("says that a key is missing, and where to set it", async () => {
    await openThread();
    await openList();
    await search.fill("claude");
    await userEvent.keyboard("{Enter}");
    await expect.element(panel).toHaveTextContent("No key is set for Anthropic.");
    await panel.getByRole("button", { name: "Set one in the settings" }).click();
    await expect.element(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  });

  it("says why it was refused and stays open", async () => {
    await openThread({
      "threads.setAgent": () => {
        throw new Error("There is no such agent, or its file cannot be used.");
      },
    });
    await openList();
    await search.fill("careful");
    await userEvent.keyboard("{Enter}");
    await expect.element(panel.getByRole("alert")).toHaveTextContent("There is no such agent");
  });

  it("offers what the thread can have, and without a choice only says what it is", async () => {
    const can = (change: object) => ({ can: { ...sampleThread("t1").can, ...change } });
    const host = await openThread({}, can({ chooseAgent: false }));
    await openList();
    expect(shown().join()).not.toContain("Agent");
    await userEvent.keyboard("{Escape}");
    const neither = can({ chooseAgent: false, chooseModel: false });
    changeThread(host, neither);
    await expect.element(opener).not.toBeInTheDocument();
    await expect.element(page.getByTitle("Agent and model: Default agent, gpt-a")).toBeVisible();
  });
});
