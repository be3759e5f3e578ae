/** Finding text in a thread, in a real browser over a scripted host. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { matcherOf, matches, textsOf } from "../../../../shared/transcript/find-text.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { call, lastPosition, sampleThread, says } from "../../../testing/samples.ts";

const log = page.getByRole("log", { name: "Conversation" });
const bar = page.getByRole("form", { name: "Find in this thread" });
const field = page.getByRole("textbox", { name: "Find in this thread" });
const count = bar.getByRole("status");

async function openThread(items: TranscriptItem[]) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {
      "threads.find": ({ query }) => ({
        hits: items
          .filter((one) => matches(textsOf(one), matcherOf(query)))
          .map(({ id, position: at }) => ({ itemId: id, position: at })),
        complete: true,
      }),
    },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(log).toBeVisible();
  return host;
}

async function find(text: string) {
  await userEvent.keyboard("{Control>}f{/Control}");
  await expect.element(field).toHaveFocus();
  await userEvent.fill(field, text);
}

const painted = (name: string) => [...(CSS.highlights.get(name) ?? [])].map(String);

it("counts, goes on and back round the ends, and paints what it found", async () => {
  await openThread([says("a", "one **red** fox"), says("b", "nothing"), says("c", "a Red FOX, a red fox")]);
  await find("red fox");
  await expect.element(count).toHaveTextContent("1 of 2");
  await expect.poll(() => painted("find-current")).toEqual(["red fox"]);
  expect(painted("find-match")).toEqual(["Red FOX", "red fox"]);
  await userEvent.keyboard("{Enter}");
  await expect.element(count).toHaveTextContent("2 of 2");
  await expect.poll(() => painted("find-current")).toEqual(["Red FOX"]);
  await userEvent.keyboard("{Enter}");
  await expect.element(count).toHaveTextContent("1 of 2");
  await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
  await expect.element(count).toHaveTextContent("2 of 2");
  await userEvent.fill(field, "blue");
  await expect.element(count).toHaveTextContent("Not found");
  await expect.poll(() => [painted("find-match"), painted("find-current")].flat()).toEqual([]);
});

it("leaves the accent to what needs the person: with the focus its edge has the colour of text", async () => {
  await openThread([says("a", "a red fox")]);
  await find("red fox");
  const form = getComputedStyle(bar.element());
  await expect.poll(() => form.borderTopColor).toBe(form.color);
});

it("closes with Escape, takes its paint along and gives the focus back", async () => {
  await openThread([says("a", "a red fox")]);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.click();
  await find("fox");
  await expect.element(count).toHaveTextContent("1 of 1");
  await userEvent.keyboard("{Escape}");
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
  expect([...CSS.highlights.keys()]).toEqual([]);
});

it("opens the folded parts that hold the text: reasoning, results, the middle of output, the run of a sub-agent", async () => {
  const lines = Array.from({ length: 60 }, (_, index) =>
    index === 30 ? "the needle in hay" : `line ${index}`,
  );
  await openThread([
    says("thinking", "Done.", { reasoning: "a needle of thought" }),
    // Two in a row stand in one row.
    call("before", { tool: "ls", args: { path: "." }, result: "a.md" }),
    call("read", { tool: "read_file", args: { file_path: "a.md" }, result: "a needle on disk" }),
    call("seq", { result: lines.join("\n") }),
    call("task", { tool: "task", args: { subagent_type: "writer" } }),
    ...Array.from({ length: 25 }, (_, index) =>
      call(`step ${index}`, {
        parentItemId: "task",
        agentPath: ["writer"],
        args: { command: index === 0 ? "find needle" : "ls" },
      }),
    ),
    ...Array.from({ length: 30 }, (_, index) => says(`s${index}`, `message ${index}`)),
  ]);
  await find("needle");
  await expect.element(count).toHaveTextContent("4 of 4");
  for (const text of ["a needle of thought", "a needle on disk", "the needle in hay", "find needle"]) {
    await userEvent.keyboard("{Enter}");
    await expect.element(log.getByText(text).last()).toBeInViewport();
    await expect.poll(() => painted("find-current")).toEqual(["needle"]);
  }
});

it("looks again when the thread has grown, and stays at its place", async () => {
  const items = [says("a", "a red fox"), says("b", "a red fox")];
  const host = await openThread(items);
  await find("fox");
  await expect.element(count).toHaveTextContent("1 of 2");
  const late = says("c", "a late fox");
  items.push(late);
  host.push("threads.watch", { kind: "page", items, hasMore: false, seq: lastPosition(), live: [] });
  await expect.element(count).toHaveTextContent("1 of 3");
});
