/** Whatever stands in a card, it stays in its place: it runs out of nothing, over nothing, and looks like no word of the console. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import {
  asOwnWords,
  bareLinesIn,
  brokenLabelsIn,
  collisionsIn,
  coveredIn,
  outOf,
} from "../../testing/card-geometry.ts";
import { hostileTexts } from "../../testing/hostile-texts.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { makeCurrent } from "./queue-store.ts";

/** What may be wrong in a card, and how it is found. */
const problems: Record<string, (card: Element, text: string) => string[]> = {
  "runs out": outOf,
  collides: collisionsIn,
  "is covered": coveredIn,
  "comes apart": brokenLabelsIn,
  "stands in no frame": bareLinesIn,
  "passes for the console's own": (card, text) => asOwnWords(card, text.slice(0, 12)),
};

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-approval]")];

/** A card of each kind with the text wherever others choose the words. */
function hostileCards(text: string): { approval: Approval; detail?: Omit<ApprovalDetail, "approval"> }[] {
  const around = {
    threadTitle: text,
    workspace: `/home/ada/${text}`,
    agentPath: [text],
    description: text,
    said: { text: text.slice(0, 480), leftOut: 3_000 },
    verdict: {
      verdict: "ask",
      units: [
        { text, verdict: "ask", reason: text, rule: text },
        { text: `${text} 2`, verdict: "new", reason: "No rule covers it yet.", class: "leaves" },
      ],
    },
    risk: "high",
  };
  const file = { kind: "file", operation: "edit", path: text, added: 1, removed: 1, stale: true };
  return [
    {
      approval: sampleApproval("c", text, {
        subject: { kind: "command", command: text, cwd: text },
        ...around,
        origins: [
          { argument: "command", start: 0, end: text.length, what: "address", text, from: text, steps: 2 },
          {
            argument: "command",
            start: 0,
            end: 1,
            what: "content",
            text: text.slice(0, 1),
            from: text,
            secret: true,
          },
          { argument: "x", start: 0, end: 1, what: "unreadable", text: `${text} 2` },
        ],
      }),
    },
    {
      approval: sampleApproval("f", "", { tool: "edit_file", subject: file, ...around }),
      detail: { args: {}, diff: { path: text, before: `a ${text}`, after: `b ${text}`, tooLarge: false } },
    },
    {
      approval: sampleApproval("q", "", {
        kind: "interrupt",
        subject: {
          kind: "question",
          question: text,
          wants: "text",
          choices: [{ answer: text.slice(0, 200), about: text.slice(0, 500) }, { answer: "no" }],
        },
        allowedDecisions: ["respond", "reject"],
        ...around,
      }),
    },
    {
      approval: sampleApproval("m", "", { tool: `mcp__${text}`, subject: { kind: "arguments" }, ...around }),
      detail: { args: { [text.slice(0, 500)]: text } },
    },
  ];
}

/** The same with the cards that others come by more rarely: a move through links, and what other programs ask. */
function rarerCards(text: string): ReturnType<typeof hostileCards> {
  const around = { threadTitle: text, workspace: `/home/ada/${text}`, agentPath: [text], description: text };
  const change = { operation: "move", path: text, movedTo: text, added: 3, removed: 0 };
  const executionId = "e1";
  const server = {
    ...{ id: "s", name: text, url: `https://a.example/${text}`, graph: text, assistant: text, thread: text },
    ...{
      checkpoint: null,
      task: text,
      interrupt: text,
      dialect: "javascript",
      among: 3,
      limit: text,
      note: text,
    },
    standing: { kind: "unseen", since: 0, why: text },
  };
  const subjects: Record<string, object> = {
    v: { ...change, kind: "file", askedAs: `a ${text}`, movedToAskedAs: `b ${text}`, stale: false },
    w: { kind: "file", operation: "write", path: text, askedAs: text, added: 1, removed: 0, stale: false },
    u: { kind: "url", url: `https://a.example/${text}` },
    e: { kind: "escalation", command: text, refused: [text], exitCode: 1, output: text, executionId },
    f: { kind: "response", request: text, text, failed: true, executionId },
    r: { kind: "recovery", what: text, startedAt: 0, output: text, executionId, change },
    o: { kind: "outer", agent: text, does: "execute", about: text, blank: false },
    t: { kind: "terminal", agent: "Codex", cwd: text, about: text, gone: true },
    s: { kind: "arguments" },
  };
  const diff = { path: text, before: null, after: `\0a\r\n${text}\rb` };
  const outer = { agent: text, does: "execute", yes: text };
  return Object.entries(subjects).map(([id, subject]) => ({
    approval: sampleApproval(id, "", {
      ...{ tool: `mcp__${text}`, subject, ...around },
      ...(id === "s" && { server }),
    }),
    detail: {
      args:
        id === "o"
          ? { ...outer, title: text, places: [text], changes: [{ ...diff }], notes: [text] }
          : { a: text },
      ...(id === "w" && { diff: { ...diff, tooLarge: false } }),
    },
  }));
}

