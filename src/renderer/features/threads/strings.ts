/** The words of the threads list and of a thread's commands. */
import type { ThreadStatus } from "../../../shared/contract/threads.ts";

const statuses: Record<ThreadStatus, string> = {
  new: "New",
  queued: "Waiting in line",
  running: "Running",
  waiting: "Waiting for you",
  interrupted: "Interrupted",
  stopped: "Stopped",
  failed: "Failed",
  done: "Done",
};

export const strings = {
  list: "Threads",
  newThread: "New thread",
  search: "Search threads",
  searching: "Searching…",
  searchFailed: "The search did not work.",
  noHits: "No thread says that.",
  statuses,
  waiting: (count: number) => `${count} waiting`,
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
  removeTitle: (title: string) => `Delete “${title}”?`,
  removeText:
    "What runs is ended first. The conversation goes; files in the folder and the record of decisions stay.",
  removeGo: "Delete thread",
  renameTitle: "Rename thread",
  title: "Title",
  save: "Save",
  cancel: "Cancel",
  grouped: "Group by folder",
  ungrouped: "One list",
  showArchived: (count: number) => `Archived (${count})`,
  resumeAll: (count: number) => `Resume all ${count} interrupted`,
  failed: "That did not work",
  folder: {
    title: "Choose a folder",
    text: "The agent reads, writes and runs commands in this folder only.",
    path: "Folder",
    recent: "Used before",
    inside: "Folders here",
    none: "No folders here.",
    up: "Up",
    readOnly: "This folder cannot be written to; an agent could only read here.",
    go: "Open here",
  },
  auto: {
    label: "Auto-approve",
    title: "Turn on auto-approve?",
    text: "For this thread and this session: 30 minutes or 50 actions, whichever comes first. What always asks or is denied still waits for you.",
    waiting: (now: number, stay: number) =>
      stay === 0
        ? `${now} waiting now would be let through at once.`
        : `Of what waits now, ${now} would be let through at once and ${stay} would go on waiting.`,
    all: "Turn on",
    fromNow: "Only from now on",
    left: (minutes: number, used: number, max: number) => `${minutes} min left · ${used} of ${max} used`,
    on: "Auto-approve is on.",
    receipt: (count: number) =>
      count === 1 ? "1 that waited was let through." : `${count} that waited were let through.`,
  },
};
