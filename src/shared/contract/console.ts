/** What the window needs to be drawn: host facts, settings, and one stream with every thread and every waiting approval. */
import { z } from "zod";
import { approvalIdSchema, threadIdSchema } from "../ids.ts";
import { mostNamedFolders } from "../width.ts";
import { approvalSchema } from "./approvals.ts";
import { daySpentSchema } from "./costs.ts";
import { keyStorageSchema, webAddressSchema } from "./models.ts";
import { procedure, stream } from "./procedure.ts";
import { queueEntrySchema, threadSummarySchema } from "./threads.ts";

export const settingsSchema = z.strictObject({
  theme: z.enum(["system", "light", "dark"]),
  fontSize: z.number().int().min(11).max(20),
  singleKeys: z.boolean(),
  /** How long an approve of a medium or high risk can be taken back; 0 turns it off. */
  undoGraceMs: z.number().int().min(0).max(10_000),
  notifications: z.boolean(),
  doNotDisturb: z.boolean(),
  maxActiveRuns: z.number().int().min(1).max(32),
  commandTimeoutMs: z.number().int().min(1_000).max(86_400_000),
  modelCallLimit: z.number().int().min(1).max(10_000),
  /** US cents that a thread may cost before a person is asked whether it goes on; 0 asks never. */
  spendingLimitCents: z.number().int().min(0).max(1_000_000),
  webSearch: z.discriminatedUnion("provider", [
    z.strictObject({ provider: z.literal("off") }),
    z.strictObject({ provider: z.literal("tavily") }),
    z.strictObject({ provider: z.literal("searxng"), url: webAddressSchema }),
  ]),
  /** Whatever the web brings back waits for a person before an agent reads it. */
  holdResponses: z.boolean(),
  /** What becomes of commands that no rule covers, where a sandbox bounds them: it may be turned on only where there is one. */
  uncoveredCommands: z.enum(["ask", "confined"]),
  /** `auto`: commands are confined where that can be relied on · `require`: elsewhere nothing runs unasked either. */
  sandbox: z.enum(["auto", "require", "off"]),
  /** Where confined commands that write may write too; whole paths, each in the width of what runs. */
  writableFolders: z.array(z.string().min(1).max(4_096)).max(mostNamedFolders),
  /** Files and folders that no confined command sees. */
  hiddenPaths: z.array(z.string().min(1).max(4_096)).max(50),
  /** Confined commands see nothing of the home but their folders and installed programs. */
  hideHome: z.boolean(),
  /** Whether approvals may be answered from the command line, so by whatever runs as this user. */
  commandLine: z.boolean(),
  /** Whether agents in terminals may ask here, through their hook. */
  terminalAgents: z.boolean(),
  firstRunDone: z.boolean(),
  /** Whether the person was offered to let uncovered commands run confined: `later` is one no, `declined` the last. */
  confinedOffer: z.enum(["open", "later", "declined"]),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: "system",
  fontSize: 13,
  singleKeys: true,
  undoGraceMs: 3_000,
  notifications: true,
  doNotDisturb: false,
  maxActiveRuns: 8,
  commandTimeoutMs: 600_000,
  modelCallLimit: 200,
  spendingLimitCents: 0,
  webSearch: { provider: "off" },
  holdResponses: false,
  uncoveredCommands: "ask",
  sandbox: "auto",
  writableFolders: [],
  hiddenPaths: [],
  hideHome: false,
  commandLine: false,
  terminalAgents: false,
  firstRunDone: false,
  confinedOffer: "open",
};

/** Whether commands can be confined on this machine. `why` is a part of a sentence: "… not available, because …" */
export const sandboxStateSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("untried") }),
  z.strictObject({ state: z.literal("usable") }),
  z.strictObject({ state: z.literal("unusable"), why: z.string() }),
]);
export type SandboxState = z.infer<typeof sandboxStateSchema>;

export const hostInfoSchema = z.strictObject({
  version: z.string(),
  mode: z.enum(["electron", "browser"]),
  platform: z.string(),
  dataDir: z.string(),
  home: z.string(),
  /** The workspace given at start, so that New thread needs no dialog. */
  workspace: z.string().nullable(),
  hasFolderDialog: z.boolean(),
  /** Where commands look for programs, and why that is not the login shell's PATH where it was asked for. */
  commandPath: z.strictObject({
    source: z.enum(["as-started", "login-shell"]),
    path: z.string(),
    problem: z.string().nullable(),
  }),
  /** What reads the commands, such as bash 5.2; the version is known once an agent was told it. */
  commandShell: z.strictObject({ kind: z.enum(["bash", "powershell"]), title: z.string() }),
  sandbox: sandboxStateSchema,
  /** Things a person should know about this start: a restored backup, a broken settings file. */
  warnings: z.array(z.string()),
  /** The system showed none of the notifications it was given. */
  notificationsFail: z.boolean().optional(),
});
export type HostInfo = z.infer<typeof hostInfoSchema>;

