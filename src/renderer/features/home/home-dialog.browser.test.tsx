/** Bringing a worktree home as a person does it, in a real browser over a scripted host. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { lastPosition, sampleThread } from "../../testing/samples.ts";

const dialog = page.getByRole("dialog", { name: 'Bring "Rows" home' });
const closed = (why: string, ...names: string[]) => ({ why, names, namesCount: names.length });
const preview = {
  branch: "countersign/rows",
  target: "main",
  folder: "/home/ada/shop",
  ahead: 1,
  behind: 2,
  files: [
    {
      path: "src/a.ts",
      state: "changed",
      lines: { added: 2, removed: 1 },
      modeChanged: false,
      committed: false,
    },
    { path: "new.bin", state: "added", modeChanged: false, committed: true },
  ],
  filesCount: 2,
  uncommitted: 1,
  message: "Rows\n\n- src/a.ts",
  ways: {
    merge: closed("in-the-way", "src/a.ts"),
    rebase: closed("conflicts", "src/b.ts"),
    patch: { files: 2, forward: false },
    keep: { files: 0, forward: false },
  },
  conflicts: [],
  pullRequest: { why: "uncommitted" },
  digest: "seen",
};
const hunk = (line: number, after: string) => ({
  before: "one\n",
  after: `${after}\n`,
  beforeLine: line,
  afterLine: line,
});

async function openDialog(answers: Record<string, unknown>) {
  const worktree = { state: "own", origin: "/home/ada/shop", branch: "countersign/rows", ahead: 1 } as const;
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done", title: "Rows", worktree })], approvals: [] },
    { "drafts.get": () => ({ text: "", pasted: [] }), "drafts.set": () => ({}), ...answers },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items: [], hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveFocus();
  await userEvent.keyboard("{Escape}{Shift>}H{/Shift}");
  await expect.element(dialog).toBeInTheDocument();
  return host;
}

it("shows files, obstacles and ways, and commits with the message as it was edited, by keyboard alone", async () => {
  const host = await openDialog({
    "home.preview": () => preview,
    "home.bring": () => ({ id: "h1", files: 0 }),
  });
  await expect
    .element(dialog)
    .toHaveTextContent(
      "From countersign/rows to main in /home/ada/shop: 1 ahead, 2 behind, 1 file not committed.",
    );
  await expect.element(dialog.getByRole("radio", { name: "Merge" })).toBeDisabled();
  await expect.element(dialog).toHaveTextContent("files of your own, in:src/a.ts");
  await expect.element(dialog).toHaveTextContent("Both sides changed the same.");
  const patch = dialog.getByRole("radio", { name: "Apply as a patch" });
  await expect.element(patch).toBeChecked();
  await expect
    .element(dialog.getByRole("textbox", { name: "Message of the commit" }))
    .not.toBeInTheDocument();
  patch.element().focus();
  await userEvent.keyboard("{ArrowDown}{Tab}");
  const message = dialog.getByRole("textbox", { name: "Message of the commit" });
  await expect.element(message).toHaveFocus();
  await expect.element(dialog).toHaveTextContent("is not signed, and none of your git's hooks run.");
  await message.fill("Mine");
  await userEvent.keyboard("{Tab}{Tab}{Enter}");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(host.inputsOf("home.bring")).toEqual([
    { threadId: "t1", way: "keep", digest: "seen", message: "Mine", answers: [] },
  ]);
});

it("puts one change of a file back, and undoes that", async () => {
  let digest = 0;
  const host = await openDialog({
    "home.preview": () => {
      digest += 1;
      return { ...preview, digest: `seen-${digest}` };
    },
    "home.file": () => ({ version: "v1", hunks: [hunk(1, "two"), hunk(40, "three")] }),
    "home.putBack": () => ({ id: "u1", files: 1 }),
    "undo.reverse": () => ({ files: 1, messages: 0 }),
  });
  await dialog.getByText("src/a.ts").first().click();
  const second = dialog.getByRole("region", { name: "Change 2 of 2" });
  await expect.element(second).toHaveTextContent("three");
  await second.getByRole("button", { name: "Put this change back" }).click();
  await expect.element(dialog.getByText("src/a.ts was put back in the worktree.")).toBeInTheDocument();
  expect(host.inputsOf("home.putBack")).toEqual([
    { threadId: "t1", path: "src/a.ts", version: "v1", hunk: 1 },
  ]);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect.element(dialog.getByText("It is as before again.")).toBeInTheDocument();
  expect(host.inputsOf("undo.reverse")).toEqual([{ threadId: "t1", id: "u1" }]);
});

it("shows anew what changed meanwhile, and says why nothing can be shown", async () => {
  const answers = [
    preview,
    { ...preview, ways: { ...preview.ways, patch: closed("conflicts", "x") }, digest: "anew" },
  ];
  const host = await openDialog({
    "home.preview": () => answers.shift() ?? Promise.reject(new ContractError("unavailable", "Git said: no")),
    "home.bring": () => {
      throw new ContractError("conflict", "The worktree or the folder is not as it was shown.");
    },
  });
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("is not as it was shown");
  await expect.element(dialog.getByRole("radio", { name: "Apply as a patch" })).toBeDisabled();
  expect(host.inputsOf("home.preview")).toHaveLength(2);
  await dialog.getByRole("button", { name: "Look again" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Git said: no");
});

it("asks for a pull request by a message with the command, and runs nothing itself", async () => {
  const command = "git push --set-upstream origin 'refs/heads/a:refs/heads/a' && gh pr create --head='a'";
  const host = await openDialog({
    "home.preview": () => ({ ...preview, uncommitted: 0, pullRequest: { command } }),
    "threads.send": () => ({ messageId: "m9", queued: false }),
  });
  await dialog.getByRole("radio", { name: "Open a pull request" }).click();
  await expect.element(dialog).toHaveTextContent(command);
  await dialog.getByRole("button", { name: "Ask for it" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(host.inputsOf("threads.send")).toMatchObject([
    { threadId: "t1", text: expect.stringContaining(command) },
  ]);
  expect(host.inputsOf("home.bring")).toEqual([]);
});

it("answers conflicts file by file, and merges by those answers", async () => {
  const both = ["folder", "thread"];
  const paths = ["src/b.ts", "src/c.ts"];
  const host = await openDialog({
    "home.preview": ({ answers }: { answers: { path: string; side: string }[] }) => ({
      ...preview,
      uncommitted: 0,
      ways: {
        ...preview.ways,
        merge: answers.length === 2 ? { files: 1, forward: false } : closed("conflicts", ...paths),
        patch: closed("conflicts", ...paths),
        keep: closed("nothing"),
      },
      conflicts: paths.map((path, at) => ({ path, answerable: true, sides: both.slice(at) })),
      digest: `after ${answers.length}`,
    }),
    "home.conflict": () => ({ folder: "mine\n", thread: "theirs\n" }),
    "home.bring": () => ({ id: "h1", files: 1 }),
  });
  const rows = dialog.getByRole("region", { name: "Changed on both sides: 2 files" }).getByRole("listitem");
  await rows.nth(0).getByRole("button", { name: "Compare" }).click();
  await expect.element(rows.nth(0)).toHaveTextContent("mine");
  await expect.element(rows.nth(0)).toHaveTextContent("theirs");
  await rows.nth(0).getByRole("radio", { name: "The thread's" }).click();
  const chosen = rows.nth(0).getByRole("radio", { name: "The thread's" });
  await expect.element(chosen).toBeChecked();
  // The accent is for what needs the person, and this is chosen already.
  expect(getComputedStyle(chosen.element()).accentColor).toBe(getComputedStyle(document.body).color);
  await rows.nth(1).getByRole("radio", { name: "Yours (deleted)" }).click();
  await dialog.getByRole("radio", { name: "Merge" }).click();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const answers = [
    { path: "src/b.ts", side: "thread" },
    { path: "src/c.ts", side: "folder" },
  ];
  expect(host.inputsOf("home.bring")).toMatchObject([{ way: "merge", digest: "after 2", answers }]);
});

it("points out what would make a name look like two, or turn the words around it", async () => {
  const [first] = preview.files;
  const files = [{ ...first, path: "src/a.ts\nsrc/b.ts" }];
  const ways = { ...preview.ways, rebase: closed("conflicts", "x\ny"), merge: { files: 1, forward: true } };
  await openDialog({ "home.preview": () => ({ ...preview, files, ways, target: "a\u202eb" }) });
  const dialogNode = dialog.element();
  const labels = () => [...dialogNode.querySelectorAll("[title]")].map((each) => each.getAttribute("title"));
  await expect.poll(() => labels().filter((label) => label === "U+000A line end")).toHaveLength(2);
  await expect.element(dialog).toHaveTextContent("Moves a[U+202E]b forward");
});
