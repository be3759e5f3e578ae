/** What is written, left, kept and brought back in the message field, by keyboard alone. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Draft } from "../../../../shared/contract/drafts.ts";
import { threadIdSchema } from "../../../../shared/ids.ts";
import { draftOf, setDraft } from "../../../base/stores/drafts-store.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { lastPosition, sampleItem, sampleThread } from "../../../testing/samples.ts";
import { strings } from "../strings.ts";

const field = page.getByRole("textbox", { name: "Message" });
const log = page.getByRole("log", { name: "Conversation" });
const t1 = threadIdSchema.parse("t1");

const mine = (id: string, text: string) =>
  sampleItem(id, "userMessage", { text, attachments: [], queued: false, cancelled: false });

async function openThread(answers = {}, items = [mine("m1", "first words"), mine("m2", "second words")]) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" }), sampleThread("t2")], approvals: [] },
    { "drafts.get": () => ({ text: "", pasted: [] }), "drafts.set": () => ({}), ...answers },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(field).toHaveFocus();
  return host;
}

const caretToStart = () => (field.element() as HTMLTextAreaElement).setSelectionRange(0, 0);

describe("Escape", () => {
  it("leads from the field to the conversation, where single keys act, and keeps the draft", async () => {
    await openThread();
    await userEvent.keyboard("half{Escape}");
    await expect.element(log).toHaveFocus();
    await userEvent.keyboard("m");
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue("half");
  });

  it("closes a list first", async () => {
    await openThread();
    await userEvent.keyboard("/{Escape}");
    await expect.element(page.getByRole("listbox")).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(log).toHaveFocus();
  });
});

describe("the history", () => {
  const texts = ["newest\nof two lines", "/rename older", "oldest @a"];
  const answers = { "drafts.history": () => ({ texts }) };

  it("comes by ArrowUp in an empty field, goes back by ArrowDown, and stops at its ends", async () => {
    await openThread(answers);
    const steps = ["{ArrowUp}", "{ArrowUp}", "{ArrowUp}", "{ArrowUp}", "{ArrowDown}", "{ArrowDown}"];
    const shown = [texts[0], texts[1], texts[2], texts[2], texts[1], texts[0]];
    for (const [at, key] of steps.entries()) {
      await userEvent.keyboard(key);
      await expect.element(field).toHaveValue(shown[at]);
      expect(page.getByRole("listbox").elements()).toEqual([]);
    }
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(field).toHaveValue("");
  });

  it("leaves the arrows to a text that is worked on", async () => {
    const host = await openThread(answers);
    await userEvent.keyboard("mine{ArrowUp}");
    await expect.element(field).toHaveValue("mine");
    expect(host.inputsOf("drafts.history")).toEqual([]);
    await userEvent.clear(field);
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(field).toHaveValue(texts[0]);
    await userEvent.keyboard("!{ArrowUp}");
    await expect.element(field).toHaveValue(`${texts[0]}!`);
    await userEvent.clear(field);
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(field).toHaveValue(texts[0]);
    caretToStart();
    await userEvent.keyboard("{ArrowDown}!{ArrowUp}{ArrowUp}");
    await expect.element(field).toHaveValue("newest\n!of two lines");
  });
});

describe("a draft", () => {
  it("comes from the host, unless something was written before the answer", async () => {
    let answer = (_: Draft) => {};
    await openThread({ "drafts.get": () => new Promise((resolve) => (answer = resolve)) });
    await userEvent.keyboard("new");
    answer({ text: "kept from before", pasted: [] });
    await userEvent.keyboard("er");
    await expect.element(field).toHaveValue("newer");
    location.hash = "#/thread/t2";
    await expect.element(field).toHaveValue("");
    answer({ text: "kept from before", pasted: [] });
    await expect.element(field).toHaveValue("kept from before");
  });

  it("is handed to the host, and stays in the browser only while the host has not got it", async () => {
    let there = false;
    const host = await openThread({
      "drafts.set": () => {
        if (!there) throw new Error("away");
        return {};
      },
    });
    await userEvent.keyboard("half");
    await vi.waitFor(() =>
      expect(JSON.parse(localStorage.getItem("countersign.drafts") ?? "{}")).toEqual({
        t1: { text: "half", pasted: [] },
      }),
    );
    await vi.waitFor(() => expect(host.inputsOf("drafts.set").length).toBeGreaterThan(0));
    there = true;
    host.setState("online");
    await vi.waitFor(() => expect(JSON.parse(localStorage.getItem("countersign.drafts")!)).toEqual({}));
    expect(host.inputsOf("drafts.set").at(-1)).toEqual({
      threadId: "t1",
      draft: { text: "half", pasted: [] },
    });
  });
});

describe("a message of one's own", () => {
  const untilAt = (id: string) =>
    vi.waitFor(() => expect(document.activeElement?.getAttribute("data-item")).toBe(id));

  it("is reached by key from the last one upwards, and written again behind the draft", async () => {
    await openThread();
    setDraft(t1, "draft");
    await userEvent.keyboard("{Escape}uu");
    await untilAt("m1");
    // All of this short thread is in view, so that there is no later part to jump to.
    expect(page.getByRole("button", { name: "Jump to latest" }).query()).toBeNull();
    await userEvent.keyboard("u");
    await expect.element(page.getByText(strings.noEarlierMessage).first()).toBeInTheDocument();
    await userEvent.keyboard("b");
    await expect.element(field).toHaveFocus();
    expect(draftOf(t1)).toBe("draft\nfirst words");
  });

  it("is said differently and forked by key; elsewhere these keys do nothing", async () => {
    const fork = sampleThread("t2");
    const host = await openThread({ "threads.fork": () => fork });
    await userEvent.keyboard("{Escape}dfb");
    expect(host.inputsOf("threads.fork")).toEqual([]);
    await userEvent.keyboard("u");
    await untilAt("m2");
    await userEvent.keyboard("d");
    await expect.element(page.getByRole("textbox", { name: "New words" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByRole("button", { name: "Say it differently" }).last()).toHaveFocus();
    await userEvent.keyboard("f");
    await vi.waitFor(() => expect(host.inputsOf("threads.fork")).toMatchObject([{ messageId: "m2" }]));
    await expect.element(field).toHaveValue("second words");
  });
});
