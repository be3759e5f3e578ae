/**
 * Every message between host and shell host. The host parses what it says and what it hears, so that a defect stops at the
 * border; the shell host, which trusts it, loads no parser.
 */

import { z } from "zod";
import { commandShellSchema } from "../../shared/command-shell.ts";
import { type ConfinedWidth, isWidth } from "../../shared/width.ts";
import type { CommandResult } from "./command-result.ts";
import type { HeldRequest } from "./held-program.ts";
import type { ShellErrorCode } from "./shell-error.ts";

const executionId = z.string();
/** Names one watcher; given out by the host, never used twice. */
const subscriptionId = z.number();

const runnerOptionsSchema = z.object({
  logDir: z.string(),
  commandShell: commandShellSchema,
  envAllowList: z.array(z.string()),
  limits: z.object({ headBytes: z.number(), tailBytes: z.number() }),
  maxLogBytes: z.number(),
  graceMs: z.number(),
  stallMs: z.number(),
});

/** What holds a confined command; absent for one that runs outside of the sandbox. Its workspace is `cwd`. */
const confiningSchema = z.object({
  program: z.string(),
  width: z.custom<ConfinedWidth>((value) => isWidth(value) && value !== "outside"),
  home: z.string(),
  dataDir: z.string(),
  hidden: z.object({ paths: z.array(z.string()), home: z.boolean() }),
});

const commandRequestSchema = z.object({
  executionId,
  maxLogBytes: z.number(),
  command: z.string(),
  cwd: z.string(),
  confining: confiningSchema.optional(),
  timeoutMs: z.number(),
  env: z.record(z.string(), z.string()),
  cols: z.number(),
  rows: z.number(),
});

/** A program that puts something up for the host to look at; see `held-program.ts`. */
const heldRequestSchema = z.object({
  program: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  handed: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
}) satisfies z.ZodType<HeldRequest>;
/** Given out by the host, never used twice. */
const heldId = z.number();

const stopReasonSchema = z.enum(["timeout", "cancelled", "stopped", "killed"]);

const commandResultSchema = z.object({
  output: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().optional(),
  outcome: z.enum(["exited", ...stopReasonSchema.options]),
  truncated: z.boolean(),
  bytes: z.number(),
  durationMs: z.number(),
  logPath: z.string(),
  logFailure: z.string().optional(),
  stillRunning: z.array(z.object({ pid: z.number(), startTime: z.string(), name: z.string() })),
  mayRunMore: z.boolean(),
  setAside: z.array(z.string()).optional(),
  notConfined: z.string().optional(),
}) satisfies z.ZodType<CommandResult>;

const errorCodes = [
  "not-permitted",
  "invalid-command",
  "already-run",
  "log-unavailable",
  "start-failed",
  "not-confined",
  "closed",
] as const satisfies ShellErrorCode[];

/** What a watcher is told; the result of the command goes ahead of its end, in a message of its own. */
const watchedEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), text: z.string() }),
  z.object({ type: z.literal("skipped"), bytes: z.number() }),
  z.object({ type: z.literal("waitingForInput"), waiting: z.boolean() }),
  z.object({ type: z.literal("ended") }),
]);

/** What the host asks for. The first message is `open`. */
export const toShellHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open"), options: runnerOptionsSchema }),
  /** A confined command is about to be asked for. */
  z.object({ type: z.literal("lookAhead"), executionId, cwd: z.string(), confining: confiningSchema }),
  z.object({ type: z.literal("run"), request: commandRequestSchema }),
  z.object({ type: z.literal("write"), executionId, data: z.string() }),
  z.object({ type: z.literal("resize"), executionId, cols: z.number(), rows: z.number() }),
  z.object({ type: z.literal("kill"), executionId, reason: stopReasonSchema }),
  /** The end of the command has been heard; nobody will ask for it again. */
  z.object({ type: z.literal("release"), executionId }),
  z.object({ type: z.literal("watch"), subscriptionId, executionId, paused: z.boolean() }),
  z.object({ type: z.literal("pause"), subscriptionId, paused: z.boolean() }),
  /** The watcher has taken so many characters of output; see `OutputWindow`. */
  z.object({ type: z.literal("took"), subscriptionId, chars: z.number() }),
  z.object({ type: z.literal("unwatch"), subscriptionId }),
  /** A program that the host started itself, to be ended with the host. */
  z.object({ type: z.literal("guard"), executionId, pid: z.int().positive(), startTime: z.string() }),
  z.object({ type: z.literal("unguard"), executionId }),
  z.object({ type: z.literal("hold"), heldId, request: heldRequestSchema }),
  z.object({ type: z.literal("letGo"), heldId }),
  z.object({ type: z.literal("beat") }),
  z.object({ type: z.literal("dispose") }),
]);

/** What the shell host answers: to `run` one of `started` and `refused`, and after `started` once `ended`; to `hold` once `gone`. */
export const fromShellHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), executionId, pid: z.int().positive(), startTime: z.string() }),
  z.object({
    type: z.literal("refused"),
    executionId,
    code: z.enum(errorCodes),
    field: z.string(),
    message: z.string(),
  }),
  z.object({ type: z.literal("ended"), executionId, result: commandResultSchema }),
  z.object({ type: z.literal("told"), subscriptionId, event: watchedEventSchema }),
  z.object({ type: z.literal("ready"), heldId, pid: z.int().positive() }),
  z.object({ type: z.literal("gone"), heldId, said: z.string() }),
  z.object({ type: z.literal("beat") }),
  z.object({ type: z.literal("disposed") }),
]);

export type RunnerOptions = z.infer<typeof runnerOptionsSchema>;
export type Confining = z.infer<typeof confiningSchema>;
export type CommandRequest = z.infer<typeof commandRequestSchema>;
export type ToShellHost = z.infer<typeof toShellHostSchema>;
export type FromShellHost = z.infer<typeof fromShellHostSchema>;
export type WatchedEvent = z.infer<typeof watchedEventSchema>;
