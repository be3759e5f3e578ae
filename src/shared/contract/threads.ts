/** Threads: their list, their commands, and the shape of what a person reads in one. */
import { z } from "zod";
import {
  type ApprovalId,
  agentIdSchema,
  approvalIdSchema,
  commandIdSchema,
  executionIdSchema,
  messageIdSchema,
  type ThreadId,
  threadIdSchema,
  turnIdSchema,
} from "../ids.ts";
import { shownApprovalSchema } from "./approvals.ts";
import { spentSchema } from "./costs.ts";
import { modelRefSchema } from "./models.ts";
import { actingLevelSchema } from "./outer-agents.ts";
import { procedure, stream } from "./procedure.ts";
import { threadEventSchema } from "./thread-events.ts";
import { transcriptItemSchema } from "./transcript.ts";

export const threadStatusSchema = z.enum([
  "new",
  "queued",
  "running",
  "waiting",
  "interrupted",
  "stopped",
  "failed",
  "done",
]);
export type ThreadStatus = z.infer<typeof threadStatusSchema>;

/** The auto-approve switch while it is on; `null` elsewhere means off. */
export const autoApproveSchema = z.strictObject({
  startedAt: z.number(),
  expiresAt: z.number(),
  maxActions: z.number().int(),
  used: z.number().int(),
});
export type AutoApprove = z.infer<typeof autoApproveSchema>;

/** What a running agent does now. `since` is when it began, in ms since 1970. */
export const activitySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("thinking"), since: z.number() }),
  z.strictObject({ kind: z.literal("writing"), since: z.number() }),
  z.strictObject({
    kind: z.literal("call"),
    tool: z.string(),
    /** The command, path or address, in one line and cut. */
    about: z.string(),
    since: z.number(),
    /** How many other calls run at the same time. */
    beside: z.number().int(),
  }),
]);
export type Activity = z.infer<typeof activitySchema>;

/** What can be done with a thread, by what its agent runs on; nothing else is offered to a person. */
export const abilitiesSchema = z.strictObject({
  /** Go on from before an earlier message. */
  fork: z.boolean(),
  /** Go on with another model. */
  chooseModel: z.boolean(),
  /** Go on with another agent of this console. */
  chooseAgent: z.boolean(),
  /** Let a person change the arguments of a call; each card says itself whether it is so there. */
  editArguments: z.boolean(),
  /** Hand work to sub-agents. */
  subAgents: z.boolean(),
  /** Go on with a turn that was stopped, failed or cut off. */
  resume: z.boolean(),
  /** Travel as a file with all that its agent knows. */
  export: z.boolean(),
  /** Read messages that a person writes here. */
  messages: z.boolean(),
});
export type Abilities = z.infer<typeof abilitiesSchema>;

/** A thread's worktree: its own, or one that it can get as long as it has not begun. */
export const threadWorktreeSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("offered"), wanted: z.boolean() }),
  z.strictObject({
    state: z.literal("own"),
    /** The folder that it was made for. */
    origin: z.string(),
    /** Absent where none is checked out. */
    branch: z.string().optional(),
    /** Commits that only it has, commits that only the folder has, and files not committed; absent until git said so. */
    ahead: z.number().int().optional(),
    behind: z.number().int().optional(),
    dirty: z.number().int().optional(),
  }),
]);
export type ThreadWorktree = z.infer<typeof threadWorktreeSchema>;

export const threadSummarySchema = z.strictObject({
  id: threadIdSchema,
  title: z.string(),
  workspace: z.string(),
  agentId: agentIdSchema,
  model: modelRefSchema,
  status: threadStatusSchema,
  /** How many approvals wait for a person. */
  waiting: z.number().int(),
  /** How many sent messages wait for the running turn to end. */
  mailbox: z.number().int(),
  unread: z.boolean(),
  pinned: z.boolean(),
  archived: z.boolean(),
  can: abilitiesSchema,
  /** Set where the agent is a program of others that acts itself, and what it promises to do before that. */
  actsItself: z.strictObject({ agent: z.string(), level: actingLevelSchema }).optional(),
  autoApprove: autoApproveSchema.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Only while a turn runs and does more than wait. */
  activity: activitySchema.optional(),
  /** How far the plan of the latest turn is; absent where it has none. */
  plan: z.strictObject({ done: z.number().int(), steps: z.number().int().min(1) }).optional(),
  /** How the agent's last words begin, in one line and cut. */
  said: z.string().optional(),
  /** Of all its calls, those of sub-agents too; absent where they cost nothing. */
  cost: spentSchema.optional(),
  /** What went wrong last, in a sentence; only with status `failed` or `interrupted`. */
  problem: z.string().optional(),
  forkedFrom: threadIdSchema.optional(),
  worktree: threadWorktreeSchema.optional(),
});
export type ThreadSummary = z.infer<typeof threadSummarySchema>;

/** What a thread is that came to a halt by itself. */
export const haltedStatuses: ThreadStatus[] = ["failed", "interrupted"];

