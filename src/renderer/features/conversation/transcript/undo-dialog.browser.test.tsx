/** Undoes the files of a turn from its message: by key and button, after a look at what that does. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ContractError } from "../../../../shared/contract/errors.ts";
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
  digest: "seen",
};

async function openThread(answers: Record<string, unknown>) {
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
  const first = { kind: "page" as const, items: [mine], hasMore: false, seq: lastPosition(), live: [] };
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

describe("undo of files", () => {
  it("shows what comes back and what cannot and why, and does what was shown", async () => {
    const host = await openThread({ "undo.preview": () => preview, "undo.carryOut": () => ({ count: 2 }) });
    await openByKey();
    await expect
      .element(dialog.getByRole("list", { name: "Undone" }))
      .toHaveTextContent("gets its content back");
    await expect
      .element(dialog.getByRole("list", { name: "Stays as it is" }))
      .toHaveTextContent("notes.md was changed by you or something else too");
    await expect.element(dialog).toHaveTextContent("1 call may have changed more than is known here.");
    await dialog.getByRole("button", { name: "Undo 2 files" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.carryOut")).toEqual([{ threadId: "t1", turnId: "turn1", digest: "seen" }]);
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
      "undo.preview": () => ({ ...nothing, last: { id: "u1", at: 1, count: 2 } }),
      "undo.reverse": () => ({ count: 2 }),
    });
    await openByKey();
    await expect.element(dialog).toHaveTextContent("This thread changed no files from here on");
    await dialog.getByRole("button", { name: "Bring the changes back" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(host.inputsOf("undo.reverse")).toEqual([{ threadId: "t1", id: "u1" }]);
  });
});
