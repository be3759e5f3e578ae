/** The words about the person's rules. */
import type { Rule } from "../../../shared/contract/approvals.ts";

const effects: Record<Rule["effect"], string> = {
  allow: "Runs without asking",
  ask: "Always asks",
  deny: "Never runs",
};

export const strings = {
  extent: "Covers",
  extents: { prefix: "Commands that begin like this", exact: "Exactly this command" },
  hint: "Deny beats ask beats allow, whatever the scope. A rule covers whole words: npm test does not cover npm test-evil, nor npm test; rm x.",
  file: (path: string) => `They stand in ${path}`,
  list: "Your rules",
  loading: "Reading the rules…",
  loadFailed: "The rules could not be read.",
  emptyTitle: "No rules yet",
  emptyText: "Make one here or from a waiting command. Until then everything new asks.",
  problemsTitle: (count: number) =>
    count === 1
      ? "1 entry of the rules file is refused; the rest holds."
      : `${count} entries of the rules file are refused; the rest hold.`,
  at: (line: number, column: number) => `Line ${line}, column ${column}`,
  effects,
  effectShort: { allow: "allow", ask: "ask", deny: "deny" },
  scopes: { user: "Everywhere", workspace: "In one folder", thread: "In one thread" },
  targets: { command: "Command", file: "File" },

  add: "Add a rule…",
  addTitle: "Add a rule",
  addText: "See what it would have decided before it holds.",
  effect: "Effect",
  scope: "Where it holds",
  target: "What it is about",
  folder: "Folder",
  commandText: "Command, from its first word on",
  commandHint: "npm test",
  fileText: "Files",
  fileHint: "docs/**",
  save: "Add",
  added: "The rule holds.",
  cancel: "Cancel",
  previewing: "Looking at past commands…",
  would: (approve: number, rejected: number) =>
    approve === 0
      ? "Would have approved nothing you decided so far."
      : rejected === 0
        ? `Would have approved ${approve}, none of which you rejected.`
        : `Would have approved ${approve}, ${rejected} of which you rejected.`,
  previewFailed: "What it would have decided could not be found out.",

  remove: (text: string) => `Remove the rule ${text}`,
  removeTitle: "Remove this rule?",
  removeText: "From now on it decides nothing. What it decided stays in the record.",
  removeGo: "Remove rule",
  failed: "That did not work",
};
