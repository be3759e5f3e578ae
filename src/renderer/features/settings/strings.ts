/** The words of the settings besides what each one is called. */

import type { Settings } from "../../../shared/contract/console.ts";
import { withoutQuotes } from "../../../shared/foreign-words.ts";

export const strings = {
  title: "Settings",
  search: "Search settings",
  sectionList: "Parts of the settings",
  noMatch: (query: string) => `No setting matches “${query}”.`,
  clearSearch: "Show all",
  silentSystem:
    "This system shows no notifications of Countersign. Allow them in its settings; until then the window's title and the tray icon count what waits.",
  notSaved: "The setting was not saved; the old value stays.",

  sections: {
    appearance: "Appearance",
    keys: "Keys",
    deciding: "Deciding",
    attention: "Attention",
    running: "Running agents",
    models: "Models and keys",
    web: "Web search",
    workspaces: "Folders",
    rules: "Rules",
    data: "Data",
    about: "About",
  },

  themes: { system: "System", light: "Light", dark: "Dark" },
  range: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
  wholeRange: (min: number, max: number) => `Enter a whole number from ${min} to ${max}.`,
  showKeys: "Show the sheet",

  fatigue: {
    none: "You have decided nothing here yet.",
    counted: "Decisions",
    decisions: (count: number, days: number) => `${count} in ${days === 1 ? "1 day" : `${days} days`}`,
    asks: "How often you are asked",
    perHourAndThread: (hour: number, thread: number) =>
      `${Number(hour.toFixed(1))} an hour at work, ${Number(thread.toFixed(1))} a thread`,
    look: "How long you look at a card",
    lookFor: (ms: number | undefined, of: number) =>
      ms === undefined ? "not measured yet" : `${(ms / 1_000).toFixed(1)} s, the median of ${of}`,
    hurried: "Risky cards approved in less than a second",
    regretted: "Approved, and the like rejected later",
    of: (count: number, all: number) =>
      all === 0 ? "none yet" : `${count} of ${all} (${Math.round((100 * count) / all)} %)`,
    changes: {
      rules: (spared: number) =>
        `What would spare you most: a few rules would have answered ${spared} of your last decisions, and none that you did not approve.`,
      together: (spared: number, of: number) =>
        `What would spare you most: ${spared} of these ${of} waited beside one like them, and could have been decided together.`,
    },
    noChange: "No single change would have spared you much.",
    toRules: "Look at these rules",
  },

  uncovered: {
    ask: "Ask",
    confined: "Run confined",
    /** @param why may be several sentences, or a clause without an end. */
    unavailable: (why: string) => `Cannot be turned on here, because ${why.replace(/\.$/, "")}.`,
    failed: "What would have run could not be worked out.",
    none: "You have not decided about a command yet.",
    would: (count: number, of: number) =>
      `${count} of your last ${of === 1 ? "decision" : `${of} decisions`} about commands would have run confined.`,
    rejected: (count: number) =>
      count === 1 ? "You rejected this one of them:" : `You rejected some of them, the newest being:`,
    samples: "For example:",
  },

  confinedOffer: {
    name: "Commands could run confined",
    rejected: (count: number) =>
      count === 0
        ? "You rejected none of them."
        : "You rejected some of them; they stand beside the setting.",
    look: "Look at them and choose…",
    decline: "Not now",
  },

  sandbox: {
    modes: {
      auto: "Where it can be relied on",
      require: "Always, and what cannot be confined asks",
      off: "Off",
    } satisfies Record<Settings["sandbox"], string>,
    untried: "It is tried before the first command.",
    usable: "Confined: nothing that was tried gets out of the sandbox of this machine.",
    unusable: (why: string) => `Not available, because ${why}`,
  },

  terminalAgents: {
    install:
      "In the folder of Countersign's sources, this shows what it would write into the agent's settings; with --yes it writes it.",
    byHand:
      "An installed app brings no command line: docs/terminal-agents.md says which lines to write by hand.",
    windows: "Not on Windows: there the hook could not reach this console.",
    copy: (agent: string) => `Copy the command for ${agent}`,
  },

  web: {
    off: "Off",
    tavily: "Tavily",
    searxng: "SearXNG",
    address: "SearXNG address",
    badAddress: "Enter a whole address, such as http://127.0.0.1:8080.",
    tavilyKey: "Tavily key",
    tavilyHint: "The key is kept by the host and never shown again. Without one the search stays off.",
    tavilyMissing: "No key",
    tavilySaved: "The key for the web search is set.",
    removeKey: "Remove the key",
    removeTitle: "Remove the key of Tavily?",
    removeText: "Agents cannot search the web until a key is set again.",
    keyRemoved: "The key for the web search is removed.",
  },

  workspaces: {
    list: "Folders",
    trusted: (name: string) => `Trust ${name}`,
    ownName: "your own instructions and commands",
    own: "~/.agents and ~/.claude: your own, for every folder",
    ownHeldBack: (files: string) =>
      `Changed since you trusted it: ${files}. Until you look, agents are told nothing of it and it is not offered.`,
    ownText:
      "Agents will be told these instructions in every folder, and the commands will be offered. A later change holds back until you looked at it.",
    ownTrust: "Trust these files",
    empty: "No folder was opened yet. The first thread brings one.",
    failed: "The folders could not be read.",
    heldBack: (files: string) =>
      `Changed since you trusted it: ${files}. Until you look, it is not read by agents, and rules only tighten.`,
    look: "Look at the changes…",
    lookTitle: (name: string) => `What changed in ${name}`,
    lookText: "This steers your agents and what runs unasked. It holds again once you accept it.",
    lookFailed: "What the folder says could not be read.",
    tooLarge: "This file is too large to be shown, or there is too much before it, and stays held back.",
    lookToEnd: "Look at all of it to the end.",
    trustTitle: (name: string) => `Trust ${name}?`,
    trustText:
      "These files of the folder will steer your agents, its commands will be offered in its threads, and its rules say what runs unasked. A later change holds back until you looked at it.",
    trust: "Trust the folder",
    accept: "Accept the changes",
    notNow: "Not now",
  },

  data: {
    backup: "Back up now",
    working: "Writing…",
    backedUp: (path: string, checkpoints: string | undefined) =>
      checkpoints ? `The backup is at ${path} and ${checkpoints}` : `The backup is at ${path}`,
    exportLedger: "Export the record",
    exported: (path: string) => `Written to ${path}`,
    exportSettings: "Save settings as a file",
    importSettings: "Read settings from a file…",
    chooseFile: "Settings file",
    fileName: "countersign-settings.json",
    importTitle: "Use these settings?",
    importText: (count: number) => (count === 1 ? "1 setting changes." : `${count} settings change.`),
    importUnread: "Look at the list to its end.",
    importGo: "Use them",
    importNone: "This file changes nothing.",
    imported: "The settings were read.",
    importRefused: "The file was refused; nothing changed.",
    notJson: (reason: string) => `This is not JSON: ${reason}`,
  },

  check: {
    go: "Check now",
    begun: "Beginning…",
    progressName: "How far the check is",
    progress: (name: string, size: string, step: number, of: number) =>
      `Reading ${name}, ${size} (${step} of ${of})…`,
    states: {
      sound: (name: string, size: string) => `${name} is sound (${size}).`,
      damaged: (name: string, _size: string, finding: string) => `${name} is damaged: ${finding}`,
      absent: (name: string) => `${name} is not there yet; it comes with the first agent.`,
      unread: (name: string, _size: string, finding: string) => `${name} could not be read: ${finding}`,
    },
  },

  threadImport: {
    file: "File",
    folder: "Folder the agent works in",
    go: "Import",
    working: "Importing…",
    done: (title: string) => `“${withoutQuotes(title)}” was imported.`,
  },

  deepagents: {
    look: "Look for threads…",
    title: "Threads of the deepagents CLI",
    hint: "Nothing runs by taking one over. Calls that waited there are asked about here once you resume the thread.",
    looking: "Reading its database…",
    failed: "Its threads could not be read",
    none: "It keeps no threads.",
    list: "Threads of the deepagents CLI",
    waiting: (count: number) => (count === 1 ? "1 call waits there" : `${count} calls wait there`),
    take: (name: string) => `Take over “${withoutQuotes(name)}”`,
    go: "Take over",
    taking: "Taking it over…",
    done: (title: string) => `“${withoutQuotes(title)}” was taken over.`,
  },

  about: {
    version: "Version",
    mode: "Runs as",
    modes: { electron: "Desktop app", browser: "Page in a browser" },
    platform: "System",
    licence: "Licence",
    licenceName: "MIT",
    home: "Home folder",
    commandShell: "Commands are read by",
    commandPath: "Programs are found in",
    pathSources: {
      "as-started": "the PATH the app was started with",
      "login-shell": "the PATH of your login shell",
    },
  },
};