/**
 * The console stream: `reset` first (or after falling behind), then pages of the snapshot, `ready`, and changes.
 * A thread or approval arrives whole; a decided or cancelled approval arrives once with its final state.
 */
export const consoleItemSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("reset"), settings: settingsSchema, host: hostInfoSchema }),
  z.strictObject({ kind: z.literal("threads"), threads: z.array(threadSummarySchema) }),
  z.strictObject({ kind: z.literal("approvals"), approvals: z.array(approvalSchema) }),
  z.strictObject({ kind: z.literal("ready"), seq: z.number().int(), today: daySpentSchema }),
  z.strictObject({
    kind: z.literal("changes"),
    seq: z.number().int(),
    threads: z.array(threadSummarySchema),
    removedThreads: z.array(threadIdSchema),
    approvals: z.array(approvalSchema),
    removedApprovals: z.array(approvalIdSchema),
    settings: settingsSchema.optional(),
    /** More was spent, or it is another day. */
    today: daySpentSchema.optional(),
    /** Something a person should know came up after the start. */
    host: hostInfoSchema.optional(),
    /** The person asked for this outside of the window, as by clicking its notification. */
    show: queueEntrySchema.optional(),
  }),
]);
export type ConsoleItem = z.infer<typeof consoleItemSchema>;

const databaseCheckSchema = z.strictObject({
  /** The file's name in the data folder. */
  name: z.string(),
  state: z.enum(["sound", "damaged", "absent", "unread"]),
  bytes: z.number(),
  /** What is wrong, in the words of the database; empty when nothing is. */
  findings: z.array(z.string()),
  soundBackup: z.string().optional(),
});

/** One `checking` as each file is begun, then `checked`, and the stream ends. */
export const dataCheckItemSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("checking"),
    name: z.string(),
    bytes: z.number(),
    step: z.number().int(),
    of: z.number().int(),
  }),
  z.strictObject({
    kind: z.literal("checked"),
    checks: z.array(databaseCheckSchema),
    /** What to do about the damage, in sentences. */
    advice: z.string().optional(),
  }),
]);
export type DataCheckItem = z.infer<typeof dataCheckItemSchema>;

export const consoleContract = {
  "host.info": procedure(z.strictObject({}), hostInfoSchema),
  /** `path`: threads, decisions and their record; `checkpoints`: what the agents remember, absent while none has run. */
  "host.backup": procedure(
    z.strictObject({}),
    z.strictObject({ path: z.string(), checkpoints: z.string().optional() }),
  ),
  /** Reads both databases in full, away from everything else; leaving the stream ends it. */
  "host.checkData": stream(z.strictObject({}), dataCheckItemSchema),
  /** Asks the person with the full host name in view, then opens an https address in their browser. */
  "host.openLink": procedure(
    z.strictObject({ url: z.url({ protocol: /^https$/ }).max(2_000) }),
    z.strictObject({ opened: z.boolean() }),
  ),
  "settings.get": procedure(z.strictObject({}), settingsSchema),
  /** Changes only the fields that are given. */
  "settings.update": procedure(settingsSchema.partial(), settingsSchema),
  /** Keeps, or with `null` forgets, the key of the Tavily search service; no answer ever carries it. */
  "settings.setSearchKey": procedure(
    z.strictObject({ key: z.string().trim().min(1).max(4_000).nullable() }),
    z.strictObject({}),
  ),
  /** Whether such a key is there and where it is kept; `unlock` asks the keychain once more for a locked one. */
  "settings.searchKey": procedure(
    z.strictObject({ unlock: z.boolean().optional() }),
    z.strictObject({ keyStorage: keyStorageSchema.optional() }),
  ),
  "console.watch": stream(z.strictObject({}), consoleItemSchema),
  /** A person has this window in view for as long as it is open; it tells nothing. */
  "console.inView": stream(z.strictObject({}), z.strictObject({})),
};
