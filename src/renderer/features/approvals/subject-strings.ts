/** The words of what a card shows: what would be done, what it reaches, whose words it has and why it asks. */
import type { VerdictName } from "../../../shared/contract/decisions.ts";

const verdicts: Record<VerdictName, string> = {
  safe: "read-only",
  covered: "covered by a rule",
  new: "new",
  ask: "asks every time",
  deny: "never runs",
};

const countWords = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const inWords = new Intl.ListFormat("en");
const listLines = (lines: readonly number[]) =>
  `${lines.length === 1 ? "line" : "lines"} ${inWords.format(stretchesOf(lines))}`;

/** Such as "2 to 27" and "29": of lines that follow each other only the first and the last are named. */
function stretchesOf(lines: readonly number[]): string[] {
  const stretches: [number, number][] = [];
  for (const line of lines) {
    const last = stretches.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else stretches.push([line, line]);
  }
  return stretches.flatMap(([first, last]) =>
    last - first > 1 ? [`${first} to ${last}`] : last > first ? [`${first}`, `${last}`] : [`${first}`],
  );
}
const files = (count: number) => (count === 1 ? "1 file" : `${count} files`);

export const subjectStrings = {
  formFields: "Fields of the form",
  reaches: "What it reaches",
  reach: {
    /** @param final the card says already that it cannot be undone, which "git can undo" would deny. */
    deletes: (lost: number, kept: number, more: boolean, final: boolean) => {
      const parts = [
        ...(lost > 0 ? [`deletes ${files(lost)}, cannot be undone`] : []),
        ...(kept > 0 ? [`deletes ${files(kept)}${final ? " that git has" : ", git can undo"}`] : []),
        ...(more ? [lost + kept > 0 ? "perhaps more" : "deletes files, how many is not known"] : []),
      ];
      return parts.join(" · ");
    },
    writes: (created: number, kept: number, lost: number, more: boolean) => {
      const parts = [
        ...(lost > 0 ? [`writes ${files(lost)}, git cannot undo`] : []),
        ...(kept > 0 ? [`writes ${files(kept)}, git can undo`] : []),
        ...(created > 0 ? [created === 1 ? "writes 1 new file" : `writes ${created} new files`] : []),
        ...(more ? [created + kept + lost > 0 ? "perhaps more" : "writes files, which is not known"] : []),
      ];
      return parts.join(" · ");
    },
    leaves: "leaves this machine:",
    leavesSomewhere: "leaves this machine, where to is not known",
    perhapsMore: "and perhaps elsewhere",
    unknownOf: "what else",
    unknownEnd: (count: number) =>
      count === 1 ? "does is not known before it runs" : "do is not known before they run",
    unknown: "what else it does is not known before it runs",
    none: "no file is written or deleted, and nothing leaves this machine",
  },
  notFromYou: "Not from you",
  origins: {
    address: {
      before: "The address",
      cameFrom: "came from",
      unsaid: "is not one that you wrote, and texts of others were read.",
    },
    place: { before: "The place", cameFrom: "came from", unsaid: "is not one that you wrote." },
    content: { before: "The words", cameFrom: "came from", unsaid: "are not yours." },
    unreadable: {
      before: "Nobody can tell what",
      cameFrom: "says: more was read than could be looked through, from",
      unsaid: "says, and texts of others were read.",
    },
    ago: (steps: number, secret: boolean) => {
      const when = steps <= 1 ? "one step ago" : `${countWords[steps] ?? steps} steps ago`;
      return `${secret ? ", which holds secrets," : ""} ${when}, not from you.`;
    },
  },
  agentSays: "The agent says",
  agentSaidMore: (bytes: string) => `${bytes} more in the thread, then:`,
  whyItAsks: "Why it asks",
  /** @param count of those that are not said yet. */
  moreReasons: (count: number) =>
    count <= 0
      ? "Show the reasons in full"
      : count === 1
        ? "Show 1 more reason"
        : `Show ${count} more reasons`,
  fewerReasons: "Show less",
  whyLineAsks: (line: number) => `Why line ${line} asks`,
  besideLines: (lines: readonly number[]) => `Why it asks stands beside ${listLines(lines)} above.`,
  alsoOnLines: (lines: readonly number[]) => `Also ${listLines(lines)}.`,
  moreParts: (count: number) => `and ${count} more`,
  shownOf: (shown: number, all: number, unit: "lines" | "parts") =>
    shown === all ? `All ${all} ${unit}` : `1–${shown} of ${all} ${unit}`,
  showMore: (count: number, unit: "lines" | "parts") => `Show ${count} more ${unit}`,
  missingBytes: (bytes: string) => `${bytes} of it are not shown. What is not shown cannot be approved.`,
  folded: "Its difference is folded away. Press v to see it.",
  diffOf: (path: string) => `Diff of ${path}`,
  stale: "The file changed after this was asked. Look again before you decide.",
  askedAs: "The agent asked for it by a link:",
  lookAgain: "Look again",
  spentSoFar: (dollars: string, limit: string) =>
    `This thread has cost about ${dollars}. Its spending limit is ${limit}.`,
  spentMore: "It has cost more than that: some of its calls have no price.",
  spendOn: (next: string) =>
    `Approve lets it go on until it has cost about ${next}, then it asks again. Reject ends its turn; nothing is lost, and it can be resumed.`,
  unknownOutcome: "Outcome unknown: the app ended while this ran.",
  runAgainMoves: "Running it again moves the file now.",
  runAgainChanges: "To run it again would change this:",
  known: "What is known of its output",
  responseFirst: "Show me the response before the agent reads it",
  responseWaits: "The response comes to you before the agent reads it, as your settings say.",
  broughtBack: (failed: boolean) =>
    `${failed ? "This request failed" : "This request was made"}. What came back is below, to its last character; the agent has not read it. Hand over gives the agent just that. Reject keeps it back, and Answer gives your words in its place. Nothing is fetched again.`,
  refusedBySandbox: (exitCode: number | null) =>
    `It ran confined and failed${exitCode === null ? "" : ` with exit code ${exitCode}`}. These lines, which the command itself wrote, look as if the sandbox refused it something:`,
  madeConfined:
    "While it ran confined this command newly made what steers agents or other programs. It was moved aside, so nothing obeys it:",
  notAllShown:
    "This is not all of it: there is more than fits, or what is no text. To take it in, look at it in its folder and rename it by hand.",
  madeBy: "Made by",
  wouldRun: "Would run as a program",
  saysNothing: "Nothing stands in it.",
  firstRunChanged: (count: number, whole: boolean, areNamed: boolean) =>
    count === 0
      ? whole
        ? "The first run changed no files."
        : "Which files the first run changed is not known."
      : `The first run changed ${whole ? "" : "at least "}${files(count)}${areNamed ? ":" : "."}`,
  runSecondTime:
    "A yes runs it a second time, as said below. What the first run changed stays, and the second may do it again; the changed files of the thread have both.",
  noOutput: "No output was recorded.",
  tooLarge: "This file is too large to show as a diff, or is not text.",
  reading: "Reading the arguments…",
  noDetail: "The details could not be read.",
  readBy: (shell: string) => `, read by ${shell}`,
  verdicts,
  operations: { write: "Write", edit: "Edit", delete: "Delete", move: "Move", read: "Read" },
  movedTo: "to",
  moveKeeps: "Nothing is there yet, and the file stays as it is.",
  call: "Call",
  /** Of a thread of a remote server. */
  server: {
    from: "Asked on",
    graph: "graph",
    thread: "thread",
    together: (count: number) =>
      `It asks about ${count} actions together: nothing is sent before each has its decision.`,
    togetherOrNone: (count: number) =>
      `It asks about ${count} actions together: nothing is sent before each has its decision, and with one rejection none of them may run.`,
    promise:
      "Its agent acts there. Your answer is sent once, after a look that shows this very question. What comes of it is the server's own, which may do more than was shown or do it twice.",
    unseen: (name: string, at: string, why: string) =>
      `${name} gives no answer that counts since ${at}: ${why} What stands here is as of before, and nothing can be decided until it answers.`,
    unknown: (name: string, at: string) =>
      `Your answer of ${at} was on its way to ${name}, and nobody knows whether it arrived. It is not sent again; what became of it is looked up when the server answers.`,
  },
  /** Of an agent that acts itself. */
  outer: {
    does: {
      read: "wants to read",
      edit: "wants to change files",
      delete: "wants to delete",
      move: "wants to move files",
      search: "wants to search",
      execute: "wants to run a command",
      think: "asks about a thought",
      fetch: "wants to fetch",
      switch_mode: "wants to change its mode",
      other: "asks",
    },
    blank: "It does not say what it would do. There is nothing to judge this by.",
    title: "Its title for it",
    input: "What it calls with",
    places: "Files it names",
    change: (path: string) => `What it says would change in ${path}`,
    nothingIn: "No lines: an empty file.",
    notes: "What it adds",
    yes: "A yes answers it, for this once:",
    noYes: "It offers no answer that surely means yes for this once, so this can only be rejected.",
  },
};
