/** The message field: files by @, commands by /, pasted images. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, openThread } from "../testing/open-thread.ts";

describe("the message field", () => {
  it("offers files by @ and attaches the chosen one", async () => {
    const host = await openThread([], {
      "files.search": () => ({ paths: ["src/a.ts", "src/b.ts"], secrets: 0 }),
    });
    await composer.click();
    await userEvent.keyboard("look at @s");
    await expect.element(page.getByRole("option", { name: "src/a.ts" })).toBeVisible();
    await userEvent.keyboard("{ArrowDown}{Enter}please{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.send")).toMatchObject([
        { text: "look at @src/b.ts please", attachments: [{ kind: "file", path: "src/b.ts" }] },
      ]),
    );
  });

  it("runs commands by / and sends what only looks like one", async () => {
    const host = await openThread([], { "threads.rename": () => ({}), "threads.stop": () => ({}) });
    await composer.click();
    await userEvent.keyboard("/rename Shop{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.rename")).toEqual([{ threadId: "t1", title: "Shop" }]),
    );
    await userEvent.keyboard("/st{Enter}");
    await vi.waitFor(() => expect(host.inputsOf("threads.stop")).toHaveLength(1));
    await expect.element(composer).toHaveValue("");
    await userEvent.keyboard("/tmp/a is full{Enter}");
    await vi.waitFor(() => expect(host.inputsOf("threads.send")).toMatchObject([{ text: "/tmp/a is full" }]));
  });

  it("keeps a command it does not know, and says so", async () => {
    const host = await openThread([]);
    await composer.fill("/nonsense now");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByText("There is no command /nonsense.").first()).toBeInTheDocument();
    await expect.element(composer).toHaveValue("/nonsense now");
    expect(host.inputsOf("threads.send")).toEqual([]);
  });

  it("attaches a pasted image and refuses another file with the reason", async () => {
    const host = await openThread([]);
    await composer.click();
    const canvas = new OffscreenCanvas(2, 2);
    canvas.getContext("2d");
    const png = new File([await canvas.convertToBlob()], "shot.png", { type: "image/png" });
    const clipboardData = new DataTransfer();
    clipboardData.items.add(png);
    clipboardData.items.add(new File(["\0"], "core.bin"));
    composer
      .element()
      .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    await expect.element(page.getByRole("list", { name: "Attached" })).toHaveTextContent("shot.png");
    await expect
      .element(page.getByText("core.bin is neither an image nor a text").first())
      .toBeInTheDocument();
    await composer.click();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.send")).toMatchObject([
        { text: "", attachments: [{ kind: "image", name: "shot.png", mediaType: "image/png" }] },
      ]),
    );
  });
});
