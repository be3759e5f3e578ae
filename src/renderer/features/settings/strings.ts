/** The words of the settings: what each one is called, what it does, and what went wrong with it. */
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

  entries: {
    theme: { label: "Theme", hint: "System follows the computer." },
    fontSize: { label: "Font size", hint: "In pixels, 11 to 20. Everything scales with it." },
    singleKeys: {
      label: "Single keys",
      hint: "One key decides, moves or goes somewhere, such as y, n and j. Keys with Ctrl or Cmd work either way.",
    },
    keySheet: { label: "All keys", hint: "The sheet of every key, also with ?." },
    undoGraceMs: {
      label: "Time to take back",
      hint: "Seconds in which a yes to something risky can be taken back; nothing has started until then. 0 turns it off.",
    },
    notifications: {
      label: "Notifications",
      hint: "Name what waits for you while this window is in the background.",
    },
    doNotDisturb: { label: "Do not disturb", hint: "No notifications and no sound; the counts stay." },
    maxActiveRuns: {
      label: "Agents at work at once",
      hint: "1 to 32. Further threads wait in line; one that waits for you does not count.",
    },
    commandTimeoutMs: {
      label: "Time limit of a command",
      hint: "Minutes after which a command is ended and the agent told so.",
    },
    modelCallLimit: {
      label: "Model calls in one turn",
      hint: "1 to 10,000. A turn that needs more ends there and says so.",
    },
    models: {
      label: "Models and keys",
      hint: "Providers, API keys, the default model, prices, servers on this computer.",
    },
    webSearch: {
      label: "Search service",
      hint: "What agents search the web with. Off takes the tool away.",
    },
    workspaces: {
      label: "Folders that were opened",
      hint: "A trusted folder may bring its own instructions, skills and rules that loosen. Any folder may tighten.",
    },
    rules: {
      label: "Rules",
      hint: "What runs without asking, what always asks, what never runs.",
    },
    dataDir: { label: "Data folder", hint: "Threads, decisions, settings and keys are kept here." },
    backup: {
      label: "Backup",
      hint: "Copies the threads with their decisions, and what the agents remember, into the folder backups. The ten newest of the first and the three newest of the second stay.",
    },
    check: {
      label: "Check of the data",
      hint: "Reads both databases in full and says whether they are sound. Countersign does so by itself a minute after each start and speaks up only when they are not.",
    },
    threadImport: {
      label: "A thread from a file",
      hint: "Write such a file from the menu of a thread. What was decided there is marked as imported in the record here.",
    },
    ledger: { label: "Record of decisions", hint: "Writes every decision so far as a JSONL file." },
    transfer: {
      label: "Settings as a file",
      hint: "Keys, rules and agents are not part of it.",
    },
    about: { label: "About Countersign", hint: "Version and licence." },
  },

  themes: { system: "System", light: "Light", dark: "Dark" },
  pixels: "px",
  seconds: "s",
  minutes: "min",
  range: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
  wholeRange: (min: number, max: number) => `Enter a whole number from ${min} to ${max}.`,
  showKeys: "Show the sheet",

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
    empty: "No folder was opened yet. The first thread brings one.",
    failed: "The folders could not be read.",
    heldBack: (files: string) =>
      `Changed since you trusted it: ${files}. Until you look, it is not read by agents, and rules only tighten.`,
    look: "Look at the changes…",
    lookTitle: (name: string) => `What changed in ${name}`,
    lookText: "This steers your agents and what runs unasked. It holds again once you accept it.",
    lookFailed: "The changes could not be read.",
    tooLarge: "This file is too large to be shown, and stays held back.",
    lookToEnd: "Look at the changes to their end.",
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
    done: (title: string) => `“${title}” was imported.`,
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
