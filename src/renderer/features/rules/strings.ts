/** The words about the person's rules. */
import type { Rule } from "../../../shared/contract/rules.ts";

const effects: Record<Rule["effect"], string> = {
  allow: "Runs without asking",
  ask: "Always asks",
  deny: "Never runs",
};

const scopes: Record<Rule["scope"], string> = {
  user: "Everywhere",
  workspace: "In one folder",
  thread: "In one thread",
};

export const strings = {
  extent: "Covers",
  extents: { prefix: "Commands that begin like this", exact: "Exactly this command" },
  asWritten: "Only as written",
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
  scopes,
  scopesOfAll: { user: scopes.user, workspace: scopes.workspace },
  scopesOfCard: { thread: "In this thread", workspace: "In this folder", user: scopes.user },
  targets: { command: "Command", file: "File" },

  make: "Make a rule…",
  makeTitle: "Make a rule",
  makeText:
    "Whole words: npm test covers npm test --watch, and not npm test-evil. What stands for exactly one command covers nothing else.",
  effect: "Effect",
  scope: "Where it holds",
  target: "What it is about",
  folder: "Folder",
  commandText: "Command, from its first word on",
  commandHint: "npm test",
  fileText: "Files",
  fileHint: "docs/**",
  noProposal: (why: string) => `None is proposed. ${why}`,
  always: "Approve, and from now on",
  alwaysText:
    "The waiting request is approved by you. From then on the rule answers requests like it, and you are not asked.",
  save: "Save rule",
  saveAndApprove: "Approve and save rule",
  saved: "The rule is in force.",
  unread: "Look at the rule to its end.",
  previewing: "Looking at past commands…",
  would: (approve: number, rejected: number) =>
    approve === 0
      ? "Would have approved nothing you decided so far."
      : rejected === 0
        ? `Would have approved ${approve}, none of which you rejected.`
        : `Would have approved ${approve}, ${rejected} of which you rejected.`,
  rejectedOnes: (shown: number, all: number) =>
    shown < all ? `The newest ${shown} that you rejected:` : "You rejected:",
  others: "Of the others, the newest:",
  waiting: "Waiting requests like it",
  waits: (count: number) =>
    count === 1
      ? "A saved rule decides nothing that waits. This request is like it, and waits until you decide it:"
      : `A saved rule decides nothing that waits. These ${count} requests are like it, and wait until you decide them:`,
  moreWait: (count: number) => `… and ${count} more.`,
  previewFailed: "What it would have decided could not be found out.",

  suggested: "Rules that would have answered you",
  suggestedText: (answered: number, of: number) =>
    `Together they would have answered ${answered} of your last ${of} decisions about commands, and none that you did not approve.`,
  answered: (count: number) => `${count} approvals`,
  look: "Look…",
  lookAt: (text: string) => `Look at the rule ${text}`,
  never: "Never offer this",
  neverSuggest: (text: string) => `Never offer the rule ${text}`,

  unused: "Rules that answered nothing",
  unusedText: (count: number, days: number) =>
    count === 1
      ? `This rule lets commands run and answered nothing in ${days} days. Without it such a command asks again.`
      : `These ${count} rules let commands run and answered nothing in ${days} days. Without them such commands ask again.`,
  unusedRemove: (count: number) => (count === 1 ? "Remove it…" : `Remove these ${count}…`),
  unusedTitle: (count: number) => (count === 1 ? "Remove this rule?" : `Remove ${count} rules?`),
  unusedGone: (count: number) => (count === 1 ? "Remove rule" : `Remove ${count} rules`),
  unusedStay: "One that answers something before you press stays.",
  unreadList: "Look at the list to its end.",

  remove: (text: string) => `Remove the rule ${text}`,
  removeTitle: "Remove this rule?",
  removeText: "From now on it decides nothing. What it decided stays in the record.",
  removeGo: "Remove rule",
};