function open(text: string, hash: string, cards = hostileCards(text)) {
  return openConsole(
    {
      threads: [sampleThread("t1", { waiting: cards.length, title: text })],
      approvals: cards.map((one) => one.approval),
    },
    {
      "approvals.get": ({ id }) => {
        const card = cards.find((one) => one.approval.id === id);
        if (!card) throw new Error("It is gone.");
        return { args: {}, ...card.detail, approval: card.approval };
      },
    },
    hash,
  );
}

/** So tall a window that all cards are drawn at once. */
const tall = 7_000;
const kinds = 4;

/** What can stand in one text, since each of them is looked for by itself. */
const texts = {
  "what turns, hides, piles up or escapes": [
    hostileTexts["turning text"],
    hostileTexts["text of no width"],
    hostileTexts["towers of marks"],
    hostileTexts["escapes of a terminal"],
  ].join(" "),
  "one very long word": hostileTexts["one very long word"],
  "lines and line ends":
    hostileTexts["thirteen lines"].split("\n").slice(-3).join("\n") + hostileTexts["many line ends"],
  "other scripts, pictures and markup": [
    hostileTexts["another alphabet"],
    hostileTexts["joined pictures"],
    hostileTexts["a page of its own"],
  ].join(" "),
  "words of the console": hostileTexts["words of the console"],
};

/** Once the layout is at rest. */
function expectInPlace(text: string): void {
  const found = cards().flatMap((card) =>
    Object.entries(problems).flatMap(([name, problemsIn]) =>
      problemsIn(card, text).map((problem) => `${name} in ${card.dataset.approval}: ${problem}`),
    ),
  );
  expect(found.slice(0, 8)).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
}

const isLoaded = () => document.querySelector("[data-unread].h-16") === null;

/** Looks at the cards one after the other, where one stands beside the rows or alone. */
async function expectEachInPlace(text: string, width: number, cardsOf = hostileCards): Promise<void> {
  await page.viewport(width, tall);
  open(text, "#/queue", cardsOf(text));
  for (const { approval } of cardsOf(text)) {
    await vi.waitFor(() => expect(cards()).toHaveLength(1));
    makeCurrent(approval.id);
    await vi.waitFor(() =>
      expect([cards().map((card) => card.dataset.approval), isLoaded()]).toEqual([[approval.id], true]),
    );
    await document.fonts.ready;
    await vi.waitFor(() => expectInPlace(text));
  }
}

it.each(Object.entries(texts))("%s stays in its place in a narrow window", (_, text) =>
  expectEachInPlace(text, 480),
);

it.each(["what turns, hides, piles up or escapes", "words of the console"] as const)(
  "%s stays in its place on the rarer cards too",
  (name) => expectEachInPlace(texts[name], 480, rarerCards),
);

it("words of the console stay in their place in a wide window", () =>
  expectEachInPlace(texts["words of the console"], 1024));

it("words of the console stay in their place in the column beside another view", async () => {
  await page.viewport(1280, tall);
  open(texts["words of the console"], "#/settings");
  await vi.waitFor(() => expect([cards().length, isLoaded()]).toEqual([kinds, true]));
  await document.fonts.ready;
  await vi.waitFor(() => expectInPlace(texts["words of the console"]));
});

it("a pile of marks says once what they are and then only which", async () => {
  await page.viewport(1280, tall);
  open(`Z${"\u0301\u0302".repeat(12)}`, "#/settings");
  await vi.waitFor(() => expect(cards()).toHaveLength(kinds));
  const labels = [
    ...document.querySelectorAll<HTMLElement>("[data-approval=c] [data-piece^='0-'] [role=img]"),
  ];
  const [first, ...rest] = labels.map((label) => getComputedStyle(label, "::after").content);
  expect(first).toContain("mark over other characters");
  expect(rest.length).toBeGreaterThan(15);
  expect(new Set(rest)).toEqual(new Set(['"U+0301"', '"U+0302"']));
  expect(labels.every((label) => label.ariaLabel?.includes("mark over"))).toBe(true);
});
