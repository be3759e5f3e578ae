/** Every setting and everything else that stands among them: where, what it is called, what it does and how it is set. */
import { type Settings, settingsSchema } from "../../../shared/contract/console.ts";
import type { strings } from "./strings.ts";

export type SectionId = keyof typeof strings.sections;
export type SettingEntry = { section: SectionId; label: string; hint: string };

/** What a person reads a number in, and how much of the stored value one of it is. */
export const units = { px: 1, s: 1_000, min: 60_000, $: 100 };

type Control<Value> = Value extends boolean
  ? { control: "switch" | "own" }
  : Value extends number
    ? { control: "number"; unit?: keyof typeof units }
    : { control: "own" };

/** What a person was shown already is kept with the settings, and is none. */
type StoredId = Exclude<keyof Settings, "firstRunDone" | "confinedOffer">;

/** What the host keeps; a setting of the contract that is missing here is an error of types. */
export const storedSettings = {
  theme: { section: "appearance", label: "Theme", hint: "System follows the computer.", control: "own" },
  fontSize: {
    section: "appearance",
    label: "Font size",
    hint: `In pixels, ${rangeOf("fontSize")}. Everything scales with it.`,
    control: "number",
    unit: "px",
  },
  singleKeys: {
    section: "keys",
    label: "Single keys",
    hint: "One key decides, moves or goes somewhere, such as y, n and j. Keys with Ctrl or Cmd work either way.",
    control: "switch",
  },
  undoGraceMs: {
    section: "deciding",
    label: "Time to take back",
    hint: "Seconds in which a yes to something risky can be taken back; nothing has started until then. 0 turns it off.",
    control: "number",
    unit: "s",
  },
  uncoveredCommands: {
    section: "deciding",
    label: "Commands that no rule covers",
    hint: "Run confined: in folders you trust, what no rule covers and what nobody can read beforehand runs without asking, without a network and without writing outside of the folder. The price: such a program can still change or delete anything in the folder, and read what the sandbox leaves readable. What loses work, names secrets, leaves this machine or acts with others' rights asks all the same.",
    control: "own",
  },
  holdResponses: {
    section: "deciding",
    label: "Look at responses first",
    hint: "Whatever an agent's requests bring back from the web waits for you, whole, before the agent reads it. Single ones you choose on their card.",
    control: "switch",
  },
  commandLine: {
    section: "deciding",
    label: "Answers from the command line",
    hint: "Lets “approvals” and “threads” of the command line read and answer what waits here. Whatever runs as you can do so too, an agent's command that is not confined among it.",
    control: "switch",
  },
  terminalAgents: {
    section: "deciding",
    label: "Agents in a terminal",
    hint: "Lets Claude Code and Codex ask here when they run in a terminal. They do by themselves what you allow: nothing of it is confined, checked or undone here.",
    control: "own",
  },
  notifications: {
    section: "attention",
    label: "Notifications",
    hint: "Name what waits for you while this window is in the background.",
    control: "switch",
  },
  doNotDisturb: {
    section: "attention",
    label: "Do not disturb",
    hint: "No notifications and no sound; the counts stay.",
    control: "switch",
  },
  maxActiveRuns: {
    section: "running",
    label: "Agents at work at once",
    hint: `${rangeOf("maxActiveRuns")}. Further threads wait in line; one that waits for you does not count.`,
    control: "number",
  },
  commandTimeoutMs: {
    section: "running",
    label: "Time limit of a command",
    hint: "Minutes after which a command is ended and the agent told so.",
    control: "number",
    unit: "min",
  },
  modelCallLimit: {
    section: "running",
    label: "Model calls in one turn",
    hint: `${rangeOf("modelCallLimit")}. A turn that needs more ends there and says so.`,
    control: "number",
  },
  spendingLimitCents: {
    section: "running",
    label: "Spending limit of a thread",
    hint: "Dollars, as estimated, after which a thread waits for you before its next model call, and again after as many more. Calls without a price count for nothing. 0 turns it off.",
    control: "number",
    unit: "$",
  },
  sandbox: {
    section: "running",
    label: "Confined commands",
    hint: "Where the system can hold commands, they run without a network, without your credentials, and write in their folder alone. A card says when one does not.",
    control: "own",
  },
  writableFolders: {
    section: "running",
    label: "More folders to write in",
    hint: "Whole paths, one a line, at most eight. Confined commands that write in their folder write there too; hooks and settings of repositories stay as they are. Each card names them.",
    control: "own",
  },
  hiddenPaths: {
    section: "running",
    label: "More to hide",
    hint: "Whole paths of files and folders, one a line. No confined command sees them; the usual places of keys and tokens are hidden anyway.",
    control: "own",
  },
  hideHome: {
    section: "running",
    label: "Hide my home",
    hint: "Confined commands see nothing of your home but their folders, installed programs and who you are for git.",
    control: "switch",
  },
  webSearch: {
    section: "web",
    label: "Search service",
    hint: "What agents search the web with. Off takes the tool away.",
    control: "own",
  },
} satisfies { [Id in StoredId]: SettingEntry & Control<Settings[Id]> };

