/** Whatever others called it, a dialog that deletes or decides says with its own words alone what it is about to do. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { agentSchema } from "../../shared/contract/agents.ts";
import { outerAgentSchema } from "../../shared/contract/outer-agents.ts";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import { ruleIdSchema } from "../../shared/ids.ts";
import {
  asOwnWords,
  bareHiddenIn,
  brokenLabelsIn,
  collisionsIn,
  outOf,
  unquotedInTitle,
} from "../testing/card-geometry.ts";
import { dialogFaults } from "../testing/dialog-faults.ts";
import { hostileTexts } from "../testing/hostile-texts.ts";
import { openConsole } from "../testing/open-console.ts";
import { lastPosition, sampleApproval, sampleItem, sampleThread } from "../testing/samples.ts";

const short = 80;
const more = (text: string) => async () => {
  const row = await vi.waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>("button")].find(
      (one) => one.getAttribute("aria-label")?.startsWith(text) || one.textContent?.startsWith(text),
    );
    if (!found) throw new Error(`There is no button ${text}.`);
    return found;
  });
  row.click();
};

async function ofThread(title: string, entry: string): Promise<void> {
  openConsole({ threads: [sampleThread("t1", { title })], approvals: [] }, {}, "#/threads");
  await more("More for")();
  await page.getByRole("menuitem", { name: entry }).click();
}

const worktree = { state: "own", origin: "/home/ada/shop", branch: "b", ahead: 1 } as const;

async function openThread(
  text: string,
  answers: Record<string, unknown>,
  ...items: TranscriptItem[]
): Promise<void> {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done", title: text, worktree })], approvals: [] },
    { "drafts.get": () => ({ text: "", pasted: [] }), "drafts.set": () => ({}), ...answers },
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items, hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(page.getByRole("textbox", { name: "Message" })).toHaveFocus();
}

function openHome(text: string): Record<string, unknown> {
  const way = { files: 1, forward: false };
  const why = { why: "in-the-way", names: [text], namesCount: 1 };
  const file = { path: text, state: "changed", modeChanged: false, committed: false };
  return {
    "home.preview": () => ({
      ...{ branch: text, target: text, folder: `/home/${text}`, ahead: 1, behind: 2 },
      ...{ files: [file, { ...file, path: `${text}2` }], filesCount: 2, uncommitted: 1, message: text },
      ways: { merge: why, rebase: way, patch: way, keep: way },
      ...{ conflicts: [], pullRequest: { why: "uncommitted" }, digest: "seen" },
    }),
  };
}

const agents = {
  "agents.list": () => ({ agents: [], tools: [], problems: [] }),
  "mcp.list": () => ({ servers: [], problems: [] }),
  "models.providers": () => ({
    providers: [],
    defaultModel: { provider: "demo" as const, model: "scripted" },
  }),
};
const removed = (text: string) => ({ id: "x", name: text.slice(0, short).trim() });

/** How each of them is opened with the text wherever others choose words. */
const dialogs: Record<string, (text: string) => Promise<void>> = {
  "delete a thread": (text) => ofThread(text, "Delete…"),
  "save a thread as a file": (text) => ofThread(text, "Save as a file…"),
  "take less of the disk": (text) => ofThread(text, "Disk space…"),
  "remove an agent": async (text) => {
    const agent = agentSchema.parse({ ...removed(text), builtIn: false, prompt: text });
    openConsole(
      { threads: [], approvals: [] },
      { ...agents, "agents.list": () => ({ agents: [agent], tools: [], problems: [] }) },
      "#/agents",
    );
    await more("Remove ")();
  },
  "remove an agent of another program": async (text) => {
    const agent = outerAgentSchema.parse({ ...removed(text), command: "/usr/bin/x", args: ["--acp"] });
    openConsole(
      { threads: [], approvals: [] },
      { ...agents, "outerAgents.list": () => ({ agents: [agent], problems: [], offers: {} }) },
      "#/agents/others",
    );
    await more("Remove ")();
  },
  "export an agent": async (text) => {
    const agent = agentSchema.parse({ ...removed(text), builtIn: false, prompt: text });
    openConsole(
      { threads: [], approvals: [] },
      {
        ...agents,
        "agents.list": () => ({ agents: [agent], tools: [], problems: [] }),
        "agents.project": () => ({ lost: [text] }),
      },
      "#/agents",
    );
    await more("Export ")();
    // It names what is lost after it was asked, and not with its title.
    await expect.element(page.getByRole("dialog").getByRole("listitem")).toBeVisible();
  },
  "bring a worktree home": async (text) => {
    await openThread(text, openHome(text));
    await userEvent.keyboard("{Escape}{Shift>}H{/Shift}");
    await expect.element(page.getByRole("dialog").getByText("not committed").first()).toBeVisible();
  },
  "undo what a thread did": async (text) => {
    const said = { text: "do it", turnId: "turn1", attachments: [], queued: false, cancelled: false };
    const back = [{ path: text, how: "content" }];
    const stays = [{ path: `${text}2`, why: "changed-since" }];
    await openThread(
      text,
      {
        "undo.preview": () => ({
          ...{ back, backCount: 1, stays, staysCount: 1, partlyKnown: 1 },
          ...{ conversation: { why: "not-able" }, digest: "seen" },
        }),
      },
      sampleItem("m1", "userMessage", said),
    );
    await userEvent.keyboard("{Escape}u");
    await vi.waitFor(() => expect(document.activeElement?.closest("[data-item=m1]")).not.toBeNull());
    await userEvent.keyboard("{Shift>}Z{/Shift}");
  },
  "approve and make a rule": async (text) => {
    const approval = sampleApproval("a1", text, { threadTitle: text, workspace: `/home/ada/${text}` });
    openConsole(
      { threads: [sampleThread("t1", { waiting: 1, title: text })], approvals: [approval] },
      { "approvals.get": () => ({ approval, args: {}, proposal: { rule: text, exact: true } }) },
    );
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Make a rule…" }).click();
    await vi.waitFor(() =>
      expect(document.querySelector("[role=dialog] textarea")).toHaveProperty(
        "value",
        expect.stringContaining(text.slice(0, 3)),
      ),
    );
  },
  "decide many at once": async (text) => {
    const about = { threadTitle: text, workspace: `/home/ada/${text}`, agentPath: [text], description: text };
    const approvals = [1, 2].map((at) =>
      sampleApproval(`a${at}`, `${text} ${at}`, { ...about, requestedAt: at, shape: "x *" }),
    );
    openConsole({ threads: [sampleThread("t1", { waiting: 2, title: text })], approvals }, {});
    await expect.element(page.getByRole("article").first()).toBeVisible();
    await userEvent.keyboard("{Shift>}JJ{/Shift}");
    await userEvent.keyboard("{Shift>}Y{/Shift}");
  },
  "approve by itself what waits": async (text) => {
    const approvals = [1, 2].map((at) => sampleApproval(`a${at}`, `${text} ${at}`, { agentPath: [text] }));
    openConsole(
      { threads: [sampleThread("t1", { waiting: 2, title: text })], approvals },
      {
        "threads.previewAutoApprove": () => ({
          passes: [{ id: approvals[0]!.id, digest: approvals[0]!.digest }],
          stays: [{ id: approvals[1]!.id, why: text }],
        }),
      },
    );
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Auto-approve this thread…" }).click();
    await expect.element(page.getByRole("region", { name: "1 goes on waiting for you" })).toBeVisible();
  },
  "remove a rule": async (text) => {
    const id = ruleIdSchema.parse("r1");
    const rule = { id, text, effect: "allow", scope: "user", target: "command" } as const;
    openConsole(
      { threads: [], approvals: [] },
      {
        "rules.list": () => ({ rules: [rule], file: "/home/ada/rules.json", problems: [] }),
        "workspaces.list": () => ({ workspaces: [], home: "/home/ada" }),
      },
      "#/settings/rules",
    );
    await more("Remove the rule")();
  },
  "trust a folder": async (text) => {
    const folder = { path: `/home/ada/${text}`, name: text, trusted: false, lastUsedAt: 1 };
    const diff = { path: text, before: null, after: `${text}\n`, tooLarge: false };
    openConsole(
      { threads: [], approvals: [] },
      {
        "workspaces.list": () => ({ workspaces: [folder], home: "/home/ada" }),
        "workspaces.review": () => ({ digest: "d", files: [diff], tooMuch: text }),
      },
      "#/settings/workspaces",
    );
    await page.getByRole("searchbox", { name: "Search settings" }).fill("folders");
    await page
      .getByRole("switch", { name: /^Trust/ })
      .last()
      .click();
  },
};

