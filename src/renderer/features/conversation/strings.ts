/** The words of a conversation. */
import type { DecidedBy } from "../../../shared/contract/decisions.ts";
import type { ToolOutcome } from "../../../shared/contract/thread-events.ts";
import { factsOf } from "../../../shared/tools/tools.ts";
import { spellOut } from "../../ui/reveal-characters.ts";
import { formatDay, formatEstimate } from "../models/price-words.ts";

const countOf = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

/** What was undone, of which one may be none. */
const amount = (messages: number, files: number): string =>
  [
    ...(messages > 0 ? [countOf(messages, "message")] : []),
    ...(files > 0 ? [countOf(files, "file")] : []),
  ].join(" and ");

const outcomes: Record<ToolOutcome, string> = {
  ok: "done",
  failed: "failed",
  rejected: "rejected",
  answered: "answered",
  cancelled: "cancelled",
  denied: "refused",
};

const allowedBy: Record<DecidedBy["kind"], string> = {
  person: "approved by you",
  rule: "approved by a rule",
  "auto-approve": "auto-approved",
  policy: "asks nobody",
  unattended: "approved by the unattended run",
  confined: "asks nobody, since it is confined",
};

const refusedBy: Record<DecidedBy["kind"], string> = {
  person: "rejected by you",
  rule: "rejected by a rule",
  "auto-approve": "rejected by auto-approve",
  policy: "rejected by the policy",
  unattended: "rejected by the unattended run",
  confined: "rejected by your setting for confined commands",
};

