/** What an agent may put into the queue and the thread in one turn has an end, and a request beyond it gets no yes. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { TurnStopped } from "../../gate/run-context.ts";
import { type AskParts, answerRequest } from "./ask-person.ts";
import { nothingSaid } from "./merge-call.ts";
import { TurnBounds } from "./turn-text.ts";

/** @returns how often it went well */
function untilTooMuch(act: () => void): number {
  for (let count = 0; count < 10_000; count += 1)
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(TurnStopped);
      return count;
    }
  throw new Error("There is no end.");
}

it("ends the turn of an agent that asks without end, that asks too much, and that tells without end", () => {
  const bounds = new TurnBounds();
  expect(untilTooMuch(() => bounds.countQuestion({}))).toBe(1_000);
  const large = { input: "x".repeat(8 * 1024 * 1024) };
  const other = new TurnBounds();
  expect(untilTooMuch(() => other.countQuestion(large))).toBeLessThan(8);
  expect(untilTooMuch(() => bounds.countItem())).toBe(5_000);
  const content: ToolCallContent[] = [];
  const more = () => {
    bounds.assertReadable({ content });
    content.push({ type: "diff", path: "a", newText: "" });
  };
  expect(untilTooMuch(more)).toBe(501);
});

it("gives no yes to a request that is one too many", async () => {
  const bounds = new TurnBounds();
  untilTooMuch(() => bounds.countQuestion({}));
  const call = { said: nothingSaid, itemId: "i", toolCallId: "c" };
  const run = { signal: new AbortController().signal };
  const parts = { agent: "Fake", run, drawing: { bounds, callOf: () => call } } as unknown as AskParts;
  const asked = { sessionId: "s", toolCall: { toolCallId: "c" }, options: [] };
  await expect(answerRequest(parts, asked, run.signal)).rejects.toThrow("more requests in one turn");
});
