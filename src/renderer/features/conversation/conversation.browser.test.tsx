/** A conversation as a person uses it, in a real browser over a scripted host. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { messageIdSchema, turnIdSchema } from "../../../shared/ids.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { call, lastPosition, sampleItem, sampleThread, says } from "../../testing/samples.ts";
import { composer, log, openThread, user } from "./testing/open-thread.ts";

describe("what the agent of a thread can", () => {
  const offers = () => [
    page.getByRole("button", { name: "Fork from here" }).elements().length,
    page.getByRole("button", { name: "Say it differently" }).elements().length,
    page.getByRole("button", { name: /^Agent and model: / }).elements().length,
    page.getByRole("button", { name: "Resume" }).elements().length,
  ];
  const open = (can: object) =>
    openThread(
      [user("m1", "hello"), sampleItem("end", "turnEnd", { turnId: "turn", outcome: "stopped" })],
      {},
      { status: "stopped", can: { ...sampleThread("t1").can, ...can } },
    );

  it("is offered", async () => {
    await open({});
    await expect.poll(offers).toEqual([1, 1, 1, 1]);
  });

  it("leaves no message field where it reads no messages", async () => {
    await open({ messages: false });
    await expect.element(page.getByText("This agent works elsewhere. Write to it there.")).toBeVisible();
    expect(composer.elements()).toEqual([]);
  });

  it("says of an agent that acts itself that it does, in the thread and at its calls, and names no model", async () => {
    const acts = { agent: "Codex", level: "asking" };
    const told = { title: "list", input: { command: "ls -la" }, places: [], changes: [], notes: [] };
    const args = { agent: "Codex", does: "execute", ...told };
    await openThread(
      [user("m1", "hello"), call("c", { tool: "outer__execute", args })],
      {},
      {
        status: "done",
        actsItself: acts,
      },
    );
    await expect.element(page.getByText(/Codex.*What it does without asking is neither held/)).toBeVisible();
    await expect.element(log.getByRole("article", { name: "Codex ls -la" })).toBeVisible();
    expect(page.getByText("Scripted demo", { exact: false }).elements()).toEqual([]);
  });

  it("is all that is offered, also by commands of the message field", async () => {
    await open({ fork: false, chooseModel: false, chooseAgent: false, resume: false });
    await expect.element(log.getByText("hello")).toBeVisible();
    expect(offers()).toEqual([0, 0, 0, 0]);
    await composer.fill("/");
    await expect.element(page.getByText("/rename", { exact: true })).toBeVisible();
    for (const name of ["/fork", "/model", "/agent", "/resume"])
      expect(page.getByText(name, { exact: true }).elements()).toEqual([]);
  });
});

describe("a worktree", () => {
  const choice = page.getByRole("switch", { name: "Work in a worktree of its own" });

  it("is offered where the host offers it, off until the person chooses it", async () => {
    const host = await openThread(
      [],
      { "threads.chooseWorktree": () => ({}) },
      { status: "new", worktree: { state: "offered", wanted: false } },
    );
    await expect.element(choice).toHaveAttribute("aria-checked", "false");
    await choice.click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.chooseWorktree")).toEqual([{ threadId: "t1", wanted: true }]),
    );
  });

  it("is not offered elsewhere, and once it is there the header, the list and the strip say how it stands", async () => {
    const own = { state: "own", origin: "/home/ada/shop", branch: "countersign/rows" };
    await openThread(
      [],
      {},
      {
        title: "Rows",
        workspace: "/home/ada/.local/share/countersign/worktrees/1/shop",
        worktree: { ...own, ahead: 2, behind: 0, dirty: 3 },
      },
    );
    const words = "countersign/rows, 2 ahead, 3 not committed";
    await expect.element(page.getByRole("main")).toHaveTextContent(`~/shop${words}`);
    await expect.element(page.getByRole("list", { name: "Threads" })).toHaveTextContent(`shop · ${words}`);
    await expect.element(page.getByRole("link", { name: new RegExp(`^Rows, .*${words}$`) })).toBeVisible();
    expect(choice.elements()).toEqual([]);
  });

  it("moves nothing when it is told of or changes, also where its words are longer than their room", async () => {
    await page.viewport(1280, 800);
    await openThread([user("m1", "hello")], {}, { workspace: "/home/ada/shop" });
    await expect.element(log.getByText("hello")).toBeVisible();
    const top = () => log.element().getBoundingClientRect().top;
    const before = top();
    for (const [branch, dirty] of [
      ["countersign/rows", 0],
      ["countersign/rows", 3],
      ["very-long-name-of-a-branch/".repeat(9), 12],
    ] as const) {
      const worktree = {
        state: "own" as const,
        origin: `/home/ada/shop${"/deep".repeat(20)}`,
        branch,
        dirty,
      };
      useThreads.getState().change([sampleThread("t1", { status: "done", worktree })], []);
      await expect.element(page.getByRole("button", { name: `Worktree ${branch}` })).toBeVisible();
      expect(top()).toBe(before);
    }
  });

  it("leaves the switches beside the title in one pane, with buttons for fingers", async () => {
    await page.viewport(480, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const worktree = { state: "own", origin: "/home/ada/shop", branch: "countersign/rows", ahead: 2 };
    await openThread([user("m1", "hello")], {}, { worktree });
    await expect.element(page.getByRole("button", { name: "Worktree countersign/rows" })).toBeVisible();
    const boxOf = (one: Locator) => one.element().getBoundingClientRect();
    const [title, control] = [page.getByRole("heading", { level: 1 }), page.getByRole("switch")].map(boxOf);
    expect(control?.top).toBeGreaterThan(title?.top ?? 0);
    expect(control?.bottom).toBeLessThan(title?.bottom ?? 0);
    for (const name of ["Send", "Plan, files and terminals"])
      expect(boxOf(page.getByRole("button", { name })).height).toBe(40);
  });

  it("that held something says where it is kept, after its thread was deleted", async () => {
    const worktree = { state: "own", origin: "/home/ada/shop", branch: "b" };
    const host = await openThread(
      [],
      { "threads.delete": () => ({ left: "Kept as refs/x." }) },
      { worktree },
    );
    await page.getByRole("button", { name: "More for Thread t1" }).first().click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await expect.element(page.getByRole("dialog")).toHaveTextContent("what is not committed is kept");
    await page.getByRole("button", { name: "Delete thread" }).click();
    const told = page.getByRole("dialog", { name: "The thread is deleted" });
    await expect.element(told).toHaveTextContent("Kept as refs/x.");
    await told.getByRole("button", { name: "Close" }).last().click();
    await expect.element(told).not.toBeInTheDocument();
    expect(host.inputsOf("threads.delete")).toHaveLength(1);
  });
});

describe("the transcript", () => {
  it("shows the run of a sub-agent inside its card and nowhere else", async () => {
    await openThread([
      call("task", {
        tool: "task",
        args: { subagent_type: "writer", description: "Write it" },
        state: "requested",
        outcome: undefined,
      }),
      call("make", { parentItemId: "task", agentPath: ["writer"] }),
    ]);
    const card = log.getByRole("article", { name: "Delegate Write it" });
    await expect.element(card.getByRole("article", { name: "Run make" })).toBeVisible();
    expect(log.getByRole("article", { name: "Run make" }).elements()).toHaveLength(1);
  });

  it("folds reading in a row into one row that opens, and leaves alone what failed", async () => {
    await openThread([
      call("a", { tool: "read_file", args: { file_path: "a.ts" }, result: "one" }),
      call("b", { tool: "read_file", args: { file_path: "b.ts" }, result: "two" }),
      call("b2", { tool: "read_file", args: { file_path: "b.ts" }, result: "two" }),
      call("c", { tool: "grep", args: { pattern: "TODO" }, result: "none" }),
      call("d", {
        tool: "read_file",
        args: { file_path: "gone.ts" },
        outcome: "failed",
        result: "no such file",
      }),
    ]);
    await expect.element(log.getByRole("article", { name: "Read gone.ts" })).toBeVisible();
    const row = log.getByRole("button", { name: "Read 2 files, searched once" });
    await expect.element(row).toHaveAttribute("aria-expanded", "false");
    expect(log.getByRole("article").elements()).toHaveLength(1);
    await row.click();
    await expect.element(log.getByRole("article", { name: "Look for TODO" })).toBeVisible();
    expect(log.getByRole("article").elements()).toHaveLength(5);
    await row.click();
    await vi.waitFor(() => expect(log.getByRole("article").elements()).toHaveLength(1));
  });

  it("names sub-agents by their task, and says how each ended", async () => {
    const task = (id: string, description: string, result: string) =>
      call(id, { tool: "task", args: { subagent_type: "general-purpose", description }, result });
    await openThread([
      task("t1", "Check outdated dependencies\nin all folders", "\nTwo are outdated.\nMore below."),
      task("t2", "Count sheep", "There are nine."),
    ]);
    const first = log.getByRole("article", { name: "Delegate Check outdated dependencies" });
    await expect.element(first).toHaveTextContent("general-purpose · 0 steps");
    await expect.element(first).toHaveTextContent("ReportTwo are outdated.");
    await expect
      .element(log.getByRole("article", { name: "Delegate Count sheep" }))
      .toHaveTextContent("ReportThere are nine.");
    await expect.element(first).not.toHaveTextContent("More below.");
  });

  it("says who let a command through, from the record of decisions when nobody was asked", async () => {
    const approved = {
      ...{ at: 1, threadId: "t1", threadTitle: "", agentPath: [], cwd: "/" },
      ...{ tool: "execute", originalArgs: {}, decision: { type: "approve" } },
    };
    await openThread(
      [
        call("ls", { executionId: "e1" }),
        call("make all", { executionId: "e2" }),
        call("rm x", { decidedBy: { kind: "person" }, decision: { type: "approve" } }),
      ],
      {
        "approvals.ledger": () => ({
          hasMore: false,
          entries: [
            {
              ...approved,
              id: 1,
              verdict: {
                verdict: "safe",
                units: [{ text: "ls", verdict: "safe", reason: "ls only reads here." }],
              },
              by: { kind: "policy" },
              executionId: "e1",
            },
            {
              ...approved,
              id: 2,
              verdict: {
                verdict: "covered",
                units: [
                  {
                    text: "make all",
                    verdict: "covered",
                    reason: 'Covered by the rule "make".',
                    rule: "rule-13fc2d87",
                  },
                ],
              },
              by: { kind: "rule", ruleIds: ["rule-13fc2d87"] },
              executionId: "e2",
            },
          ],
        }),
      },
    );
    await expect
      .element(log.getByRole("article", { name: "Run make all" }))
      .toHaveTextContent('approved by a rule: Covered by the rule "make".');
    await expect
      .element(log.getByRole("article", { name: "Run ls" }))
      .toHaveTextContent("asks nobody: ls only reads here.");
    await expect.element(log.getByRole("article", { name: "Run rm x" })).toHaveTextContent("approved by you");
  });

  it("folds the middle of long output until it is asked for", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}.`);
    await openThread([call("seq", { result: lines.join("\n") })]);
    const output = log.getByRole("figure", { name: "Result" });
    await expect.element(output).toHaveTextContent("line 99.");
    await expect.element(output).not.toHaveTextContent("line 50.");
    await page.getByRole("button", { name: "Show all 100 lines" }).click();
    await expect.element(output).toHaveTextContent("line 50.");
  });

  it("names the scripted demo as author of what it says, and the model otherwise", async () => {
    await openThread([
      says("a", "one", { model: { provider: "demo", model: "demo-script" } }),
      says("b", "two", { model: { provider: "openai", model: "gpt-x" } }),
    ]);
    const [first, second] = [
      log.getByRole("article", { name: "Agent" }).first(),
      log.getByRole("article", { name: "Agent" }).last(),
    ];
    await expect.element(first).toHaveTextContent("Scripted demo · no AI");
    await expect.element(second).toHaveTextContent("gpt-x");
  });

  it("colours code without a style element or raw HTML", async () => {
    await openThread([says("a", "```ts\nconst x = 1;\n```")]);
    await vi.waitFor(() => expect(document.querySelector("pre span[style*='--code-token']")).not.toBeNull());
    await expect.element(log.getByRole("button", { name: "Copy the code" })).toBeVisible();
  });

  it("turns no words, wherever in its message an agent tries to", async () => {
    const turn = (at: string) => `${at} \u202eyb devorppa`;
    const text = [
      turn("plain"),
      `# ${turn("heading")}`,
      `- ${turn("item")}`,
      `> ${turn("quote")}`,
      `| ${turn("head")} |\n|---|\n| ${turn("cell")} |`,
      `**${turn("strong")}** *${turn("slanted")}* [${turn("link")}](https://example.com) \`${turn("code")}\``,
      `\`\`\`\u202ets\n${turn("block")}\n\`\`\``,
      "\u05e9\u05dc\u05d5\u05dd, \u200fplain Hebrew",
    ].join("\n\n");
    await openThread([says("a", text), says("long", turn("long").padEnd(60_001, " word"))]);
    await vi.waitFor(() => expect(document.querySelector("blockquote")).not.toBeNull());
    const bare = [...document.querySelectorAll("main article")].flatMap((article) => {
      const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        if (/[\u202a-\u202e]/.test(node.nodeValue ?? "") && !node.parentElement?.closest("[role=img]"))
          found.push(node.nodeValue ?? "");
      return found;
    });
    expect(bare).toEqual([]);
    const marks = log.getByRole("img", { name: "U+202E right-to-left override" }).elements();
    expect(marks.length).toBeGreaterThanOrEqual(11);
    expect(log.getByRole("img").elements()).toHaveLength(marks.length);
  });

  it("goes on in a fork with other words, and opens it", async () => {
    const host = await openThread([user("m1", "first words"), says("a", "done")], {
      "threads.fork": () => sampleThread("t2", { title: "Forked" }),
    });
    await userEvent.hover(log.getByRole("article", { name: "You" }));
    await page.getByRole("button", { name: "Say it differently" }).click();
    await page.getByRole("textbox", { name: "New words" }).fill("better words");
    await page.getByRole("button", { name: "Fork with these words" }).click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.fork")).toMatchObject([
        { threadId: "t1", messageId: "m1", text: "better words" },
      ]),
    );
    await expect.poll(() => location.hash).toBe("#/thread/t2");
  });

  it("takes a queued message back", async () => {
    const host = await openThread([user("m1", "later", { queued: true, turnId: "next" })], {
      "threads.cancelQueued": () => ({}),
    });
    await page.getByRole("button", { name: "Take back" }).click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.cancelQueued")).toEqual([{ threadId: "t1", messageId: "m1" }]),
    );
  });

  it("stays where the person reads while messages come, and brings them to the end when asked", async () => {
    const host = await openThread(
      Array.from({ length: 60 }, (_, index) => says(`s${index}`, `message ${index}`)),
    );
    await expect.element(log.getByText("message 59")).toBeVisible();
    const scroller = log.element();
    // Until its rows are measured a list may still go to its end by itself.
    await vi.waitFor(() => {
      scroller.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
      scroller.scrollTop = 300;
      expect(page.getByRole("button", { name: "Jump to latest" }).query()).not.toBeNull();
    });
    const before = scroller.scrollTop;
    const data = {
      type: "message.finished" as const,
      itemId: messageIdSchema.parse("new"),
      turnId: turnIdSchema.parse("turn"),
      agentPath: [],
      text: "newest",
      partial: false,
    };
    host.push("threads.watch", {
      kind: "events",
      events: [{ seq: lastPosition() + 1, threadId: sampleThread("t1").id, at: 1, data }],
    });
    await vi.waitFor(() => expect(scroller.scrollHeight).toBeGreaterThan(before));
    expect(scroller.scrollTop).toBe(before);
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect.element(log.getByText("newest")).toBeVisible();
  });
});
