/** Whoever watches a command that has ended gets its log: its words in their colours, no other sequence, and how much it was. */
import { expect, it } from "vitest";
import type { ToolCallItem } from "../../shared/contract/transcript.ts";
import { executionIdSchema } from "../../shared/ids.ts";
import { console, withHost } from "./testing/host-fixture.ts";

withHost("file");

it("shows the log of a finished command in its colours, also one too large for a single frame", async () => {
  const threadId = await console.start();
  await console.send(
    threadId,
    "run for i in $(seq 4900); do printf '\\033[32mo\\033[33mk\\033[34m.\\033[0m %040d\\n' $i; done; printf '\\033]0;t\\007end'; touch x",
  );
  await console.approve(await console.onePending(threadId));
  await console.untilStatus(threadId, "done");
  const call = (await console.items(threadId)).find((item): item is ToolCallItem => item.kind === "toolCall");
  expect(call?.receipt?.truncated).toBe(true);
  const executionId = executionIdSchema.parse(call?.executionId);
  const frames = [];
  for await (const frame of console.client.watch("executions.watch", { executionId })) frames.push(frame);
  expect(frames.length).toBeGreaterThan(1);
  expect(frames.at(-1)).toMatchObject({ state: "ended", bytes: call?.receipt?.bytes, lines: 4_901 });
  const text = frames.map(({ data }) => data).join("");
  expect(text.startsWith(`\u001b[32mo\u001b[33mk\u001b[34m.\u001b[0m ${"1".padStart(40, "0")}\r\n`)).toBe(
    true,
  );
  expect(text.endsWith("\r\nend")).toBe(true);
  expect(text).not.toContain("\u001b]");
});
