/** Cards of which every word that is said of the call is shown: of a server's tool, an agent in a terminal, one that acts itself. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { armed, openCards, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

describe("a call of a tool that this console does not know", () => {
  const call = (change: Record<string, unknown> = {}) =>
    sampleApproval("m", "", { tool: "mcp__files__remove", subject: { kind: "arguments" }, ...change });

  /** The answer to `approvals.get` is held back until `arrive` is called. */
  function openHeld(hash: string, args: Record<string, unknown>) {
    const arrived = Promise.withResolvers<void>();
    const host = openConsole(
      { threads: [sampleThread("t1", { waiting: 1 })], approvals: [call()] },
      {
        "approvals.get": async () => {
          await arrived.promise;
          return { approval: call(), args };
        },
      },
      hash,
    );
    return { host, arrive: arrived.resolve };
  }

  it("shows its arguments whole beside a conversation too, misleading characters pointed out", async () => {
    const long = `${"a folder/".repeat(300)}end`;
    await page.viewport(1280, 800);
    const { arrive } = openHeld("#/thread/t1", { path: "ex\u0430mple", recursive: true, long });
    arrive();
    const shown = region.getByRole("article", { name: "mcp__files__remove" });
    await expect.element(shown).toHaveTextContent('"recursive": true');
    await expect.element(shown).toHaveTextContent(long);
    await expect.element(shown.getByRole("img", { name: /U\+0430/ })).toBeVisible();
    const code = shown.getByRole("code").first().element();
    expect(code.scrollWidth).toBeLessThanOrEqual(code.parentElement?.clientWidth ?? 0);
    // It is longer than its place beside the conversation: locked until its end was on the screen as well.
    const approve = shown.getByRole("button", { name: "Approve" });
    await expect.element(approve).toHaveAttribute("data-locked");
    // Each press leads to what was not seen yet.
    await vi.waitFor(() => {
      const locked = approve.element().hasAttribute("data-locked");
      if (locked) (approve.element() as HTMLElement).click();
      expect(locked).toBe(false);
    });
  });

  it("cannot be approved by pointer or key before its arguments stand there", async () => {
    const { host, arrive } = openHeld("#/queue", { path: "notes.md" });
    const approve = region.getByRole("button", { name: "Approve" });
    await expect.element(approve).toHaveAttribute("data-locked");
    await userEvent.keyboard("j");
    await armed();
    await userEvent.keyboard("y");
    await expect.element(region).toHaveTextContent("Not all of it was on the screen yet");
    (approve.element() as HTMLElement).click();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    arrive();
    await expect.element(approve).not.toHaveAttribute("aria-disabled");
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ digest: "digest-m" }] }]),
    );
  });
});

describe("what an agent in a terminal asks", () => {
  const ask = (gone: boolean) =>
    sampleApproval("t", "", {
      kind: "terminal",
      tool: "Claude Code: Bash",
      subject: { kind: "terminal", agent: "Claude Code", cwd: "/work", about: "make \u202eall", gone },
      risk: "high",
      allowedDecisions: gone ? ["reject"] : ["approve", "reject"],
    });

  it("is shown with all it said, and with what a yes means there", async () => {
    openCards([ask(false)]);
    const card = region.getByRole("article");
    await expect.element(card.getByText("Claude Code: Bash")).toBeVisible();
    await expect.element(card.getByRole("img", { name: /U\+202E/ }).first()).toBeVisible();
    await expect
      .element(card.getByText(/^Claude Code runs in your terminal and does this by itself/))
      .toBeVisible();
    await expect.element(card.getByRole("button", { name: /^Approve/ })).toBeVisible();
  });

  it("can only be put away when its agent waits no more", async () => {
    const host = openCards([ask(true)]);
    const card = region.getByRole("article");
    await expect.element(card.getByText(/^Nobody waits for this here any more/)).toBeVisible();
    await expect.element(card.getByRole("button", { name: "Put away" })).toBeVisible();
    expect(card.getByRole("button", { name: /Approve|Say why/ }).elements()).toEqual([]);
    await armed();
    await userEvent.keyboard("n");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ decision: { type: "reject" } }]),
    );
  });
});

it("shows every word of an agent that acts itself, beside what a yes to it means, and never as done here", async () => {
  const call = {
    agent: "Codex",
    does: "edit",
    title: "Edit\u202E files",
    input: { cwd: "/w" },
    places: ["/w/a.txt"],
    changes: [
      { path: "/w/a.txt", before: "old\n", after: "new\n" },
      { path: "/home/ada/.profile", before: null, after: "" },
    ],
    notes: ["as you asked"],
    yes: "Yes, proceed",
  };
  const about = { kind: "outer", agent: "Codex", does: "edit", about: "/w/a.txt", blank: false };
  const change = {
    tool: "outer__edit",
    subject: about,
    allowedDecisions: ["approve", "reject"],
    risk: "high",
  };
  openCards([sampleApproval("o", "", change)], undefined, call);
  const card = region.getByRole("article");
  for (const words of [
    "Codex wants to change files",
    '"cwd": "/w"',
    "- old",
    "+ new",
    "What it says would change in /home/ada/.profile",
    "No lines: an empty file.",
    "as you asked",
  ])
    await expect.element(card).toHaveTextContent(words);
  await expect.element(card).toHaveTextContent("A yes answers it, for this once: Yes, proceed");
  await expect
    .element(card)
    .toHaveTextContent("What it does without asking is neither held nor undone here.");
  await expect.element(card.getByRole("img", { name: /U\+202E/ })).toBeVisible();
  expect(card.element().textContent).not.toMatch(/countersigned/i);
});

describe("what a thread of a server asks", () => {
  const server = {
    id: "one",
    name: "Build farm",
    url: "https://farm.example",
    graph: "agent",
    assistant: "a",
    thread: "thread-7",
    checkpoint: "c",
    task: "t",
    interrupt: "i",
    dialect: "javascript" as const,
    among: 2,
  };
  const ask = (standing: NonNullable<Approval["server"]>["standing"]) =>
    sampleApproval("t", "", {
      kind: "batch",
      tool: "pay",
      subject: { kind: "arguments" },
      risk: "high",
      server: { ...server, standing },
      allowedDecisions: standing.kind === "unknown" ? ["reject"] : ["approve", "reject"],
    });

  it("says server, thread, what is decided together and what an answer means", async () => {
    openCards([ask({ kind: "waits" })]);
    const card = region.getByRole("article");
    // It has no folder here, and none is named.
    await expect.element(card.getByTitle("https://farm.example")).toHaveTextContent("Build farm");
    for (const text of [
      "https://farm.example",
      "thread-7",
      "with one rejection none",
      "Its agent acts there",
    ])
      await expect.element(card.getByText(text, { exact: false }).first()).toBeVisible();
  });

  it("says that its server does not answer, and that an answer may have arrived", async () => {
    openCards([ask({ kind: "unseen", since: 0, why: "Nothing answers." })]);
    await expect.element(region.getByText("nothing can be decided until", { exact: false })).toBeVisible();
  });

  it("can only be put away while nobody knows whether the answer arrived", async () => {
    openCards([ask({ kind: "unknown", since: 0 })]);
    const card = region.getByRole("article");
    await expect.element(card.getByText("It is not sent again", { exact: false })).toBeVisible();
    await expect.element(card.getByRole("button", { name: "Put away" })).toBeVisible();
    expect(card.getByRole("button", { name: /Approve|Say why/ }).elements()).toEqual([]);
  });
});