/** Whether it came to a halt by itself and does not go on before the person says so. */
export function isHalted({ status, archived }: Pick<ThreadSummary, "status" | "archived">): boolean {
  return !archived && haltedStatuses.includes(status);
}

/** Why it came to a halt, for lists and notifications; lists and cards draw the state by its shape. */
export function aboutHalt({ status, problem }: Pick<ThreadSummary, "status" | "problem">): string {
  const state = status === "failed" ? "Failed" : "Interrupted";
  return problem === undefined ? state : `${state}: ${problem}`;
}

/** What stands in the queue for the person: a request, or a thread that came to a halt. */
export const queueEntrySchema = z.union([
  z.strictObject({ approvalId: approvalIdSchema }),
  z.strictObject({ haltedId: threadIdSchema }),
]);
export type QueueEntry = z.infer<typeof queueEntrySchema>;

/** By what an entry is known in the order of the queue. */
export function entryId(entry: QueueEntry): ApprovalId | ThreadId {
  return "approvalId" in entry ? entry.approvalId : entry.haltedId;
}

export const attachmentSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("file"), path: z.string().min(1).max(4_096) }),
  z.strictObject({
    kind: z.literal("image"),
    name: z.string().max(255),
    mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    base64: z.string().max(700_000),
  }),
]);
export type Attachment = z.infer<typeof attachmentSchema>;

/** Live text of a message that is being written; never stored, the finished message is. */
export const deltaSchema = z.strictObject({
  messageId: messageIdSchema,
  turnId: turnIdSchema,
  agentPath: z.array(z.string()),
  parentItemId: z.string().optional(),
  text: z.string().optional(),
  reasoning: z.string().optional(),
  /** A tool call whose arguments the model is still writing. */
  toolName: z.string().optional(),
});
export type Delta = z.infer<typeof deltaSchema>;

/**
 * What a thread's watcher gets: the newest page once (or the missed events when `since` still is in reach),
 * then events as they are committed and deltas in between.
 */
export const threadItemSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("page"),
    items: z.array(transcriptItemSchema),
    hasMore: z.boolean(),
    seq: z.number().int(),
    live: z.array(deltaSchema),
  }),
  z.strictObject({ kind: z.literal("events"), events: z.array(threadEventSchema) }),
  z.strictObject({ kind: z.literal("deltas"), deltas: z.array(deltaSchema) }),
]);
export type ThreadItem = z.infer<typeof threadItemSchema>;

const threadOnly = z.strictObject({ threadId: threadIdSchema });
const nothing = z.strictObject({});