/** What stands among the settings and is kept elsewhere, or only shown or done; each has a control of its own. */
export const otherEntries = {
  fatigue: {
    section: "deciding",
    label: "How you decide",
    hint: "Counted on this computer from your newest 500 decisions that are kept here; it is sent nowhere. Those of deleted threads are not counted.",
  },
  keySheet: { section: "keys", label: "All keys", hint: "The sheet of every key, also with ?." },
  models: {
    section: "models",
    label: "Models and keys",
    hint: "Providers, API keys, the default model, prices, servers on this computer.",
  },
  workspaces: {
    section: "workspaces",
    label: "Folders that were opened",
    hint: "A trusted folder may bring its own instructions, skills, commands and rules that loosen. Any folder may tighten.",
  },
  rules: {
    section: "rules",
    label: "Rules",
    hint: "What runs without asking, what always asks, what never runs.",
  },
  dataDir: {
    section: "data",
    label: "Data folder",
    hint: "Threads, decisions, settings and keys are kept here.",
  },
  backup: {
    section: "data",
    label: "Backup",
    hint: "Copies the threads with their decisions, and what the agents remember, into the folder backups. The ten newest of the first and the three newest of the second stay.",
  },
  check: {
    section: "data",
    label: "Check of the data",
    hint: "Reads both databases in full and says whether they are sound. Countersign does so by itself a minute after each start and speaks up only when they are not.",
  },
  ledger: {
    section: "data",
    label: "Record of decisions",
    hint: "Writes every decision so far as a JSONL file.",
  },
  threadImport: {
    section: "data",
    label: "A thread from a file",
    hint: "Write such a file from the menu of a thread. What was decided there is marked as imported in the record here.",
  },
  deepagents: {
    section: "data",
    label: "Threads of the deepagents CLI",
    hint: "Takes them over with what their agents knew. Its database is copied and read, and never written.",
  },
  transfer: {
    section: "data",
    label: "Settings as a file",
    hint: "Keys, rules and agents are not part of it.",
  },
  about: { section: "about", label: "About Countersign", hint: "Version and licence." },
} satisfies Record<string, SettingEntry>;

export type SettingId = StoredId | keyof typeof otherEntries;

/** The stored settings that are set by this kind of control. */
export type SetBy<Kind> = {
  [Id in StoredId]: (typeof storedSettings)[Id]["control"] extends Kind ? Id : never;
}[StoredId];

type NumberId = { [Id in StoredId]: Settings[Id] extends number ? Id : never }[StoredId];

/** What the contract lets a number be, in what it is stored in. */
export function limitsOf(id: NumberId): { min: number; max: number } {
  const { minValue, maxValue } = settingsSchema.shape[id];
  return { min: minValue ?? Number.NEGATIVE_INFINITY, max: maxValue ?? Number.POSITIVE_INFINITY };
}

function rangeOf(id: NumberId): string {
  const { min, max } = limitsOf(id);
  return `${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
}
