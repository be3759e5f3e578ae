/** The side panel and the terminals in it, in a real browser over a scripted host. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { transcriptItemSchema } from "../../../shared/contract/transcript.ts";
import { useSide } from "../../base/stores/side-store.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";
import type { ChangedFile } from "./files-section.tsx";

const panel = page.getByRole("complementary", { name: "Plan, files and terminals" });

async function openPanel(items: Record<string, unknown>[], answers = {}) {
  useSide.setState({ chosen: true, asked: false, terminalId: undefined }, true);
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "running" })], approvals: [] },
    {
      "files.changed": () => ({ files: [], incomplete: false }),
      "approvals.ledger": () => ({ entries: [], hasMore: false }),
      ...answers,
    },
    "#/thread/t1",
  );
  const parsed = items.map((item, index) =>
    transcriptItemSchema.parse({ position: index + 1, at: index, turnId: "turn", ...item }),
  );
  const first = { kind: "page" as const, items: parsed, hasMore: false, seq: 99, live: [] };
  // The first one waits for the page's parts to be loaded.
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}

const changedFile = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  state: "changed",
  added: 1,
  removed: 1,
  byCommand: false,
  putBack: "possible",
  ...more,
});

const command = (change: Record<string, unknown>) => ({
  id: "c1",
  kind: "toolCall",
  agentPath: [],
  toolCallId: "c1",
  tool: "execute",
  args: { command: "npm init" },
  state: "running",
  ...change,
});

describe("the side panel", () => {
  it("shows the plan with its progress", async () => {
    const todos = [
      { content: "look", status: "completed" },
      { content: "mend", status: "in_progress" },
    ];
    await openPanel([{ id: "p", kind: "plan", todos }]);
    const plan = panel.getByRole("region", { name: "Plan" });
    await expect.element(plan).toHaveTextContent("1 of 2 done");
    await expect.element(plan.getByRole("img", { name: "in progress" })).toBeVisible();
  });

  it("puts a file back only after asking", async () => {
    const host = await openPanel([], {
      "files.changed": () => ({ files: [changedFile("a.md")], incomplete: false }),
      "files.diff": () => ({ path: "a.md", before: "old\n", after: "new\n", tooLarge: false }),
      "files.revert": () => ({}),
    });
    await panel.getByText("a.md").click();
    await expect.element(panel.getByRole("figure", { name: "Diff of a.md" })).toHaveTextContent("old");
    await panel.getByRole("button", { name: "Put back…" }).click();
    expect(host.inputsOf("files.revert")).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Put back" }).click();
    await vi.waitFor(() => expect(host.inputsOf("files.revert")).toEqual([{ threadId: "t1", path: "a.md" }]));
  });

  it("opens a changed file in the editor, or shows it in its folder", async () => {
    const host = await openPanel([], {
      "files.changed": () => ({ files: [changedFile("open.md")], incomplete: false }),
      "files.diff": () => ({ path: "open.md", before: "old\n", after: "new\n", tooLarge: false }),
      "files.open": ({ how }: { how: string }) => ({ done: how }),
    });
    await panel.getByText("open.md").click();
    await panel.getByRole("button", { name: "Open in the editor" }).click();
    await panel.getByRole("button", { name: "Show in its folder" }).click();
    const input = { threadId: "t1", path: "open.md" };
    await vi.waitFor(() =>
      expect(host.inputsOf("files.open")).toEqual([
        { ...input, how: "editor" },
        { ...input, how: "folder" },
      ]),
    );
  });

  it("says of a moved file where it was, and asks before it goes back there", async () => {
    await openPanel([], {
      "files.changed": () => ({
        files: [changedFile("new/b.md", { state: "moved", movedFrom: "old/a.md", added: 0, removed: 0 })],
        incomplete: false,
      }),
      "files.diff": () => ({ path: "new/b.md", before: "same\n", after: "same\n", tooLarge: false }),
    });
    const row = panel.getByRole("listitem").filter({ hasText: "new/b.md" });
    await expect.element(row).toHaveTextContent("moved from old/a.md");
    await expect.element(row).not.toHaveTextContent("+0");
    await row.getByText("new/b.md").click();
    await row.getByRole("button", { name: "Put back…" }).click();
    await expect.element(page.getByRole("dialog")).toHaveTextContent("at its old place again");
  });

  it("says of a command's change that it cannot be put back, and offers nothing", async () => {
    const host = await openPanel([], {
      "files.changed": () => ({
        files: [
          changedFile("logo.png", { byCommand: true, putBack: "not-kept", added: 0, removed: 0 }),
          changedFile("mine.md", { byCommand: true, putBack: "changed-since" }),
        ],
        incomplete: true,
      }),
      "files.diff": () => ({ path: "mine.md", before: "old\n", after: "new\n", tooLarge: false }),
    });
    const files = panel.getByRole("region", { name: "Changed files" });
    await expect.element(files).toHaveTextContent("What commands changed may be missing here");
    await files.getByText("logo.png").click();
    await expect
      .element(files)
      .toHaveTextContent("Changed by a command; the version before it was not kept.");
    await files.getByText("mine.md").click();
    await expect.element(files.getByRole("figure", { name: "Diff of mine.md" })).toBeVisible();
    await expect.element(files).toHaveTextContent("Something else changed this file too");
    expect(files.getByRole("button", { name: "Put back…" }).elements()).toEqual([]);
    expect(host.inputsOf("files.diff").map(({ path }) => path)).toEqual(["mine.md"]);
  });

  it("lists what ran without a person being asked, and not what they approved", async () => {
    const entry = (id: number, text: string, kind: string) => ({
      id,
      at: Date.now(),
      threadId: "t1",
      threadTitle: "",
      agentPath: [],
      tool: "execute",
      originalArgs: { command: text },
      cwd: "/",
      verdict: { verdict: "new", units: [] },
      decision: { type: "approve" },
      by: { kind },
    });
    await openPanel([], {
      "approvals.ledger": () => ({
        entries: [entry(1, "npm test", "auto-approve"), entry(2, "rm x", "person")],
        hasMore: false,
      }),
    });
    const receipts = panel.getByRole("region", { name: "Approved without asking" });
    await receipts.getByRole("button").click();
    await expect.element(receipts).toHaveTextContent("npm test");
    await expect.element(receipts).not.toHaveTextContent("rm x");
  });
});

describe("a running command", () => {
  it("opens its terminal from the card, draws what comes, and types into it", async () => {
    const host = await openPanel([command({ executionId: "x1" })], {
      "executions.write": () => ({}),
      "executions.resize": () => ({}),
    });
    await page.getByRole("button", { name: "Open terminal" }).click();
    const terminal = panel.getByRole("region", { name: "Terminal of npm init" });
    const input = terminal.getByRole("textbox", { name: "Terminal input" });
    await expect.element(input).toBeInTheDocument();
    await vi.waitFor(() =>
      expect(
        host.push("executions.watch", {
          data: "\u001b[32mname?\u001b[0m ",
          state: "running",
          waitingForInput: true,
        }),
      ).toBe(2),
    );
    await vi.waitFor(() => expect(terminal.element().textContent).toContain("name?"));
    expect(terminal.element().querySelector("style")).toBeNull();
    (input.element() as HTMLElement).focus();
    await userEvent.keyboard("ada{Enter}");
    await vi.waitFor(() =>
      expect(
        host
          .inputsOf("executions.write")
          .map((one) => one.data)
          .join(""),
      ).toBe("ada\r"),
    );
    await userEvent.keyboard("{F6}");
    expect(document.activeElement?.tagName).toBe("SUMMARY");
  });

  it("can be answered in its card when it waits for input", async () => {
    const host = await openPanel([command({ executionId: "x1" })], { "executions.write": () => ({}) });
    await vi.waitFor(() =>
      expect(
        host.push("executions.watch", { data: "sure? ", state: "running", waitingForInput: true }),
      ).toBeGreaterThan(0),
    );
    await page.getByRole("textbox", { name: "Input for the command" }).fill("yes");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("executions.write")).toEqual([{ executionId: "x1", data: "yes\r" }]),
    );
  });
});
