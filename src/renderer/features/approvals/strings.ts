/** The words of the approval queue. */
import type { VerdictClass, VerdictName } from "../../../shared/contract/decisions.ts";
import { formatClock } from "../../base/words.ts";

const verdicts: Record<VerdictName, string> = {
  safe: "read-only",
  covered: "covered by a rule",
  new: "new",
  ask: "asks every time",
  deny: "never runs",
};

const classes: Record<VerdictClass, string> = {
  leaves: "Leaves this machine",
  final: "Cannot be undone",
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

export const strings = {
  region: "Approvals",
  rowsWidth: "Width of the rows",
  decisionsOf: "Decisions",
  reaches: "What it reaches",
  reach: {
    deletes: (lost: number, kept: number, more: boolean) => {
      const parts = [
        ...(lost > 0 ? [`deletes ${files(lost)}, cannot be undone`] : []),
        ...(kept > 0 ? [`deletes ${files(kept)}, git can undo`] : []),
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
  },
  offer: {
    name: "A rule for it",
    before: (count: number) => `You decided ${count} like it and rejected none. A rule`,
    after: " could answer them from now on.",
    take: "Look at it…",
    decline: "Never offer this",
    stays: "That could not be kept",
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
  approve: "Approve",
  reject: "Reject",
  edit: "Edit",
  respond: "Answer",
  respondInWords: "Answer in its place…",
  more: "More",
  rejectWithReason: "Reject with a reason…",
  sayWhy: "Say why",
  reason: "Reason",
  reasonHint: "What should the agent know? (optional)",
  command: "Command",
  argumentsJson: "Arguments (JSON)",
  answer: "Answer",
  answerHint: "The agent gets this as the answer.",
  otherAnswerHint: "Or write another answer. The agent gets it as it stands.",
  choices: "Answers it offers",
  answerJsonHint: "JSON, because the agent asked for it.",
  notJson: (problem: string) => `This is not JSON: ${problem}`,
  notInSchema: (problem: string) => `The tool does not take this: ${problem}`,
  nothingToSend: "Write an answer first.",
  editNote: "Approve runs what stands here. It is checked again and recorded as changed by you.",
  pressAgain: "High risk. Press Approve once more.",
  /** What a press says that decides nothing yet. */
  notes: {
    gone: "That card does not wait any more.",
    busy: "Your decision on it is on its way.",
    beside: "Your keys act on this card now. Look at it, then press again.",
    notAllowed: "This card does not take that decision.",
    changed: "It changed just now. Look at it, then press again.",
    stale: "The file changed after this was asked. Look again before you decide.",
    offScreen: "The keys act on this card, and it was not in view. Look at it, then press again.",
    noRoom: "There is no room to show what you decide. Make the window taller, then press again.",
    unread: "Not all of it was on the screen yet. Look at it to its end, then press again.",
    moved: "It moved under the pointer just now. Look at it, then press again.",
    arming: "It came up just now. Look at it, then press again.",
    typing: "You were typing a moment ago. Press again to decide.",
    noRule: "No rule can answer what is like it: it asks every time.",
    hold: "High risk: keep the key down until the button is full.",
  },
  shownOf: (shown: number, all: number, unit: "lines" | "parts") =>
    shown === all ? `All ${all} ${unit}` : `1–${shown} of ${all} ${unit}`,
  showMore: (count: number, unit: "lines" | "parts") => `Show ${count} more ${unit}`,
  missingBytes: (bytes: string) => `${bytes} of it are not shown. What is not shown cannot be approved.`,
  folded: "Its difference is folded away. Press v to see it.",
  diffOf: (path: string) => `Diff of ${path}`,
  nothingHere: "Nothing of this thread waits.",
  listedInQuestion: (count: number) => `${count} more are listed before you decide.`,
  keepHolding: "Keep the key down…",
  stale: "The file changed after this was asked. Look again before you decide.",
  askedAs: "The agent asked for it by a link:",
  lookAgain: "Look again",
  spentSoFar: (dollars: string, limit: string) =>
    `This thread has cost about ${dollars}. Its spending limit is ${limit}.`,
  spentMore: "It has cost more than that: some of its calls have no price.",
  spendOn: (next: string) =>
    `Approve lets it go on until it has cost about ${next}, then it asks again. Reject ends its turn; nothing is lost, and it can be resumed.`,
  unknownOutcome: "Outcome unknown: the app ended while this ran.",
  runAgain: "Run again",
  runAgainMoves: "Running it again moves the file now.",
  runAgainChanges: "To run it again would change this:",
  markDone: "Mark as done",
  stopTurn: "Stop turn",
  known: "What is known of its output",
  refusedBySandbox: (exitCode: number | null) =>
    `It ran confined and failed${exitCode === null ? "" : ` with exit code ${exitCode}`}. These lines, which the command itself wrote, look as if the sandbox refused it something:`,
  firstRunChanged: (count: number, whole: boolean, areNamed: boolean) =>
    count === 0
      ? whole
        ? "The first run changed no files."
        : "Which files the first run changed is not known."
      : `The first run changed ${whole ? "" : "at least "}${files(count)}${areNamed ? ":" : "."}`,
  runSecondTime:
    "A yes runs it a second time, as said below. What the first run changed stays, and the second may do it again; the changed files of the thread have both.",
  noOutput: "No output was recorded.",
  tooLarge: "This file is too large to show as a diff.",
  reading: "Reading the arguments…",
  noDetail: "The details could not be read.",
  inFolder: "in",
  readBy: (shell: string) => `, read by ${shell}`,
  decides: (text: string, verdict: VerdictName, reason: string) => `${text}: ${verdicts[verdict]}. ${reason}`,
  verdicts,
  classes,
  question: "question",
  /** Of requests that are alike. */
  fromThreads: (count: number) => `from ${count} threads`,
  holdKey: "hold",
  risks: { low: "low risk", medium: "medium risk", high: "high risk" },
  operations: { write: "Write", edit: "Edit", delete: "Delete", move: "Move", read: "Read" },
  movedTo: "to",
  moveKeeps: "Nothing is there yet, and the file stays as it is.",
  call: "Call",
  mainAgent: "main agent",
  /** Agents that run in a terminal of the person's. */
  terminal: {
    promise: (agent: string) =>
      `${agent} runs in your terminal and does this by itself, once. Your answer is handed over: nothing of it is confined, checked, recorded or undone here, and it goes by what ${agent} said of it. What you answer there first counts.`,
    gone: (agent: string) =>
      `Nobody waits for this here any more. ${agent} asks in its terminal, or has ended.`,
    putAway: "Put away",
  },
  /** What is known of an answer to a remote server. */
  serverProofs: {
    applied: "answered, applied there",
    elsewhere: "answered elsewhere first",
    taken: "answered, not proven",
    failed: "answered, failed there",
    gone: "not sent: not asked any more",
    unsent: "not sent",
    lost: "sent, lost there, asked again",
    unknown: "unknown whether it arrived",
  },
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
  rowVerbs: {
    command: "Run",
    write: "Write",
    edit: "Edit",
    delete: "Delete",
    read: "Read",
    move: "Move",
    url: "Fetch",
    question: "Answer",
    arguments: "Call",
    outer: "Allow",
    recovery: "Check",
    escalation: "Run again",
    spending: "Go on",
    terminal: "Allow",
  },
  /** Threads that failed or were interrupted. */
  halted: {
    heading: "Came to a halt",
    failed: "failed",
    interrupted: "interrupted",
    untitled: "Untitled",
    youAsked: "You asked:",
    noRetry: "Trying the same again cannot help. Say what caused it in other words, or change the settings.",
    ways: "Ways to go on",
    retry: "Retry",
    resume: "Resume",
    edit: "Edit and resend",
    editTitle: "Your message in a new thread that goes on from there; this one stays as it is",
    archive: "Archive",
  },
  andLines: (count: number) => `… ${count} lines`,
  cardHeading: (verb: string, risk: string, place = "") => [verb, risk, place].filter(Boolean).join(", "),
  waits: (age: string) => (age === "just now" ? "waits since just now" : `waits ${age}`),
  alikeShort: (count: number) => `${count} alike`,
  deciding: "On its way…",
  settled: { approve: "Approved", edit: "Approved", reject: "Rejected", respond: "Answered" },
  approvedStarts: (seconds: number) => `Approved · starts in ${seconds} s`,
  placeOf: (at: number, count: number) => `${at} of ${count}`,
  previous: "Previous",
  next: "Next",
  showList: "List",
  newThread: "New thread",
  emptyTitle: "Nothing waits for you",
  emptyText: "When an agent wants to run, write or delete something, it stops and asks here.",
  noneSnoozed: "Nothing is snoozed",
  snoozedText:
    "What you put off for a while stands here until its time comes, and then waits with the others again.",
  emptyCompact: "Nothing waits for you.",
  waitElsewhere: (count: number) =>
    count === 1 ? "1 waits in another thread" : `${count} wait in other threads`,
  noneElsewhere: "Nothing waits in other threads.",
  noneMatch: "Nothing matches these filters.",
  clearFilters: "Clear filters",
  newAbove: (count: number) => `${count} new ↑`,
  search: "Search approvals",
  searchLedger: "Search decisions",
  view: "View",
  views: { waiting: "Waiting", snoozed: "Snoozed", decided: "Decided" },
  orderIs: (order: string) => `Order: ${order}`,
  orders: {
    all: "Oldest first",
    urgent: "Urgent first",
    thread: "By thread",
    workspace: "By workspace",
    shape: "By command shape",
  },
  filter: "Filter",
  filterRisk: "Risk",
  filterTool: "Tool",
  filterThread: "Thread",
  filterWorkspace: "Workspace",
  filterAge: "Waiting for",
  filterSeen: "Seen",
  seenOptions: { inFull: "Seen in full", notInFull: "Not seen in full" },
  any: "Any",
  olderThan: { any: "Any time", "10": "10 min or more", "60": "1 hour or more", "1440": "1 day or more" },
  openUp: "Open up",
  fold: "Fold",
  alike: (count: number) => `${count} of the same form`,
  approveAlike: (count: number) => `Approve all ${count}`,
  rejectAlike: (count: number) => `Reject all ${count}`,
  selected: (count: number) => `${count} selected`,
  select: (what: string) => `Select ${what}`,
  clearSelection: "Clear",
  approveSelected: "Approve them",
  rejectSelected: "Reject them",
  undo: "Undo",
  approvedMany: (count: number) => `${count} approved.`,
  startsIn: (count: number, seconds: number) =>
    count === 1 ? `starts in ${seconds} s` : `They start in ${seconds} s`,
  undoMore: (count: number) => `and ${count} more`,
  undone: (count: number) =>
    count === 1 ? "Taken back. It waits again." : `Taken back. All ${count} wait again.`,
  notUndone: (count: number) => (count === 1 ? "1 was not taken back" : `${count} were not taken back`),
  conflict: "Decided elsewhere",
  failed: "The decision did not arrive",
  snooze: "Snooze for 15 min",
  snoozeLong: "Snooze for 4 hours",
  runOutside: "Take it out of the sandbox",
  runConfined: "Put it into the sandbox",
  wake: "Wake up now",
  snoozedUntil: (until: number) => `Snoozed until ${formatClock(until)}`,
  awake: "Waits for you again",
  openThread: "Open the thread",
  autoApproveThread: "Auto-approve this thread…",
  makeRule: "Make a rule…",
  always: "Always for…",
  ruleKept: "Approved, and the rule is in force.",
  ruleStays: "Its rule could not be removed",
  ruleNotKept: "Approved, but the rule was not kept",
  keys: {
    views: {
      all: "What waits",
      shape: "Alike ones together",
      snoozed: "What is snoozed",
      decided: "What was decided",
    },
    approve: "Approve (hold it for high risk), or let a halted thread go on",
    reject: "Reject with a reason",
    auto: "Auto-approve this thread",
    details: "Show all, or fold the difference",
    down: "Next",
    up: "Previous",
    first: "First",
    last: "Last",
    change: "Change the arguments, or the message of a halted thread",
    respond: "Answer",
    diff: "Show the diff",
    why: "Why it asks",
    choice: "Go to an answer that a question offers",
    open: "Open the thread",
    choose: "Go to the decisions, then Enter takes one",
    select: "Select",
    extendDown: "Extend selection down",
    extendUp: "Extend selection up",
    bulkApprove: "Approve the selection",
    bulkReject: "Reject the selection",
    rule: "Make a rule",
    always: "Approve, and what is like it from now on",
    snooze: "Snooze, or wake what is snoozed",
    undo: "Undo",
    search: "Search",
    filter: "Filter",
    leave: "Leave the selection",
    list: "Show the list, or the card, where one of them fits",
    readOn: "Read on",
  },
};
