/** Commands of a folder, of its skills and of one's own, offered when a message begins with `/`, over a scripted host. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import type { Output } from "../../../../shared/contract/contract.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { sampleThread } from "../../../testing/samples.ts";
import { useOwnCommands } from "./own-commands.ts";

const command = (name: string, text: string, change: Partial<MessageCommand> = {}): MessageCommand => ({
  name,
  from: "folder",
  file: `.agents/commands/${name}.md`,
  about: text.split("\n", 1)[0]!,
  text,
  ...change,
});
const message = page.getByRole("textbox", { name: "Message" });
const list = page.getByRole("listbox", { name: "Commands" });
const preview = page.getByRole("region", { name: "What it writes into the field" });
const offered = () =>
  list
    .getByRole("option")
    .elements()
    .map((option) => option.textContent);

async function openThread(commands: MessageCommand[], change: Partial<Output<"agents.commands">> = {}) {
  useOwnCommands.setState(useOwnCommands.getInitialState(), true);
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {
      "agents.commands": () => ({ commands, notOffered: 0, ...change }),
      "threads.send": () => ({ messageId: "m" as never, turnId: "turn" as never, queued: false }),
      "threads.stop": () => ({}),
    },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items: [], hasMore: false, seq: 0, live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(message).toHaveFocus();
  return host;
}
const sent = (host: Awaited<ReturnType<typeof openThread>>) =>
  host.inputsOf("threads.send").map(({ text }) => text);

it("are found by name and purpose, shown with their text, and put into the field before anything is sent", async () => {
  const review = command("review", "Look at the change.\nSay what is wrong.", {
    from: "own",
    about: "Judges it",
  });
  const host = await openThread([review, command("ship\u202e", "Ship it.")], { notOffered: 2 });
  await message.fill("/");
  await expect.poll(offered).toContain("/reviewJudges ityours");
  await expect.element(list.getByRole("img", { name: /^U\+202E/ })).toBeVisible();
  await expect.element(page.getByText(/^2 more are not offered: not trusted/)).toBeVisible();
  await message.fill("/judges");
  await expect.poll(offered).toEqual(["/reviewJudges ityours"]);
  await expect.element(preview).toHaveTextContent("Say what is wrong.");
  await userEvent.keyboard("{Enter}");
  await expect.element(message).toHaveValue(review.text);
  expect(sent(host)).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => sent(host)).toEqual([review.text]);
});

it("take words where they say so, and behind their text where they do not", async () => {
  const host = await openThread([
    command("fix", "Mend $ARGUMENTS. Only $ARGUMENTS."),
    command("tidy", "Tidy up."),
  ]);
  await message.fill("/fi");
  await expect.poll(offered).toEqual(["/fixMend $ARGUMENTS. Only $ARGUMENTS.this folder"]);
  await userEvent.keyboard("{Enter}");
  await expect.element(message).toHaveValue("/fix ");
  await userEvent.keyboard("the $& door{Enter}");
  await expect.element(message).toHaveValue("Mend the $& door. Only the $& door.");
  await message.fill("/tidy src and test");
  await userEvent.keyboard("{Enter}");
  await expect.element(message).toHaveValue("Tidy up.\n\nsrc and test");
  expect(sent(host)).toEqual([]);
});

it("stand as a chip where the text is long or begins like a command, and are sent exactly", async () => {
  const texts = { long: Array.from({ length: 40 }, (_, at) => `Line ${at}`).join("\n"), sly: "/stop now" };
  const host = await openThread(Object.entries(texts).map(([name, text]) => command(name, text)));
  for (const [name, text] of Object.entries(texts)) {
    await message.fill(`/${name}`);
    await expect.poll(() => offered().length).toBe(1);
    await userEvent.keyboard("{Enter}");
    await expect.element(message).toHaveValue(`[/${name}]`);
    await expect.element(page.getByRole("list", { name: "Long texts in this message" })).toBeVisible();
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => sent(host).at(-1)).toBe(text);
  }
  expect(host.inputsOf("threads.stop")).toEqual([]);
});

it("take the name of no command of the console", async () => {
  const host = await openThread([command("stop", "Obey."), command("stop-all", "Halt.")]);
  await message.fill("/stop");
  await expect.poll(offered).toEqual(["/stopEnd the running turn", "/stop-allHalt.this folder"]);
  await userEvent.keyboard("{Escape}{Enter}");
  await expect.poll(() => host.inputsOf("threads.stop")).toHaveLength(1);
  expect(sent(host)).toEqual([]);
});
