/** The head of a thread with all that it may say, and one's own message, at each width, over a scripted host. */
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { useSide } from "../../../base/stores/side-store.ts";
import { collisionsIn, outOf } from "../../../testing/card-geometry.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { lastPosition, sampleThread } from "../../../testing/samples.ts";
import { useCosts } from "./cost-words.tsx";

beforeEach(() => {
  useCosts.setState(useCosts.getInitialState(), true);
  useSide.setState(useSide.getInitialState(), true);
});

const saying = transcriptItemSchema.parse({
  ...{ id: "m1", kind: "userMessage", position: 1, at: 1, turnId: "turn-a" },
  ...{ text: "look at the parser, and say what it does ".repeat(3), attachments: [] },
  ...{ queued: false, cancelled: false },
});

async function openBusyThread(): Promise<void> {
  const now = Date.now();
  const thread = sampleThread("t1", {
    ...{ status: "running", title: "Make the parser say its line ".repeat(4) },
    workspace: `/home/ada/${"a-folder-far-below/".repeat(6)}`,
    worktree: { state: "own", origin: `/home/ada/${"shop/".repeat(12)}`, branch: "parser", ahead: 12 },
    autoApprove: { startedAt: now, expiresAt: now + 1_800_000, maxActions: 50, used: 10 },
  });
  const host = openConsole(
    { threads: [thread], approvals: [] },
    { "costs.ofThread": () => ({ thread: { dollars: 1_234.5, unpriced: [] }, turns: {} }) },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items: [saying], hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await vi.waitFor(() => expect(document.body.textContent).toContain("$1,234.50"));
}

it("nothing in the head of a thread runs into another or out of it, and one's message has most of the width, at each width", async () => {
  await openBusyThread();
  const head = page.getByRole("heading", { level: 1 }).element().closest("header") as HTMLElement;
  const words = () => page.getByRole("article", { name: "You" }).element().lastElementChild as HTMLElement;
  const told = head.querySelector("p") as HTMLElement;
  // A number below zero: with the side panel beside it.
  for (const size of [320, 480, 700, 890, 900, 1_024, 1_280, -1_180, -1_280, -1_440]) {
    const width = Math.abs(size);
    useSide.setState({ chosen: size < 0 });
    await page.viewport(width, 800);
    const faults = () => [
      ...collisionsIn(head),
      ...outOf(head),
      ...(told.scrollWidth > told.clientWidth + 1 ? ["what is told runs out of its place"] : []),
      ...(document.documentElement.scrollWidth > width ? ["the page is wider than the window"] : []),
      ...(words().offsetWidth < 0.5 * head.clientWidth ? [`a message of ${words().offsetWidth} px`] : []),
    ];
    await vi.waitFor(() => expect(faults(), `at ${size} px`).toEqual([]));
  }
});
