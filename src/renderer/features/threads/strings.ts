/** The words of the threads list and of a thread's commands. */

import type { Activity, ThreadStatus } from "../../../shared/contract/threads.ts";
import { inQuotes } from "../../../shared/foreign-words.ts";
import type { ToolName } from "../../../shared/tools/tools.ts";
import { formatClock } from "../../base/words.ts";
import type { Section, StandingShape } from "./standing.ts";

const statuses: Record<ThreadStatus, string> = {
  new: "New",
  queued: "Waits in line",
  running: "Works",
  waiting: "Waits for you",
  interrupted: "Interrupted",
  stopped: "Stopped",
  failed: "Failed",
  done: "Done",
};

const sections: Record<Section, string> = {
  needs: "Needs you",
  working: "Working",
  finished: "Finished, unread",
  idle: "Idle",
};

/** What each shape says. */
const shapes: Record<StandingShape, string> = {
  waits: "waits for you",
  failed: "failed",
  interrupted: "interrupted",
  works: "works",
  finished: "finished, unread",
  idle: "idle",
};

/** Before what the call is about. */
const toolVerbs: Record<ToolName, string> = {
  execute: "Runs",
  write_file: "Writes",
  edit_file: "Edits",
  move_file: "Moves",
  delete: "Deletes",
  fetch_url: "Reads",
  web_search: "Searches the web for",
  task: "Hands work to",
  ask_human: "Asks",
  write_todos: "Writes the plan",
  ls: "Lists",
  read_file: "Reads",
  glob: "Looks for files",
  grep: "Looks for",
};

const activities: Record<Exclude<Activity["kind"], "call">, string> = {
  thinking: "Thinks",
  writing: "Writes an answer",
};

const doing = {
  ...activities,
  tools: toolVerbs,
  calls: "Calls",
  works: statuses.running,
  inLine: statuses.queued,
  waits: statuses.waiting,
  wants: {
    run: "Wants to run",
    write: "Wants to write",
    edit: "Wants to edit",
    delete: "Wants to delete",
    move: "Wants to move",
    read: "Wants to read",
    fetch: "Wants to fetch",
    call: "Wants to call",
    answer: "Asks:",
    recovery: "Asks how it ended:",
    escalation: "Asks to run again, outside of the sandbox:",
    setAside: "Made what steers others:",
    response: "Asks to read the response:",
    spend: "Asks to go on:",
    terminal: "Asks in its terminal:",
  },
  failed: "Failed.",
  interrupted: "Interrupted.",
  stopped: "Stopped.",
  done: "Done.",
  fresh: "Waits for your first message",
  rests: "Waits for a message",
  snoozed: (until: number) => `Snoozed until ${formatClock(until)}`,
};

