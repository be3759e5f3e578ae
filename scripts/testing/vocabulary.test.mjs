/** The page has one word for each thing: a person approves, rejects, edits or answers, and what is left to them waits. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const renderer = join(import.meta.dirname, "../../src/renderer");

/** Said in other ways before; a rule "denies" and "allows", which are the words of its file. */
const others = /\b(?:let (?:it|them|all|this)? ?(?:run|through)|pending|first time|your words stand)\b/i;

/** A system has words of its own for what its settings let a program do. */
const ofRules = /\b(?:allow(?:s|ed)?|den(?:y|ies|ied)|respond(?:s|ed)?)\b(?! them in its settings)/i;

it("no sentence says in another word what has its own", () => {
  const files = globSync("**/*strings.ts", { cwd: renderer });
  expect(files.length).toBeGreaterThan(10);
  const said = files.flatMap((file) =>
    [...readFileSync(join(renderer, file), "utf8").matchAll(/"[^"\n]*"|`[^`\n]*`/g)].map(
      ([words]) => `${file}: ${words}`,
    ),
  );
  expect(said.filter((words) => others.test(words))).toEqual([]);
  const elsewhere = said.filter((words) => !words.startsWith("features/rules/"));
  expect(elsewhere.filter((words) => ofRules.test(words))).toEqual([]);
});

/** What needs the person: how many wait and where, the current one, how much of it was read, and the button that signs it. */
const inInk = [
  "app/rail.tsx",
  "features/approvals/approval-card.tsx",
  "features/approvals/card-pane.tsx",
  "features/approvals/line-frame.tsx",
  "features/approvals/queue-note.tsx",
  "features/approvals/queue-region.tsx",
  "features/approvals/thread-requests.tsx",
  "features/conversation/tool-card/tool-state.tsx",
  "features/side/agents-section.tsx",
  "features/strip/mission-strip.tsx",
  "features/threads/overview-row.tsx",
  "features/threads/thread-row.tsx",
  "features/threads/thread-shape.tsx",
  "ui/badge.tsx",
  "ui/button.tsx",
];

it("the accent is for what needs the person, and for nothing else", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: renderer }).filter((file) => !file.includes(".test."));
  const using = files.filter((file) =>
    /--accent|(?:bg|text|border)-accent|tone="accent"/.test(readFileSync(join(renderer, file), "utf8")),
  );
  expect(using.sort()).toEqual(inInk);
});