export const threadsContract = {
  "threads.create": procedure(
    z.strictObject({
      commandId: commandIdSchema,
      workspace: z.string().min(1).max(4_096),
      title: z.string().trim().max(200).optional(),
      agentId: agentIdSchema.optional(),
      model: modelRefSchema.optional(),
    }),
    threadSummarySchema,
  ),
  "threads.send": procedure(
    z.strictObject({
      commandId: commandIdSchema,
      threadId: threadIdSchema,
      text: z.string().max(200_000),
      attachments: z.array(attachmentSchema).max(20).default([]),
      /** What to do with approvals that wait: keep them and queue the message, reject them with this text, or cancel the turn. */
      whileWaiting: z.enum(["queue", "reject", "cancel"]).default("queue"),
    }),
    z.strictObject({ messageId: messageIdSchema, turnId: turnIdSchema, queued: z.boolean() }),
  ),
  "threads.cancelQueued": procedure(
    z.strictObject({ threadId: threadIdSchema, messageId: messageIdSchema }),
    nothing,
  ),
  "threads.stop": procedure(threadOnly, nothing),
  /** Goes on after a crash, a stop or a failed model call, from the last checkpoint. */
  "threads.resume": procedure(
    z.strictObject({ commandId: commandIdSchema, threadId: threadIdSchema }),
    nothing,
  ),
  "threads.fork": procedure(
    z.strictObject({
      commandId: commandIdSchema,
      threadId: threadIdSchema,
      messageId: messageIdSchema,
      text: z.string().max(200_000).optional(),
    }),
    threadSummarySchema,
  ),
  "threads.rename": procedure(
    z.strictObject({ threadId: threadIdSchema, title: z.string().trim().min(1).max(200) }),
    nothing,
  ),
  /** From the next message on; a turn that was left unfinished goes on with it too. */
  "threads.setModel": procedure(z.strictObject({ threadId: threadIdSchema, model: modelRefSchema }), nothing),
  /** From the next message on, with the model that the agent names, if it names one. */
  "threads.setAgent": procedure(
    z.strictObject({ threadId: threadIdSchema, agentId: agentIdSchema }),
    nothing,
  ),
  "threads.setFlags": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      unread: z.boolean().optional(),
    }),
    nothing,
  ),
  /** Whether a thread that has not begun gets a worktree of its own; later threads in its folder begin with the same choice. */
  "threads.chooseWorktree": procedure(
    z.strictObject({ threadId: threadIdSchema, wanted: z.boolean() }),
    nothing,
  ),
  /** `left` says where what was not committed in its worktree is kept; absent where nothing was. */
  "threads.delete": procedure(threadOnly, z.strictObject({ left: z.string().optional() })),
  "threads.page": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      /** Positions of which at most one is given; with none it is the newest page. */
      before: z.number().int().optional(),
      after: z.number().int().optional(),
      around: z.number().int().optional(),
      limit: z.number().int().min(1).max(200),
    }),
    /** `hasMore` items before the first one, `hasNewer` after the last one. */
    z.strictObject({ items: z.array(transcriptItemSchema), hasMore: z.boolean(), hasNewer: z.boolean() }),
  ),
  /** One item whole. */
  "threads.item": procedure(
    z.strictObject({ threadId: threadIdSchema, itemId: z.string().min(1) }),
    transcriptItemSchema,
  ),
  "threads.search": procedure(
    z.strictObject({
      query: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(100).default(30),
    }),
    z.strictObject({
      hits: z.array(
        z.strictObject({
          threadId: threadIdSchema,
          itemId: z.string(),
          position: z.number().int(),
          snippet: z.string(),
        }),
      ),
    }),
  ),
  /** The items of one thread that show a text, in any case: messages, tool calls with their results, plans, notices. */
  "threads.find": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      query: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(2_000).default(1_000),
    }),
    z.strictObject({
      /** In reading order. */
      hits: z.array(z.strictObject({ itemId: z.string(), position: z.number().int() })),
      /** False when there are more; then these are the newest. */
      complete: z.boolean(),
    }),
  ),
  "threads.setAutoApprove": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      on: z.boolean(),
      minutes: z.number().int().min(1).max(480).default(30),
      maxActions: z.number().int().min(1).max(1_000).default(50),
      /** Of what already waits, that which the person saw and confirmed: approved now, by recorded decisions, and nothing else. */
      approve: z.array(shownApprovalSchema).max(1_000).default([]),
    }),
    z.strictObject({
      autoApprove: autoApproveSchema.nullable(),
      approved: z.array(approvalIdSchema),
      /** Confirmed, but not approved, because it is not what was shown any more. */
      left: z.array(z.strictObject({ id: approvalIdSchema, why: z.string() })),
    }),
  ),
  /** What turning the switch on would do to what waits now; changes nothing. */
  "threads.previewAutoApprove": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      maxActions: z.number().int().min(1).max(1_000).default(50),
    }),
    z.strictObject({
      passes: z.array(shownApprovalSchema),
      stays: z.array(z.strictObject({ id: approvalIdSchema, why: z.string() })),
    }),
  ),
  "threads.stopAllAutoApprove": procedure(nothing, z.strictObject({ stopped: z.number().int() })),
  "threads.diskUse": procedure(
    threadOnly,
    z.strictObject({
      checkpointBytes: z.number(),
      eventBytes: z.number(),
      logBytes: z.number(),
      /** What undo needs: of this thread, of all together, and how much that may be. */
      undo: z.strictObject({ bytes: z.number(), ofAll: z.number(), budget: z.number() }),
    }),
  ),
  "threads.prune": procedure(
    z.strictObject({ threadId: threadIdSchema, keepTurns: z.number().int().min(1), preview: z.boolean() }),
    z.strictObject({ checkpoints: z.number().int(), bytes: z.number().int() }),
  ),
  "threads.export": procedure(threadOnly, z.strictObject({ path: z.string() })),
  "threads.import": procedure(
    z.strictObject({ path: z.string().min(1).max(4_096), workspace: z.string().min(1).max(4_096) }),
    threadSummarySchema,
  ),
  "threads.watch": stream(
    z.strictObject({
      threadId: threadIdSchema,
      since: z.number().int().optional(),
      tail: z.number().int().min(1).max(200).default(60),
    }),
    threadItemSchema,
  ),
  "executions.watch": stream(
    z.strictObject({ executionId: executionIdSchema }),
    z.strictObject({
      data: z.string(),
      state: z.enum(["running", "ended"]),
      waitingForInput: z.boolean().optional(),
      /** What the command has written up to here; of one that had ended before, what its log holds in all. */
      bytes: z.number().int().optional(),
      /** Of a command that had ended before: the lines its log holds, unless those are too many to be counted. */
      lines: z.number().int().optional(),
    }),
  ),
  "executions.write": procedure(
    z.strictObject({ executionId: executionIdSchema, data: z.string().max(10_000) }),
    nothing,
  ),
  /** Ends this command with all it started; the turn goes on, and the agent is told. Answers when it has ended. */
  "executions.stop": procedure(z.strictObject({ executionId: executionIdSchema }), nothing),
  "executions.resize": procedure(
    z.strictObject({
      executionId: executionIdSchema,
      cols: z.number().int().min(20).max(500),
      rows: z.number().int().min(5).max(300),
    }),
    nothing,
  ),
};