export const strings = {
  gone: "This thread is not there any more.",
  failedToOpen: "The conversation could not be read.",
  loading: "Reading the conversation…",
  worksElsewhere: "This agent works elsewhere. Write to it there.",
  transcript: "Conversation",
  latest: "Jump to latest",
  emptyTitle: "What should be done?",
  emptyText: (folder: string) => `The agent works in ${folder}. Everything risky waits for you first.`,
  worktree: {
    choice: "Work in a worktree of its own",
    help: "The agent gets its own copy of the last commit, on a branch of its own. What is not committed stays in the folder. The next threads here begin with the same choice.",
  },
  demo: "Scripted demo · no AI",
  demoModel: "Scripted demo",
  demoHelp: "Follows instruction lines, such as run ls or write a.md hello. Try: demo tour",
  partner: {
    is: (agent: string, model: string) => `Agent and model: ${agent}, ${model}`,
    choose: "Choose the agent or the model",
    search: "Find an agent or a model",
    placeholder: "Agent, model or any model id",
    choices: "Agents and models",
    agent: "Agent",
    model: "Model",
    current: "now",
    noKey: (provider: string) => `${provider} · no key`,
    typed: (id: string) => `Use the model id ${id}`,
    other: "Another model or server…",
    failed: "Not all of them could be read.",
    from: "A choice holds from your next message on.",
    chosen: (agent: string, model: string) => `From your next message on: ${agent}, ${model}.`,
    chosenAtWork: (agent: string, model: string) =>
      `This turn goes on as it was; from your next message on: ${agent}, ${model}.`,
  },
  useModel: "Use this model",
  keyMissing: (provider: string) => `No key is set for ${provider}.`,
  toKeys: "Set one in the settings",
  you: "You",
  agent: "Agent",
  partial: "Cut off here.",
  leftOut: (size: string) => `${size} of this are not shown here.`,
  showAll: "Show all",
  queued: "Sent after this turn.",
  unsend: "Take back",
  cancelledMessage: "Taken back.",
  attached: "Attached",
  reasoning: "Reasoning",
  thinking: "Thinking…",
  writing: (tool: string) => `Preparing: ${factsOf(tool)?.verb ?? tool}…`,
  working: "Working…",
  inLine: "Waiting in line for a free model…",
  plan: "Plan",
  planStatus: { pending: "to do", in_progress: "in progress", completed: "done" },
  planStands: (done: number, all: number) => `Plan ${done} of ${all}`,
  planProgress: (done: number, all: number) => `${done} of ${all} done`,
  states: {
    requested: "asked for",
    waiting: "waits for you",
    decided: "decided",
    running: "running",
    finished: "finished",
  },
  outcomes,
  allowedBy,
  refusedBy,
  because: (reason: string) => `: ${reason}`,
  exit: (code: number) => `exit code ${code}`,
  lines: (added: number, removed: number) => `+${added} −${removed}`,
  showRequest: "Show the request",
  receipt: (count: number) => (count === 1 ? "What it was" : `What the ${count} were`),
  receiptLoading: "Reading the record…",
  receiptFailed: "The record of decisions could not be read.",
  receiptNoEntry: "not in the record of this thread",
  receiptUnknownCall: "An action",
  receiptMore: (count: number) => `Show ${count} more`,
  arguments: "Arguments",
  result: "Result",
  agentGotEnds: "The agent got the beginning and the end of it.",
  outputCut: "The output was long; its middle was left out here.",
  shownText: (lines: number) => (lines === 1 ? "Result · 1 line" : `Result · ${lines} lines`),
  contentCut: "The content was long; its middle was left out here.",
  noDiff: "This change is too large to show here.",
  answer: "Answer",
  reason: "Reason",
  task: "Task",
  wasRead: (files: number, folders: number, searches: number) => {
    const parts = [
      ...(files > 0 ? [files === 1 ? "read 1 file" : `read ${files} files`] : []),
      ...(folders > 0 ? [folders === 1 ? "listed 1 folder" : `listed ${folders} folders`] : []),
      ...(searches > 0
        ? [
            searches === 1
              ? "searched once"
              : searches === 2
                ? "searched twice"
                : `searched ${searches} times`,
          ]
        : []),
    ].join(", ");
    return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}`;
  },
  stepsOf: (agent: string | undefined, count: number) =>
    [spellOut(agent ?? ""), strings.steps(count)].filter(Boolean).join(" · "),
  steps: (count: number) => (count === 1 ? "1 step" : `${count} steps`),
  showAllSteps: (count: number) => `Show all ${count} steps`,
  report: "Report",
  changed: "changed by you",
  turn: { done: "Done", stopped: "Stopped", failed: "Failed", interrupted: "Interrupted" },
  retry: "Retry",
  resume: "Resume",
  copyMessage: "Copy the text",
  copyCode: "Copy the code",
  copyFailed: "That could not be copied",
  plainText: "text",
  table: "Table",
  change: "Say it differently",
  fork: "Fork from here",
  again: "Write it again",
  takenBack: {
    label: "Taken back",
    line: (messages: number, files: number) =>
      `You took back ${amount(messages, files)} here. The agent does not know of it any more.`,
    broughtBack: (messages: number, files: number) =>
      `You took back ${amount(messages, files)} here, and brought it back.`,
    bringBack: "Bring it back",
    showAll: (count: number) => `Show all ${count} entries`,
    mark: "Taken back: the agent does not know of this any more.",
  },
  undo: {
    button: "Take back from here",
    buttonCall: "Take back from this call on",
    title: "Undo what this thread did from here on",
    text: "Files become what they were before this message, and the agent forgets what was said since. You choose which of the two; nothing has moved yet.",
    textCall:
      "Files become what they were before this call. What the agent knows can go back to before your message. You choose which of the two; nothing has moved yet.",
    looking: "Looking at the files…",
    nothing: "This thread changed no files from here on that are not as they were.",
    back: "Undone",
    stays: "Stays as it is",
    how: {
      returns: "comes back",
      content: "gets its content back",
      permissions: "gets its permissions back",
      goes: "goes, since it was not there",
    },
    why: {
      outside: "is outside of the workspace",
      nameless: "has a name that is no text",
      link: "is a link",
      "not-known": "the app ended while it was changed",
      "not-kept": "what it was is not kept",
      "too-large": "is too large",
      "changed-since": "was changed by you or something else too",
      "in-the-way": "something else has its place",
      "holds-what-is-lost": "may hold what a command moved there",
    },
    partlyKnown: (count: number) =>
      `${count === 1 ? "1 call" : `${count} calls`} may have changed more than is known here.`,
    unseen:
      "Not listed, and not undone: what commands did in folders that git ignores or that hold what is generated, to git's commits and branches, to empty folders, and outside of the workspace.",
    more: (count: number) => `and ${count} more`,
    conversation: "Conversation",
    forgets: (messages: number) =>
      `${countOf(messages, "message")} of yours and all that followed. The agent forgets it, and it folds away here. You can bring it back until you write something new.`,
    forgetsTurn: "What this turn did before the call is forgotten too, and its files stay as they are.",
    keeps: {
      "not-able": "It stays: this agent cannot go back to an earlier message.",
      "not-over": "It stays while a turn is not over. Decide what waits, or stop the turn first.",
      "in-line": "It stays while a message of yours waits in line. Take that one back first.",
      "taken-back": "It is taken back already.",
      "not-known":
        "It stays: what the agent knew before this message is not kept. Try an earlier or a later one.",
      "too-long": "It stays: more than 1,000 messages cannot be taken back at once.",
    },
    go: {
      files: (files: number, _messages: number) => `Undo ${countOf(files, "file")}`,
      conversation: (_files: number, messages: number) => `Undo ${countOf(messages, "message")}`,
      both: (_files: number, _messages: number) => "Undo both",
    },
    done: (messages: number, files: number) => `Undone: ${amount(messages, files)}`,
    last: (messages: number, files: number, at: string) =>
      `You undid ${amount(messages, files)} of this thread at ${at}.`,
    wentOn: "It stays undone, since the conversation went on.",
    reverse: "Bring it back",
    reversed: (messages: number, files: number) => `Back again: ${amount(messages, files)}`,
    cancel: "Cancel",
  },
  messageKeys: {
    undo: "Take back from a message of yours, or a call, on",
    earlier: "Your last message, and those before it",
    later: "Your next message",
    change: "Say a message of yours differently",
    fork: "Fork from a message of yours",
    again: "Write a message of yours again",
  },
  noEarlierMessage: "There is no earlier message of yours.",
  noLaterMessage: "That is your last message.",
  newWords: "New words",
  forkHint:
    "A new thread goes on from here with these words; this one stays as it is. Files in the folder are not put back.",
  forkGo: "Fork with these words",
  tokens: (input: number, output: number) =>
    `${input.toLocaleString("en")} tokens in, ${output.toLocaleString("en")} out`,
  cost: formatEstimate,
  threadCost: "Cost of this thread",
  turnCost: "Cost of this turn",
  costTitle: (without: readonly string[], listedOn: string | undefined) =>
    [
      "Estimated from the tokens the provider counted, sub-agents included. Calls that were cut off are not in it.",
      ...(listedOn ? [`With the list price of ${formatDay(listedOn)}.`] : []),
      ...(without.length > 0 ? [`Without ${without.join(", ")}, whose price is not set.`] : []),
    ].join(" "),
  priceNotSet: "Price not set",
  priceNotSetFor: (models: readonly string[]) => `for ${models.join(", ")}`,
  context: (percent: number) => `${percent} % of context`,
  contextTokens: (tokens: string) => `${tokens} tokens`,
  contextTitle: (used: number, window: number | undefined) =>
    window
      ? `The last model call read ${used.toLocaleString("en")} of ${window.toLocaleString("en")} tokens.`
      : `The last model call read ${used.toLocaleString("en")} tokens; how many the model can take is not known.`,
  message: "Message",
  placeholder: "What should be done? @ for files, / for commands",
  send: "Send",
  stop: "Stop",
  attachImage: "Attach images",
  attachedList: "Attached",
  detach: (name: string) => `Take ${name} off`,
  notAnImage: (name: string) => `${name} is not a PNG, JPEG, GIF or WebP image.`,
  notText: (name: string) =>
    `${name} is neither an image nor a text that fits into a message. Mention a file of the folder with @.`,
  fileText: (name: string, text: string) => `[File ${name}]
${text}
[End of ${name}]`,
  textTooLong: "This is too long for one message (200,000 characters). Mention a file with @ instead.",
  longTexts: "Long texts in this message",
  textSize: (lines: number, size: string) =>
    `${lines === 1 ? "1 line" : `${lines.toLocaleString("en")} lines`} · ${size}`,
  openText: "See all of it",
  sentExactly: (size: string) => `${size}. Sent exactly as it is here, where its name stands in the message.`,
  putIntoField: "Put it into the field",
  pathOnly: "path only",
  pathOnlyHelp: "The agent gets the path and reads the file when it needs it.",
  imageTooLarge: (name: string) => `${name} is too large, even when made smaller.`,
  tooMuch: "Together this is too much for one message (900 KB). Take an image off or shorten the text.",
  sendFailed: "The message was not sent. It is still here.",
  historyFailed: "What you sent before could not be read.",
  whileWaiting: (count: number) =>
    count === 1
      ? "1 approval of this thread waits. Before sending:"
      : `${count} approvals of this thread wait. Before sending:`,
  queueAfter: "Queue after this turn",
  asReason: "Use as the reason for rejecting",
  cancelTurn: "Cancel the turn",
  keep: "Go on writing",
  suggestions: { file: "Files", command: "Commands" },
  noFiles: (secrets: number) =>
    secrets === 0
      ? "No file fits."
      : `No file fits but ${secrets === 1 ? "one" : secrets} that may hold secrets by name; such files are not offered.`,
  readingFiles: "Looking…",
  unknownCommand: (name: string) => `There is no command ${name}. Type / to see all.`,
  commands: {
    stop: "End the running turn",
    resume: "Go on after a stop or a failure",
    fork: "Fork before your last message",
    rename: "Rename this thread, /rename New title",
    model: "Choose the model, /model exact-id",
    agent: "Choose the agent, /agent its name",
    autoApprove: "Turn auto-approve on or off",
    side: "Show or hide plan, files and terminals",
    new: "Begin another thread",
  },
  commandOf: { own: "yours", folder: "this folder", skill: "skill" },
  commandFrom: {
    own: "Your own, from your home",
    folder: "From this folder, which you trust",
    skill: "A skill of this folder, which you trust",
  },
  commandText: "What it writes into the field",
  commandMore: "There is more; all of it stands in the field once it is chosen.",
  ownFailed: "The commands of the folder and your own could not be read.",
  notOffered: (count: number) =>
    `${count === 1 ? "1 more is" : `${count} more are`} not offered: not trusted, changed since, too long, or of a name that is taken.`,
  noModel: "Set up a provider in the settings first, or name a model of this provider.",
  noAgent: (name: string) => `There is no agent ${spellOut(name)}.`,
  nothingToFork: "There is no message to fork from yet.",
  toggleSide: "Plan, files and terminals",
  focusMessage: "Write a message",
  messageGone: "That message is not there any more.",
  find: {
    open: "Find in this thread",
    placeholder: "Find",
    previous: "Previous match (Shift+Enter)",
    next: "Next match (Enter)",
    close: "Close (Esc)",
    searching: "Searching…",
    none: "Not found",
    failed: "Did not work",
    count: (current: number, all: number, complete: boolean) =>
      `${current.toLocaleString("en")} of ${all.toLocaleString("en")}${complete ? "" : "+"}`,
    onlyNewest: (all: number) => `There are more; these are the newest ${all.toLocaleString("en")}.`,
  },
};