const texts = {
  "speaks as the console, turns, hides and piles up": [
    'Old"? Cancel keeps it. Approved by you "',
    hostileTexts["turning text"],
    hostileTexts["text of no width"],
    hostileTexts["a page of its own"],
    hostileTexts["words of the console"],
    hostileTexts["many line ends"],
  ].join(" "),
  "is one word of many bytes": `数${"x".repeat(1_500)}${"据".repeat(1_000)}`,
};

const problems: Record<string, (dialog: Element, text: string) => string[]> = {
  "has a title that others end": unquotedInTitle,
  "runs out": outOf,
  collides: collisionsIn,
  "comes apart": brokenLabelsIn,
  "draws a hidden character": bareHiddenIn,
  "passes words of others for the console's own": (dialog, text) => asOwnWords(dialog, text.slice(0, 12)),
  "does not fit": dialogFaults,
};

it.each(Object.keys(dialogs).flatMap((name) => Object.keys(texts).map((text) => [name, text] as const)))(
  "the question to %s stays its own where a name %s",
  async (name, which) => {
    await page.viewport(320, 640);
    const text = texts[which as keyof typeof texts];
    await dialogs[name]!(text);
    await expect.element(page.getByRole("dialog")).toBeVisible();
    const dialog = () => page.getByRole("dialog").element();
    await vi.waitFor(() => expect(dialog().textContent).toContain(text.slice(0, 3)));
    await document.fonts.ready;
    // Boxes that scroll know it a frame after they were drawn.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    const find = () =>
      Object.entries(problems).flatMap(([problem, findIn]) =>
        findIn(dialog(), text).map((where) => `${problem}: ${where}`),
      );
    // A busy machine may draw the dialog at its last size later than that.
    await vi.waitFor(() => expect(find().slice(0, 6)).toEqual([]));
  },
);
