/** Names, paths and reasons that others may have chosen are drawn by `ForeignText` or `ExactText`, in every view. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const renderer = join(import.meta.dirname, "../../renderer");
/** A value put into the page as it is: alone in a line, or right behind a tag. */
const drawn =
  /(?:^\s*|>)\{((?:\w+\??\.)*(?:name|title|path|command|branch|description|problem|folder|workspace|url|reason))\}/gm;

/** These hold words of the console itself, or are drawn by what they are handed. */
const own = new Set([
  "features/agents/agent-form.tsx title",
  "features/agents/server-test.tsx words.problem",
  "features/auto-approve/auto-approve-dialog.tsx title",
  "features/conversation/header/cost-words.tsx name",
  "features/first-run/task-step.tsx title",
  "features/models/models-panel.tsx title",
  "features/settings/about-panel.tsx name",
  "features/settings/fatigue-setting.tsx name",
  "features/settings/uncovered-setting.tsx title",
  "features/side/section.tsx title",
  "features/threads/folder-chooser.tsx title",
  "features/threads/storage-dialog.tsx name",
  "ui/empty-state.tsx title",
  "ui/error-state.tsx title",
  "ui/problem-list.tsx title",
  "features/agents/agents-view.tsx strings.title",
  "features/approvals/queue-region.tsx title",
  "features/first-run/first-steps.tsx strings.title",
  "features/first-run/step-heading.tsx title",
  "features/home/home-ways.tsx name",
  "features/palette/palette.tsx strings.title",
  "features/settings/settings-view.tsx strings.title",
  "ui/dialog.tsx description",
  "ui/toast.tsx toast.title",
]);

it("draws no name, path or reason bare, where it could turn, break or end a sentence of the console", () => {
  const bare = readdirSync(renderer, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx") && !file.includes(".test."))
    .flatMap((file) => {
      const found = readFileSync(join(renderer, file), "utf8").matchAll(drawn);
      const name = relative(renderer, join(renderer, file)).replaceAll("\\", "/");
      return [...found].map(([, expression]) => `${name} ${expression}`);
    });
  expect(bare.filter((place) => !own.has(place))).toEqual([]);
  expect([...own].filter((place) => !bare.includes(place))).toEqual([]);
});
