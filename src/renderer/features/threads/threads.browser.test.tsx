/** Threads and their conversations as a person uses them, in a real browser over a scripted host. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type TranscriptItem, transcriptItemSchema } from "../../../shared/contract/transcript.ts";
import { messageIdSchema, turnIdSchema } from "../../../shared/ids.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const list = page.getByRole("list", { name: "Threads" });
const composer = page.getByRole("textbox", { name: "Message" });
const sent = { messageId: messageIdSchema.parse("m"), turnId: turnIdSchema.parse("turn"), queued: false };

function item(id: string, kind: string, change: Record<string, unknown>): TranscriptItem {
  return transcriptItemSchema.parse({ id, kind, position: 1, at: 1, turnId: "turn", ...change });
}

const call = (id: string, change: Record<string, unknown>) =>
  item(id, "toolCall", {
    agentPath: [],
    toolCallId: id,
    tool: "execute",
    args: { command: `npm run ${id}` },
    state: "finished",
    outcome: "ok",
    ...change,
  });

function openThread(items: TranscriptItem[], thread = sampleThread("t1", { status: "done" }), answers = {}) {
  const host = openConsole(
    { threads: [thread], approvals: [] },
    { "threads.send": () => sent, ...answers },
    "#/thread/t1",
  );
  const page = { kind: "page" as const, items, hasMore: false, seq: 9, live: [] };
  return { host, ready: () => vi.waitFor(() => expect(host.push("threads.watch", page)).toBeGreaterThan(0)) };
}

describe("the list", () => {
  it("says each thread's state in words and how many wait", async () => {
    openConsole(
      {
        threads: [
          sampleThread("t1", { title: "Fix it", waiting: 2, unread: true }),
          sampleThread("t2", { status: "failed" }),
        ],
        approvals: [],
      },
      {},
      "#/threads",
    );
    const row = list.getByRole("listitem").filter({ hasText: "Fix it" });
    await expect.element(row).toHaveTextContent("Waits for you");
    await expect
      .element(row.getByRole("button", { name: /^Fix it\s*, 2 wait for you, unread$/ }))
      .toBeVisible();
    await expect
      .element(list.getByRole("listitem").filter({ hasText: "Thread t2" }))
      .toHaveTextContent("Failed");
  });

  it.each(["#/threads", "#/queue"])(
    "makes and opens a thread from %s with no dialog where the host has a workspace",
    async (hash) => {
      const host = openConsole(
        { threads: [], approvals: [] },
        { "threads.create": () => sampleThread("n", { status: "new" }) },
        hash,
      );
      await page.getByRole("button", { name: "New thread" }).click();
      await expect.element(composer).toHaveFocus();
      expect(host.inputsOf("threads.create")).toMatchObject([{ workspace: "/home/ada/shop" }]);
    },
  );

  it("lets a person walk to a folder where there is no workspace and no system dialog", async () => {
    const host = openConsole(
      { threads: [], approvals: [], host: { workspace: null } },
      {
        "workspaces.list": () => ({ workspaces: [], home: "/home/ada" }),
        "workspaces.browse": ({ path }) => ({
          path,
          parent: "/",
          folders: [`${path}/shop`],
          drives: [],
          writable: true,
        }),
        "workspaces.open": ({ path }) => ({ path, name: "shop", trusted: false, lastUsedAt: 1 }),
        "threads.create": () => sampleThread("n", { status: "new" }),
      },
    );
    await page.getByRole("button", { name: "New thread" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "shop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Open here" }).click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.create")).toMatchObject([{ workspace: "/home/ada/shop" }]),
    );
  });

  it("lets a person walk to another drive from the top of one", async () => {
    const host = openConsole(
      { threads: [], approvals: [], host: { workspace: null } },
      {
        "workspaces.list": () => ({ workspaces: [], home: "C:\\" }),
        "workspaces.browse": ({ path }) => ({
          ...{ path, parent: null, folders: [`${path}work`], writable: true },
          drives: ["C:\\", "D:\\"],
        }),
      },
    );
    await page.getByRole("button", { name: "New thread" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Drive D:" }).click();
    await expect.element(page.getByRole("textbox", { name: "Folder" })).toHaveValue("D:\\");
    expect(host.inputsOf("workspaces.browse").at(-1)).toEqual({ path: "D:\\" });
  });

  it("deletes only after a question", async () => {
    const host = openConsole(
      { threads: [sampleThread("t1", { title: "Old" })], approvals: [] },
      { "threads.delete": () => ({}) },
      "#/threads",
    );
    await list.getByRole("listitem").filter({ hasText: "Old" }).hover();
    await page.getByRole("button", { name: "More for Old" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    expect(host.inputsOf("threads.delete")).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Delete thread" }).click();
    await vi.waitFor(() => expect(host.inputsOf("threads.delete")).toEqual([{ threadId: "t1" }]));
  });
});

describe("a conversation", () => {
  it("shows a command that ended with an error as failed, with its exit code, though the call itself went well", async () => {
    const { ready } = openThread([
      call("lint", {
        result: "\u001b[31mbad\u001b[0m",
        receipt: { executionId: "e", exitCode: 2, durationMs: 40 },
      }),
    ]);
    await ready();
    const card = page.getByRole("article", { name: "Run npm run lint" });
    await expect.element(card).toHaveTextContent("failed · exit code 2");
    await expect.element(card.getByRole("figure", { name: "Result" })).toHaveTextContent(/^bad$/);
  });

  it("renders markdown without raw HTML and without images", async () => {
    const text = "**bold** <img src=x onerror=alert(1)> ![shot](https://evil.example/a.png)";
    const { ready } = openThread([item("m1", "agentMessage", { agentPath: [], text, partial: false })]);
    await ready();
    await expect.element(page.getByRole("article", { name: "Agent" }).getByText("bold")).toBeVisible();
    await vi.waitFor(() => expect(document.querySelector("article strong")).not.toBeNull());
    expect(document.querySelector("article img")).toBeNull();
  });

  it("shows the output of a running command as it comes", async () => {
    const { host, ready } = openThread([
      call("watch", { state: "running", outcome: undefined, executionId: "x1" }),
    ]);
    await ready();
    await vi.waitFor(() =>
      expect(host.push("executions.watch", { data: "10%\r20%\r", state: "running" })).toBeGreaterThan(0),
    );
    await expect.element(page.getByRole("figure", { name: "Live output" })).toHaveTextContent(/^20%$/);
  });

  it("sends with Enter, breaks the line with Shift+Enter, and empties the field only once it arrived", async () => {
    const { host } = openThread([]);
    await composer.click();
    await userEvent.keyboard("one{Shift>}{Enter}{/Shift}two{Enter}");
    await vi.waitFor(() => expect(host.inputsOf("threads.send")).toMatchObject([{ text: "one\ntwo" }]));
    await expect.element(composer).toHaveValue("");
  });

  it("keeps the message when it could not be sent", async () => {
    const { host } = openThread([], sampleThread("t1"), {
      "threads.send": () => {
        throw new Error("The disk is full.");
      },
    });
    await composer.fill("precious");
    await page.getByRole("button", { name: "Send" }).click();
    await vi.waitFor(() => expect(host.inputsOf("threads.send")).toHaveLength(1));
    await expect.element(page.getByText("The disk is full.").first()).toBeInTheDocument();
    await expect.element(composer).toHaveValue("precious");
    await composer.fill("");
  });

  it("asks what to do with waiting approvals before it sends", async () => {
    const { host } = openThread([], sampleThread("t1", { waiting: 1 }));
    await composer.fill("stop that");
    await page.getByRole("button", { name: "Send" }).click();
    expect(host.inputsOf("threads.send")).toEqual([]);
    await page.getByRole("button", { name: "Use as the reason for rejecting" }).click();
    await vi.waitFor(() => expect(host.inputsOf("threads.send")).toMatchObject([{ whileWaiting: "reject" }]));
  });

  it("offers to go on after a failure, in words of what happened", async () => {
    const end = item("end", "turnEnd", {
      outcome: "failed",
      problem: "The model answered 429.",
      retryable: true,
    });
    const { host, ready } = openThread([end], sampleThread("t1", { status: "failed" }), {
      "threads.resume": () => ({}),
    });
    await ready();
    await expect.element(page.getByText("The model answered 429.")).toBeVisible();
    await page.getByRole("button", { name: "Retry" }).click();
    await vi.waitFor(() => expect(host.inputsOf("threads.resume")).toHaveLength(1));
  });
});

describe("the shell", () => {
  it("tells the name and the key of each of its icons by pointer, and the name by ear", async () => {
    openConsole({ threads: [], approvals: [] }, {});
    const icons = page.getByRole("navigation", { name: "Views" }).getByRole("button");
    await expect.element(icons.first()).toBeVisible();
    const told = icons.elements().map((one) => [one.getAttribute("aria-label"), one.getAttribute("title")]);
    expect(told.map(([name, title]) => title?.replace(name ?? "", ""))).toEqual(
      ["g q", "g t", "g a", "g s", "?"].map((keys) => ` (${keys})`),
    );
  });

  it("keeps the approvals in view beside a conversation", async () => {
    openConsole(
      { threads: [sampleThread("t1")], approvals: [sampleApproval("a", "npm test")] },
      {},
      "#/thread/t1",
    );
    await expect
      .element(page.getByRole("region", { name: "Approvals" }).getByRole("button", { name: "Approve" }))
      .toBeVisible();
  });

  it("says when the host does not answer, keeps what was there, and takes it back when it does", async () => {
    const host = openConsole({ threads: [sampleThread("t1")], approvals: [] }, {}, "#/threads");
    await expect.element(list.getByRole("listitem").filter({ hasText: "Thread t1" })).toBeVisible();
    host.setState("offline");
    await expect.element(page.getByText("The host does not answer.")).toBeVisible();
    await expect.element(list.getByRole("listitem").filter({ hasText: "Thread t1" })).toBeVisible();
    host.setState("online");
    await expect.element(page.getByText("The host does not answer.")).not.toBeInTheDocument();
  });

  it("lists every key in the sheet", async () => {
    openConsole({ threads: [], approvals: [] }, {});
    await expect.element(page.getByText("Nothing waits for you")).toBeVisible();
    await userEvent.keyboard("{Shift>}?{/Shift}");
    await expect
      .element(page.getByRole("dialog", { name: "Keys" }))
      .toHaveTextContent("Reject with a reason");
    // What two keys do stands once, and keys that follow each other as the first and the last.
    const rows = [...document.querySelectorAll('[role="dialog"] dl > div')].map((one) => one.textContent);
    expect(rows).toContain("Nextj↓");
    expect(rows).toContain("Go to a thread of the stripg1to g9");
    expect(new Set(rows).size).toBe(rows.length);
  });
});