export const strings = {
  openFolder: "Open its folder",
  openInEditor: "Open in the editor",
  showInFolder: "Show in its folder",
  onlyShown: (path: string) =>
    `${path} is shown in its folder: opening it could run it, or nothing here opens it.`,
  fileNotOpened: "The file was not opened",
  folderNotOpened: "The folder was not opened",
  forked: "Forked. What was said before this is here.",
  list: "Threads",
  newThread: "New thread",
  search: "Search threads",
  searching: "Searching…",
  searchFailed: "The search did not work.",
  noHits: "No thread says that.",
  statuses,
  sections,
  shapes,
  doing,
  andMore: (count: number) => `and ${count} more`,
  plan: (done: number, steps: number) => `${done} of ${steps}`,
  planSaid: (done: number, steps: number) => `plan: ${done} of ${steps}`,
  waitingSaid: (count: number) => (count === 1 ? "1 waits for you" : `${count} wait for you`),
  noPrice: "no price",
  spent: {
    least: "<$0.01",
    more: (amount: string) => `${amount}+`,
    title: (amount: string) => `An estimate: ${amount}`,
  },
  overview: {
    title: (needs: number, all: number) =>
      needs === 0 ? "Nothing needs you" : `${needs} of ${all} ${needs === 1 ? "needs" : "need"} you`,
    sums: (working: number, finished: number, idle: number) => {
      const counts = [
        [working, working === 1 ? "works" : "work"],
        [finished, "finished"],
        [idle, "idle"],
      ] as const;
      const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
      return told.length > 0 ? `${told.join(", ")}.` : "";
    },
    today: (amount: string) => `${amount} today.`,
    commands: (count: number) => (count === 1 ? "1 command runs." : `${count} commands run.`),
    next: "Next that needs you",
    columns: {
      thread: "Thread and what it does now",
      plan: "Plan",
      waits: "Waits",
      time: "Since",
      cost: "Cost",
      model: "Model",
    },
    demo: "demo",
  },
  unread: "unread",
  pinned: "pinned",
  untitled: "Untitled",
  emptyTitle: "No threads yet",
  emptyText: "A thread is one agent at work in one folder. Start with New thread.",
  more: (title: string) => `More for ${title}`,
  pin: "Pin",
  unpin: "Unpin",
  markUnread: "Mark as unread",
  rename: "Rename…",
  archive: "Archive",
  unarchive: "Take out of the archive",
  remove: "Delete…",
  removeTitle: (title: string) => `Delete the thread ${inQuotes(title)}?`,
  removeText:
    "What runs is ended first. The conversation goes; files in the folder and the record of decisions stay.",
  removeGo: "Delete thread",
  worktree: {
    name: "Worktree",
    home: "Bring it home…",
    noBranch: "no branch",
    ahead: (commits: number) => `${commits} ahead`,
    behind: (commits: number) => `${commits} behind`,
    dirty: (files: number) => `${files} not committed`,
    removeText:
      "Its worktree goes too: commits stay on its branch, and what is not committed is kept in the repository first. Files that git ignores are not kept.",
    left: "The thread is deleted",
  },
  storageEntry: "Disk space…",
  exportEntry: "Save as a file…",
  storage: {
    title: (title: string) => `Disk space of ${inQuotes(title)}`,
    memory: "What the agent remembers",
    conversation: "The conversation",
    output: "Output of commands",
    undo: "What undo needs",
    undoOfAll: (all: string, budget: string) =>
      `Undo keeps ${all} for all threads, and at most ${budget}: beyond that the oldest changes can no longer be undone.`,
    keep: "Keep forking possible at",
    choice: (turns: number) =>
      turns === 1 ? "the last thing you said" : `the last ${turns} things you said`,
    counting: "Counting…",
    preview: (freed: string | undefined, steps: number) =>
      freed === undefined
        ? "Nothing older is kept, so there is nothing to free."
        : `Frees about ${freed}: ${steps === 1 ? "1 saved step" : `${steps} saved steps`} of the agent.`,
    useLess: "Use less…",
    confirmTitle: (turns: number) =>
      turns === 1 ? "Forget all but the last fork point?" : `Forget all but the last ${turns} fork points?`,
    lost: (turns: number) =>
      `You can no longer fork at anything said before the last ${turns === 1 ? "one" : turns}. This cannot be undone. The conversation, what the agent knows now and the record of decisions stay.`,
    free: (freed: string) => `Free ${freed}`,
    working: "Freeing space…",
    freed: (freed: string) => `${freed} freed.`,
  },
  exporting: {
    title: (title: string) => `Save ${inQuotes(title)} as a file`,
    text: "The file holds the conversation, what the agent remembers and the record of its decisions, as plain text: also whatever secret was read or typed there. Import it in the settings under Data.",
    go: "Write the file",
    working: "Writing…",
    done: "Written to",
    copy: "Copy the path",
  },
  renameTitle: "Rename thread",
  title: "Title",
  grouped: "Group by folder",
  ungrouped: "One list",
  showArchived: (count: number) => `Archived (${count})`,
  resumeAll: (count: number) => `Resume all ${count} interrupted`,
  folder: {
    title: "Choose a folder",
    text: "The agent reads, writes and runs commands in this folder only.",
    path: "Folder",
    recent: "Used before",
    inside: "Folders here",
    none: "No folders here.",
    up: "Up",
    drive: (drive: string) => `Drive ${drive}`,
    readOnly: "This folder cannot be written to; an agent could only read here.",
    go: "Open here",
  },
  auto: {
    label: "Auto-approve",
    title: "Turn on auto-approve?",
    text: "For this thread and this session: 30 minutes or 50 actions, whichever comes first. What asks every time still waits for you, and what never runs is still rejected.",
    previewing: "Looking at what waits…",
    noPreview: "What would become of what waits could not be found out, so none of it is approved.",
    outdated: "What waits has changed since. Only what stands here is approved.",
    lookAgain: "Look again",
    passes: (count: number) =>
      count === 1 ? "1 that waits is approved at once" : `${count} that wait are approved at once`,
    stays: (count: number) => (count === 1 ? "1 goes on waiting for you" : `${count} go on waiting for you`),
    lines: (added: number, removed: number) => `+${added} −${removed}`,
    all: (count: number) => (count === 0 ? "Turn on" : `Turn on and approve ${count}`),
    unread: "Look at the list to its end.",
    fromNow: "Only from now on",
    left: (minutes: number, used: number, max: number) => `${minutes} min left · ${used} of ${max} used`,
    on: "Auto-approve is on.",
    receipt: (count: number) =>
      count === 1 ? "1 that waited was approved." : `${count} that waited were approved.`,
    notLet: (count: number) =>
      count === 1
        ? "1 was not approved, since it is not what you saw"
        : `${count} were not approved, since they are not what you saw`,
  },
};
