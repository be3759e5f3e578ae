/** Threads: their list, and what a person does with one. */
import { z } from "zod";
import {
  type ApprovalId,
  agentIdSchema,
  approvalIdSchema,
  commandIdSchema,
  messageIdSchema,
  type ThreadId,
  threadIdSchema,
  turnIdSchema,
} from "../ids.ts";
import { autoApproveSchema } from "./auto-approve.ts";
import { spentSchema } from "./costs.ts";
import { modelRefSchema, namedModelSchema } from "./models.ts";
import { actingSchema } from "./outer-agents.ts";
import { procedure } from "./procedure.ts";

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
  actsItself: actingSchema.optional(),
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

const threadOnly = z.strictObject({ threadId: threadIdSchema });
const nothing = z.strictObject({});

export const threadsContract = {
  "threads.create": procedure(
    z.strictObject({
      commandId: commandIdSchema,
      workspace: z.string().min(1).max(4_096),
      title: z.string().trim().max(200).optional(),
      agentId: agentIdSchema.optional(),
      model: namedModelSchema.optional(),
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
  "threads.setModel": procedure(
    z.strictObject({ threadId: threadIdSchema, model: namedModelSchema }),
    nothing,
  ),
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
};
