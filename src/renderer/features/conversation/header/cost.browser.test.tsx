/** What a thread costs, as a person sees it, over a scripted host. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Cost } from "../../../../shared/contract/costs.ts";
import { type TranscriptItem, transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { sampleThread } from "../../../testing/samples.ts";
import { usePrices } from "../../models/prices-store.ts";
import { useProviders } from "../../models/providers-store.ts";
import { useCosts } from "./cost-words.tsx";

const turnEnd = (id: string, position: number): TranscriptItem =>
  transcriptItemSchema.parse({
    id,
    kind: "turnEnd",
    position,
    at: position,
    turnId: `turn-${id}`,
    outcome: "done",
  });

async function openThread(answers = {}, items: TranscriptItem[] = []) {
  const thread = sampleThread("t1", { status: "done", model: { provider: "openai", model: "gpt-a" } });
  const host = openConsole(
    { threads: [thread], approvals: [] },
    {
      "models.providers": () => ({ providers: [], defaultModel: { provider: "openai", model: "gpt-a" } }),
      "models.discover": () => ({ endpoints: [] }),
      "costs.prices": () => ({ prices: [] }),
      "costs.ofThread": () => ({ turns: {} }),
      ...answers,
    },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: items.length, live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}

beforeEach(() => {
  useProviders.setState(useProviders.getInitialState(), true);
  usePrices.setState(usePrices.getInitialState(), true);
  useCosts.setState(useCosts.getInitialState(), true);
});

describe("the cost of a thread", () => {
  const log = page.getByRole("log", { name: "Conversation" });
  const cost = (change: Partial<Cost>): Cost => ({ unpriced: [], ...change });

  it("stands in the header and at the end of each turn, always as an estimate", async () => {
    await openThread(
      {
        "costs.ofThread": () => ({
          thread: cost({ dollars: 0.4249, listedOn: "2026-10-10" }),
          turns: { "turn-a": cost({ dollars: 0.001 }), "turn-b": cost({ dollars: 1_234.5 }) },
        }),
      },
      [turnEnd("a", 1), turnEnd("b", 2)],
    );
    await expect.element(page.getByText("Cost of this thread: about $0.42")).toBeVisible();
    await expect.element(page.getByTitle(/list price of October 10, 2026/)).toBeVisible();
    await expect.element(log).toHaveTextContent("Cost of this turn: less than $0.01");
    await expect.element(log).toHaveTextContent("Cost of this turn: about $1,234.50");
  });

  it("asks for the turns on the screen in one call", async () => {
    const items = Array.from({ length: 8 }, (_, index) => turnEnd(`e${index}`, index + 1));
    const host = await openThread({}, items);
    await expect.poll(() => host.inputsOf("costs.ofThread").length).toBeGreaterThan(0);
    const asked = host.inputsOf("costs.ofThread").flatMap(({ turnIds }) => turnIds);
    expect(asked.sort()).toEqual(items.map((item) => item.turnId).sort());
    expect(host.inputsOf("costs.ofThread").length).toBeLessThan(3);
  });

  it("is asked for again when the thread goes on", async () => {
    let dollars = 0.1;
    const host = await openThread({ "costs.ofThread": () => ({ thread: cost({ dollars }), turns: {} }) });
    await expect.element(page.getByText("about $0.10")).toBeVisible();
    dollars = 0.2;
    const finished = {
      type: "message.finished",
      itemId: "m",
      turnId: "turn",
      agentPath: ["writer"],
      text: "",
      partial: false,
      usage: { inputTokens: 1, outputTokens: 1 },
    };
    const event = { seq: 5, threadId: "t1", at: 5, data: finished };
    host.push("threads.watch", { kind: "events", events: [event as never] });
    await expect.element(page.getByText("about $0.20")).toBeVisible();
  });

  it("says nothing where nothing is known, and never zero", async () => {
    const host = await openThread({}, [turnEnd("a", 1)]);
    await expect.poll(() => host.inputsOf("costs.ofThread").length).toBeGreaterThan(0);
    await expect.element(log).toHaveTextContent("Done");
    expect(document.body.textContent).not.toContain("$");
  });

  it("names the model whose price is missing and leads to where it is set", async () => {
    const host = await openThread({
      "costs.ofThread": () => ({
        thread: cost({ unpriced: [{ provider: "openai", model: "gpt-a" }] }),
        turns: {},
      }),
      "costs.setPrice": () => ({ prices: [] }),
    });
    expect(document.body.textContent).not.toContain("$");
    await page.getByRole("button", { name: "Price not set for gpt-a" }).click();
    const dialog = page.getByRole("dialog", { name: "Price of gpt-a" });
    await dialog.getByLabelText("Input", { exact: true }).fill("1");
    await dialog.getByLabelText("Output").fill("2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => host.inputsOf("costs.setPrice"))
      .toEqual([{ provider: "openai", model: "gpt-a", price: { input: 1, output: 2 } }]);
    await expect.element(dialog).not.toBeInTheDocument();
  });
});
