/** A long text stands as a chip, by keyboard alone, and what is sent is exactly what was pasted or dropped. */
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { messageIdSchema, turnIdSchema } from "../../../../shared/ids.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { sampleThread } from "../../../testing/samples.ts";

const field = page.getByRole("textbox", { name: "Message", exact: true });
const chips = page.getByRole("list", { name: "Long texts in this message" });
const long = Array.from({ length: 60 }, (_, at) => `${at}: 一行 $& [Pasted 2]`).join("\n");

let host: ReturnType<typeof openConsole>;
const texts = () => host.inputsOf("threads.send").map(({ text }) => text);

beforeEach(async () => {
  host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {
      "drafts.get": () => ({ text: "", pasted: [] }),
      "drafts.set": () => ({}),
      "files.search": () => ({ paths: [], secrets: 2 }),
      "threads.send": () => ({
        messageId: messageIdSchema.parse("m"),
        turnId: turnIdSchema.parse("turn"),
        queued: false,
      }),
    },
    "#/thread/t1",
  );
  await expect.element(field).toHaveFocus();
});

function hand(kind: "paste" | "drop", text: string | undefined, ...files: File[]): void {
  const data = new DataTransfer();
  if (text !== undefined) data.setData("text/plain", text);
  for (const file of files) data.items.add(file);
  const how = { bubbles: true, cancelable: true };
  const event =
    kind === "paste"
      ? new ClipboardEvent("paste", { ...how, clipboardData: data })
      : new DragEvent("drop", { ...how, dataTransfer: data });
  field.element().dispatchEvent(event);
}

it("a long paste is a chip with its lines and size, at its place in the words, and is sent exactly", async () => {
  await userEvent.keyboard("before ");
  hand("paste", long);
  await expect.element(field).toHaveValue("before [Pasted 1]");
  await userEvent.keyboard(" after");
  await expect.element(chips).toHaveTextContent(/Pasted 1\s*60 lines · 1\.\d kB/);
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(texts()).toEqual([`before ${long} after`]));
  await expect.element(field).toHaveValue("");
  await expect.element(chips).not.toBeInTheDocument();
});

it("it opens by keyboard with all of it, and can be put into the field or taken out", async () => {
  hand("paste", long);
  hand("paste", `${long}!`);
  await expect.element(chips.getByRole("listitem").nth(1)).toBeVisible();
  chips
    .getByRole("button", { name: /^Pasted 2/ })
    .element()
    .focus();
  await userEvent.keyboard("{Enter}");
  const dialog = page.getByRole("dialog", { name: "Pasted 2" });
  await expect.element(dialog).toHaveTextContent("59: 一行");
  await expect.element(dialog).toHaveTextContent("Sent exactly as it is here");
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Take Pasted 2 off" }).click();
  await expect.element(field).toHaveValue("[Pasted 1]");
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("{End}{Backspace}");
  await expect.element(field).toHaveValue("");
  await expect.element(chips).not.toBeInTheDocument();
  hand("paste", "short\ntext");
  expect(chips.elements()).toEqual([]);
});

it("a dropped text file goes with its name and its exact text; what is no text is refused with the reason", async () => {
  hand("drop", undefined, new File([long], "notes [1].md"), new File(["\0\0"], "core.bin"));
  await expect.element(field).toHaveValue("[notes 1 .md]");
  await expect.element(page.getByText("core.bin is neither an image nor a text").first()).toBeInTheDocument();
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(texts()).toEqual([`[File notes 1 .md]\n${long}\n[End of notes 1 .md]`]));
});

it("more than one message holds is refused, and nothing is cut", async () => {
  hand("paste", "x\n".repeat(100_001));
  await expect.element(page.getByText("This is too long for one message").first()).toBeInTheDocument();
  await expect.element(field).toHaveValue("");
});

it("a draft with a long text is handed to the host whole, and says when only secrets fit a mention", async () => {
  hand("paste", long);
  await vi.waitFor(() =>
    expect(host.inputsOf("drafts.set").at(-1)?.draft).toEqual({
      text: "[Pasted 1]",
      pasted: [{ name: "Pasted 1", text: long }],
    }),
  );
  await userEvent.keyboard(" @env");
  await expect.element(page.getByText("No file fits but 2 that may hold secrets by name")).toBeVisible();
});
