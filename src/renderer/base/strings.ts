/** The words of the shell. */
export const strings = {
  app: "Countersign",
  severalWait: (count: number) => `${count} actions wait for you.`,
  queue: "Approvals",
  threads: "Threads",
  agents: "Agents",
  settings: "Settings",
  listColumn: "Threads and what waits",
  listWidth: "Width of the list of threads",
  keys: "Keys",
  views: "Views",
  skip: "Go to what this view is about",
  waiting: (count: number, halted = 0) => {
    const waits = count === 1 ? "1 approval waits for you" : `${count} approvals wait for you`;
    if (halted === 0) return waits;
    return `${waits}, ${halted === 1 ? "1 thread came to a halt" : `${halted} threads came to a halt`}`;
  },
  connecting: "Connecting to the host…",
  silent:
    "The host does not answer at the moment. What you see may be old; what you do now counts as soon as it answers.",
  offline:
    "The host does not answer. What you see may be out of date; trying again by itself. Agents and approvals are kept by the host and are not lost.",
  notConnected: "No connection to the host.",
  codeMissing:
    "The host does not have this part of the window. It may have been updated since the window was opened.",
  theConsole: "The console",
  firstSteps: "First steps",
  connected: (version: string, mode: string) =>
    `Host ${version} · ${mode === "electron" ? "desktop" : "browser"}`,
  leases: (count: number) =>
    count === 1 ? "Auto-approve on in 1 thread" : `Auto-approve on in ${count} threads`,
  stopAll: "Turn all off",
  stoppedAll: (count: number) =>
    count === 1 ? "Auto-approve is off in 1 thread." : `Auto-approve is off in ${count} threads.`,
  dismiss: "Dismiss",
  keySheetTitle: "Keys",
  /** Between the first and the last of keys that follow each other. */
  keyRun: "to",
  keySheetHint: "Single keys can be switched off in the settings.",
  sections: {
    go: "Go to",
    threads: "Threads",
    conversation: "Conversation",
    app: "Console",
  },
  actions: {
    goQueue: "Go to the approvals",
    goThreads: "Go to the threads",
    keySheet: "Show the keys",
    leaveField: "Leave the text field",
    newThread: "New thread",
    stopAutoApprove: "Stop all auto-approve",
  },
  openYourself: "Nothing is opened from here. The address, to copy:",
};
