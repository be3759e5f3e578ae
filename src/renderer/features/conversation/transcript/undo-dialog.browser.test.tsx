/** Undoes files and conversation from a message or a call on: by key and button, after a look at what that does. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ContractError } from "../../../../shared/contract/errors.ts";
import type { ThreadEventData } from "../../../../shared/contract/thread-events.ts";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { messageIdSchema, type ThreadId, turnIdSchema } from "../../../../shared/ids.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { lastPosition, sampleItem, sampleThread } from "../../../testing/samples.ts";

const dialog = page.getByRole("dialog", { name: /Undo what this thread did/ });
const preview = {
  back: [
    { path: "src/a.ts", how: "content" },
    { path: "made.txt", how: "goes" },
  ],
  backCount: 2,
  stays: [{ path: "notes.md", why: "changed-since" }],
  staysCount: 1,
  partlyKnown: 1,
  conversation: { why: "not-able" },
  digest: "seen",
};

async function openThread(answers: Record<string, unknown>, ...more: TranscriptItem[]) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    { "drafts.get": () => ({ text: "", pasted: [] }), "drafts.set": () => ({}), ...answers },
    "#/thread/t1",
  );
  const mine = sampleItem("m1", "userMessage", {
    text: "do it",
    turnId: "turn1",
    attachments: [],
    queued: false,
    cancelled: false,
  });
  const first = {
    kind: "page" as const,
    items: [mine, ...more],
    hasMore: false,
    seq: lastPosition(),
    live: [],
  };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(page.getByText("do it")).toBeInTheDocument();
  return host;
}

async function openByKey() {
  await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveFocus();
  await userEvent.keyboard("{Escape}u");
  await vi.waitFor(() => expect(document.activeElement?.closest("[data-item=m1]")).not.toBeNull());
  await userEvent.keyboard("{Shift>}Z{/Shift}");
  await expect.element(dialog).toBeInTheDocument();
}

const newWords = page.getByRole("textbox", { name: "New words" });

describe("undo of files", () => {
  it.each([
    ["the question", "Take back from here", dialog],
    ["the form for other words", "Say it differently", newWords],
  ])("%s stays open when the list scrolls on under it, so that its row would go", async (_, name, opened) => {
    await page.viewport(1024, 720);
    const host = await openThread({ "undo.preview": () => preview });
    // By pointer: what was gone to by key is drawn as long as it is where the keys are.
    await userEvent.click(page.getByRole("button", { name }).element());
    await expect.element(opened).toBeVisible();
    const log = page.getByRole("log", { includeHidden: true }).element();
    const row = () => document.querySelector("[data-item=m1]");
    const seq = lastPosition();
    const events = Array.from({ length: 60 }, (_, index) => ({
      seq: seq + index + 1,
      threadId: "t1" as ThreadId,
      at: 1,
      data: {
        type: "message.finished" as const,
        itemId: messageIdSchema.parse(`said-${index}`),
        turnId: turnIdSchema.parse("turn1"),
        agentPath: [],
        text: `Word ${index}.\n\nAnd more.`,
        model: { provider: "demo" as const, model: "scripted" },
        partial: false,
      },
    }));
    host.push("threads.watch", { kind: "events" as const, events });
    await vi.waitFor(() => expect(log.scrollHeight).toBeGreaterThan(3 * log.clientHeight));
    await vi.waitFor(() => {
      log.scrollTop = log.scrollHeight;
      expect(document.querySelector("[data-item=said-59]")).not.toBeNull();
    });
    expect([row() !== null, opened.elements().length]).toEqual([true, 1]);
  });

  it("shows what comes back and what cannot and why, and does what was shown", async () => {
    const host = await openThread({
      "undo.preview": () => preview,
      "undo.carryOut": () => ({ files: 2, messages: 0 }),
    });
    await openByKey();
    await expect
      .element(dialog.getByRole("list", { name: "Undone" }))
      .toHaveTextContent("gets its content back");
    await expect
      .element(dialog.getByRole("list", { name: "Stays as it is" }))
      .toHaveTextContent("notes.md was changed by you or something else too");
    await expect.element(dialog).toHaveTextContent("1 call may have changed more than is known here.");
    await expect
      .element(dialog)
      .toHaveTextContent("Not listed, and not undone: what commands did in folders");
    await dialog.getByRole("button", { name: "Undo 2 files" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.carryOut")).toEqual([
      { threadId: "t1", turnId: "turn1", part: "files", digest: "seen" },
    ]);
  });

  it("shows anew what it would do where files changed meanwhile", async () => {
    const answers = [preview, { ...preview, back: preview.back.slice(0, 1), backCount: 1, digest: "anew" }];
    const host = await openThread({
      "undo.preview": () => answers.shift(),
      "undo.carryOut": () => {
        throw new ContractError("conflict", "The files are not as they were when this was shown.");
      },
    });
    await openByKey();
    await dialog.getByRole("button", { name: "Undo 2 files" }).click();
    await expect.element(dialog.getByRole("button", { name: "Undo 1 file" })).toBeInTheDocument();
    await expect.element(dialog.getByRole("alert")).toHaveTextContent("not as they were");
    expect(host.inputsOf("undo.preview")).toHaveLength(2);
  });

  it("brings forth again what was undone last", async () => {
    const nothing = { ...preview, back: [], backCount: 0, stays: [], staysCount: 0, partlyKnown: 0 };
    const host = await openThread({
      "undo.preview": () => ({ ...nothing, last: { id: "u1", at: 1, files: 2, messages: 0, wentOn: false } }),
      "undo.reverse": () => ({ files: 2, messages: 0 }),
    });
    await openByKey();
    await expect.element(dialog).toHaveTextContent("This thread changed no files from here on");
    await dialog.getByRole("button", { name: "Bring it back" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.reverse")).toEqual([{ threadId: "t1", id: "u1" }]);
  });

  it("offers files, conversation or both, and puts the words of the message into the field", async () => {
    const host = await openThread({
      "undo.preview": () => ({ ...preview, conversation: { messages: 3 } }),
      "undo.carryOut": () => ({ files: 2, messages: 3 }),
    });
    await openByKey();
    await expect
      .element(dialog.getByRole("region", { name: "Conversation" }))
      .toHaveTextContent("3 messages");
    for (const name of ["Undo 2 files", "Undo 3 messages", "Undo both"])
      await expect.element(dialog.getByRole("button", { name })).toBeInTheDocument();
    await dialog.getByRole("button", { name: "Undo both" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.carryOut")).toMatchObject([{ part: "both" }]);
    await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveValue("do it");
  });

  it("says why the conversation stays, and that an undo stays because it went on", async () => {
    await openThread({
      "undo.preview": () => ({
        ...preview,
        conversation: { why: "not-over" },
        last: { id: "u1", at: 1, files: 0, messages: 2, wentOn: true },
      }),
    });
    await openByKey();
    await expect
      .element(dialog.getByRole("region", { name: "Conversation" }))
      .toHaveTextContent("stays while a turn is not over");
    await expect.element(dialog).toHaveTextContent("You undid 2 messages of this thread");
    await expect.element(dialog.getByRole("button", { name: "Bring it back" })).not.toBeInTheDocument();
    await expect.element(dialog.getByRole("button", { name: "Undo both" })).not.toBeInTheDocument();
  });

  it("folds what was taken back under a line that opens, and unfolds it when it is back", async () => {
    const host = await openThread({ "undo.reverse": () => ({ files: 2, messages: 1 }) });
    const seq = lastPosition();
    const tell = (past: number, data: ThreadEventData) =>
      host.push("threads.watch", {
        kind: "events" as const,
        events: [{ seq: seq + past, threadId: "t1" as ThreadId, at: 1, data }],
      });
    tell(1, {
      type: "turns.takenBack",
      itemId: "taken-back:u1",
      turns: [turnIdSchema.parse("turn1")],
      files: 2,
    });
    const line = page.getByRole("button", { name: /You took back 1 message and 2 files here/ });
    await expect.element(line).toBeInTheDocument();
    await expect.element(page.getByText("do it")).not.toBeInTheDocument();
    await userEvent.click(line);
    await expect.element(page.getByText("do it")).toBeInTheDocument();
    await userEvent.click(page.getByRole("button", { name: "Bring it back" }));
    expect(host.inputsOf("undo.reverse")).toEqual([{ threadId: "t1", id: "u1" }]);
    tell(2, { type: "turns.broughtBack", itemId: "taken-back:u1", turns: [turnIdSchema.parse("turn1")] });
    await expect.element(line).not.toBeInTheDocument();
    await expect
      .element(page.getByText(/1 message and 2 files here, and brought it back/))
      .toBeInTheDocument();
    await expect.element(page.getByText("do it")).toBeInTheDocument();
  });

  it("begins at a call where its button is pressed, and says that the agent forgets the whole turn", async () => {
    const host = await openThread(
      {
        "undo.preview": () => ({ ...preview, conversation: { messages: 1 } }),
        "undo.carryOut": () => ({ files: 2, messages: 1 }),
      },
      sampleItem("c1", "toolCall", {
        turnId: "turn1",
        agentPath: [],
        toolCallId: "call1",
        tool: "execute",
        args: { command: "make" },
        state: "finished",
        outcome: "ok",
        result: "",
        receipt: { executionId: "x1", durationMs: 1, exitCode: 0 },
      }),
    );
    await page.getByRole("button", { name: "Take back from this call on" }).click();
    await expect
      .element(dialog.getByRole("region", { name: "Conversation" }))
      .toHaveTextContent("What this turn did before the call is forgotten too");
    await dialog.getByRole("button", { name: "Undo both" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.carryOut")).toMatchObject([{ executionId: "x1", part: "both" }]);
  });
});
