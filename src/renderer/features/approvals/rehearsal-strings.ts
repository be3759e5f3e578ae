/** The words about rehearsing a command. */
import type { RehearsedChange } from "../../../shared/contract/subjects.ts";

const verbs: Record<RehearsedChange["what"], string> = {
  makes: "makes",
  changes: "changes",
  permissions: "changes the permissions of",
  deletes: "deletes",
};

export const rehearsalStrings = {
  rehearse: "Rehearse",
  rehearsing: "Rehearsing…",
  key: "Rehearse the command",
  forget: "Run it for real instead",
  notHere: "This is no command that can be rehearsed here.",
  failed: "It could not be rehearsed",
  cannot: (why: string) => `It cannot be rehearsed. ${why}`,
  found: (exitCode: number) =>
    `Rehearsed: it ended with exit code ${exitCode}, and nothing of it is in the folder yet. Approve puts exactly these changes there and runs nothing; if one of these files changes before that, nothing is done.`,
  changes: (count: number) =>
    count === 0
      ? "It would change no files."
      : `It would change ${count === 1 ? "1 place" : `${count} places`}:`,
  change: (what: RehearsedChange["what"], folder: boolean) => `${verbs[what]}${folder ? " the folder" : ""}`,
  showDiff: "Show the difference",
  hideDiff: "Hide the difference",
  noDiff: "Its difference cannot be shown: the file is no text now, or another than was rehearsed on.",
  diffFailed: "Its difference could not be read",
  reached:
    "It tried to reach what a rehearsal does not give it, such as the network; these lines of its output look so:",
  printed: "What it printed:",
  printedNothing: "It printed nothing.",
};
