/** The approval queue across all threads: what waits, in full, and the commands that decide it. */
import { z } from "zod";
import { approvalIdSchema, commandIdSchema, executionIdSchema, threadIdSchema } from "../ids.ts";
import {
  decidedBySchema,
  decisionSchema,
  decisionTypeSchema,
  riskSchema,
  seenSchema,
  sightSchema,
  verdictSchema,
  widthSchema,
} from "./decisions.ts";
import { outerCallKindSchema } from "./outer-agents.ts";
import { procedure } from "./procedure.ts";
import { receiptSchema } from "./thread-events.ts";

/**
 * How many bytes are missing here because they are too many for a list. `approvals.get` has an approval whole, and only
 * its digest approves: the digest of a shortened one stands for what was not seen.
 */
const leftOutSchema = z.number().int().min(1).optional();

/** tool: a gated tool call · interrupt: a raw `interrupt(value)` · batch: one action of a foreign HITL request · recovery: an execution whose outcome a crash left unknown · escalation: a command that ran confined and was refused something by the sandbox · spending: a thread at its spending limit · terminal: an agent in a terminal asks, and acts by itself. */
export const approvalKindSchema = z.enum([
  "tool",
  "interrupt",
  "batch",
  "recovery",
  "escalation",
  "spending",
  "terminal",
]);

export const approvalStatusSchema = z.enum(["pending", "decided", "cancelled"]);

/** As many as there are keys for. */
export const mostChoices = 9;

/** An answer as it would be sent, and what the asker says about it. */
const choiceSchema = z.strictObject({ answer: z.string(), about: z.string().optional() });
export type Choice = z.infer<typeof choiceSchema>;

/** Files that changed while a command ran, as far as the look at its folder found them. */
const changedFilesSchema = z.strictObject({
  count: z.number().int().min(0),
  /** The first of them by name, from the workspace on where they are in it. */
  paths: z.array(z.string()),
  /** False where more may have changed than was found. */
  whole: z.boolean(),
});
export type ChangedFiles = z.infer<typeof changedFilesSchema>;

/** What the card shows: the exact command, the exact file change, or the value that asks. */
export const subjectSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("command"), command: z.string(), cwd: z.string() }),
  z.strictObject({
    kind: z.literal("file"),
    operation: z.enum(["write", "edit", "delete", "move", "read"]),
    /** Where it really leads, links followed. */
    path: z.string(),
    /** The path as the agent gave it, when a link leads from there to `path`. */
    askedAs: z.string().optional(),
    /** Where a move brings it, likewise; nothing is there now. */
    movedTo: z.string().optional(),
    movedToAskedAs: z.string().optional(),
    added: z.number().int(),
    removed: z.number().int(),
    /** The file on disk is not what it was when this was asked; it must be looked at again. */
    stale: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("url"), url: z.string() }),
  z.strictObject({
    kind: z.literal("question"),
    question: z.string(),
    wants: z.enum(["text", "json"]),
    /** Answers the asker offers; any other is taken as well. */
    choices: z.array(choiceSchema).min(1).max(mostChoices).optional(),
  }),
  z.strictObject({ kind: z.literal("arguments") }),
  z.strictObject({
    kind: z.literal("outer"),
    /** The agent that would act itself, by the name a person gave it. */
    agent: z.string(),
    does: outerCallKindSchema,
    /** In a line, in the agent's words. */
    about: z.string(),
    /** The agent told nothing that could be read. */
    blank: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("spending"),
    /** US dollars the thread is estimated to have cost, and whether it is more since some calls have no price. */
    dollars: z.number(),
    more: z.boolean(),
    /** US dollars at which it waits, and at which it waits again when it may go on. */
    limit: z.number(),
    nextLimit: z.number(),
  }),
  z.strictObject({
    kind: z.literal("terminal"),
    /** The program that asks, and does it by itself. */
    agent: z.string(),
    cwd: z.string(),
    /** Where the arguments are about one: the command, the path or the address as the agent gave it. */
    about: z.string().optional(),
    /** The agent does not wait for an answer any more. */
    gone: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("escalation"),
    /** What ran, and would run a second time. */
    command: z.string(),
    /** The lines of its output that look like a refusal: its own words, which may be anything. */
    refused: z.array(z.string()),
    exitCode: z.number().int().nullable(),
    /** The end of what the first run printed. */
    output: z.string(),
    /** What the first run changed; absent where nobody looked, as with what was asked before this was told. */
    changed: changedFilesSchema.optional(),
    executionId: executionIdSchema,
  }),
  z.strictObject({
    kind: z.literal("recovery"),
    what: z.string(),
    startedAt: z.number(),
    output: z.string(),
    executionId: executionIdSchema,
    /** What running it again would do to a file as it is now; absent for what is no file change or cannot be made. */
    change: z
      .strictObject({
        operation: z.enum(["write", "edit", "delete", "move"]),
        path: z.string(),
        movedTo: z.string().optional(),
        added: z.number().int(),
        removed: z.number().int(),
      })
      .optional(),
  }),
]);
export type Subject = z.infer<typeof subjectSchema>;

/** What the agent wrote before the call: its end, on one line. */
export const saidSchema = z.strictObject({
  text: z.string(),
  /** How many bytes stand before it. */
  leftOut: z.number().int().min(1).optional(),
});
export type Said = z.infer<typeof saidSchema>;

/** A part of a call that the person did not write. */
export const cardOriginSchema = z.strictObject({
  /** The argument it stands in, `recipients.0` in a list, and its place there by characters. */
  argument: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  /**
   * address: whom it reaches · place: a file that a text of others names · content: words of others or of a secret ·
   * unreadable: nobody can tell what it says.
   */
  what: z.enum(["address", "place", "content", "unreadable"]),
  /** Its beginning. */
  text: z.string(),
  /** What said it before; absent where nothing that was read did. */
  from: z.string().optional(),
  /** What said it must not go anywhere. */
  secret: z.boolean().optional(),
  /** How many calls ago that was read. */
  steps: z.number().int().nonnegative().optional(),
});
export type CardOrigin = z.infer<typeof cardOriginSchema>;

export const approvalSchema = z.strictObject({
  id: approvalIdSchema,
  kind: approvalKindSchema,
  threadId: threadIdSchema,
  threadTitle: z.string(),
  workspace: z.string(),
  /** The transcript item of the tool call. */
  itemId: z.string(),
  /** Empty for the thread's own agent; else the names of the sub-agents down to the one that asks. */
  agentPath: z.array(z.string()),
  tool: z.string(),
  subject: subjectSchema,
  description: z.string().optional(),
  /** A claim of the agent, which decides nothing and is no part of the digest. */
  said: saidSchema.optional(),
  verdict: verdictSchema,
  /** What of it the person did not write, once text of others was read; absent where nobody looked. */
  origins: z.array(cardOriginSchema).optional(),
  /** For a command: how far it may reach when it is approved. Part of the digest. */
  width: widthSchema.optional(),
  risk: riskSchema,
  allowedDecisions: z.array(decisionTypeSchema),
  /** Binds the decision to exactly what was shown; a decision with another digest is a conflict. */
  digest: z.string(),
  status: approvalStatusSchema,
  requestedAt: z.number(),
  snoozedUntil: z.number().optional(),
  decision: decisionSchema.optional(),
  decidedBy: decidedBySchema.optional(),
  decidedAt: z.number().optional(),
  /** Until then an approve can be taken back and nothing has started. */
  effectiveAt: z.number().optional(),
  /** Equal for commands of the same form, so that equal ones can be decided together. */
  shape: z.string(),
  leftOut: leftOutSchema,
});
export type Approval = z.infer<typeof approvalSchema>;

export const fileDiffSchema = z.strictObject({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  tooLarge: z.boolean(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

const countSchema = z.number().int().min(0);
/** `kept`: git has them as they are now, so it can bring them back · `lost`: it has not. `more`: there may be more of it. */
const reachFactSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("deletes"), kept: countSchema, lost: countSchema, more: z.boolean() }),
  z.strictObject({ kind: z.literal("leaves"), to: z.array(z.string()), more: z.boolean() }),
  z.strictObject({
    kind: z.literal("writes"),
    kept: countSchema,
    lost: countSchema,
    created: countSchema,
    more: z.boolean(),
  }),
]);

/** What an action would reach as things are now, the worst first; nothing is run for it. */
export const reachSchema = z.strictObject({
  facts: z.array(reachFactSchema),
  /** Programs of which nobody can tell from the text what else they do. */
  unknown: z.array(z.string()),
  /** The same is so of more than has a name here. */
  unknownAll: z.boolean(),
});
export type Reach = z.infer<typeof reachSchema>;

/** Everything about one approval. What is too large to be shown at all comes shortened and can only be rejected. */
export const approvalDetailSchema = z.strictObject({
  approval: approvalSchema,
  args: z.record(z.string(), z.unknown()),
  /** JSON Schema of the tool's arguments, for the edit form. */
  argsSchema: z.record(z.string(), z.unknown()).optional(),
  diff: fileDiffSchema.optional(),
  /** The value a raw interrupt asked with. */
  value: z.unknown().optional(),
  proposal: z
    .strictObject({ rule: z.string().optional(), exact: z.boolean().optional(), why: z.string().optional() })
    .optional(),
});
export type ApprovalDetail = z.infer<typeof approvalDetailSchema>;

/** Where a line comes from that arrived with an imported thread: nothing of it was decided or done on this machine. */
const importedLineSchema = z.strictObject({
  /** When it was imported. */
  at: z.number(),
  /** Its thread, its id and what it named in the ledger it was first written to. */
  threadId: threadIdSchema,
  line: z.number().int(),
  approvalId: approvalIdSchema.optional(),
  executionId: executionIdSchema.optional(),
});

export const ledgerEntrySchema = z.strictObject({
  id: z.number().int(),
  at: z.number(),
  threadId: threadIdSchema,
  threadTitle: z.string(),
  agentPath: z.array(z.string()),
  tool: z.string(),
  originalArgs: z.record(z.string(), z.unknown()),
  finalArgs: z.record(z.string(), z.unknown()).optional(),
  cwd: z.string(),
  verdict: verdictSchema,
  decision: decisionSchema,
  by: decidedBySchema,
  /** How far the command could reach; absent for what is none, and in lines from before it was recorded. */
  width: widthSchema.optional(),
  /** Only of what a person decided; absent where it is not known, as in lines from before it was recorded. */
  seen: seenSchema.optional(),
  approvalId: approvalIdSchema.optional(),
  executionId: executionIdSchema.optional(),
  /** The transcript item of the tool call that was executed, and its place; absent for refusals and once its thread is deleted. */
  itemId: z.string().optional(),
  position: z.number().int().optional(),
  receipt: receiptSchema.optional(),
  imported: importedLineSchema.optional(),
  leftOut: leftOutSchema,
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

const digestSchema = z.string().min(1).max(200);
/** How long an approve may still be taken back; the effect starts afterwards. */
const graceMsSchema = z.number().int().min(0).max(10_000).default(0);
/** Decided or taken back at once; more are sent in parts. */
export const mostAtOnce = 500;

/**
 * One approval as it was shown: a decision about it means this and nothing else. Without `seen` it was not seen in full,
 * as where a notification or a command line decides.
 */
export const shownApprovalSchema = z.strictObject({
  id: approvalIdSchema,
  digest: digestSchema,
  seen: sightSchema.optional(),
});
export type ShownApproval = z.infer<typeof shownApprovalSchema>;

/** Only what is the same for every one of them can be said of many. */
const decideInputSchema = z
  .strictObject({
    commandId: commandIdSchema,
    items: z.array(shownApprovalSchema).min(1).max(mostAtOnce),
    decision: decisionSchema,
    graceMs: graceMsSchema,
  })
  .refine(({ items, decision }) => items.length === 1 || ["approve", "reject"].includes(decision.type), {
    path: ["decision"],
    error: "An edit or an answer is given to one call at a time.",
  });

const decideOutcomeSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), approval: approvalSchema }),
  /** Somebody else decided, it went stale, or the decision is not allowed: `approval` is its state now. */
  z.strictObject({ ok: z.literal(false), reason: z.string(), approval: approvalSchema.optional() }),
]);
export type DecideOutcome = z.infer<typeof decideOutcomeSchema>;

export const approvalsContract = {
  "approvals.get": procedure(z.strictObject({ id: approvalIdSchema }), approvalDetailSchema),
  /** Looked up when it is asked for, in a bounded time; nothing of it is stored. */
  "approvals.reach": procedure(z.strictObject({ id: approvalIdSchema }), reachSchema),
  /** One commit for all that can be decided, with one end of their grace; the others say why not. In the order of the items. */
  "approvals.decide": procedure(
    decideInputSchema,
    z.strictObject({ outcomes: z.array(decideOutcomeSchema) }),
  ),
  /** Takes back those that have not started, in one commit; outcomes in the order of the ids. */
  "approvals.undo": procedure(
    z.strictObject({ ids: z.array(approvalIdSchema).min(1).max(mostAtOnce) }),
    z.strictObject({ outcomes: z.array(decideOutcomeSchema) }),
  ),
  /** Shows a command that waits with or without the sandbox; nothing is decided by that, and its digest is another. */
  "approvals.confine": procedure(
    z.strictObject({ id: approvalIdSchema, digest: digestSchema, confined: z.boolean() }),
    decideOutcomeSchema,
  ),
  "approvals.snooze": procedure(
    z.strictObject({ id: approvalIdSchema, until: z.number().nullable() }),
    z.strictObject({}),
  ),
  "approvals.ledger": procedure(
    z.strictObject({
      query: z.string().max(200).optional(),
      threadId: threadIdSchema.optional(),
      /** Only what a person decided: seen in full, or not known to have been. */
      seen: z.enum(["inFull", "notInFull"]).optional(),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(200),
    }),
    /** Fewer than asked for when they are large; long texts are shortened. */
    z.strictObject({ entries: z.array(ledgerEntrySchema), hasMore: z.boolean() }),
  ),
  /** One line whole. */
  "approvals.ledgerEntry": procedure(z.strictObject({ id: z.number().int() }), ledgerEntrySchema),
  /** What the ledger says of some tool calls of a thread, oldest first; a call that never started has no entry. */
  "approvals.ledgerOfCalls": procedure(
    z.strictObject({ threadId: threadIdSchema, itemIds: z.array(z.string()).min(1).max(200) }),
    z.strictObject({ entries: z.array(ledgerEntrySchema) }),
  ),
  "approvals.exportLedger": procedure(z.strictObject({}), z.strictObject({ path: z.string() })),
  /** How the person decided lately, counted on this machine from their own decisions; nothing of it leaves the machine. */
  "approvals.fatigue": procedure(
    z.strictObject({}),
    z.strictObject({
      decided: countSchema,
      /** Since the first of these. */
      days: countSchema,
      /** In hours in which somebody sat there. */
      perHour: z.number(),
      perThread: z.number(),
      approved: countSchema,
      /** How long a card was in view when it was decided alone, the median; absent where nobody measured it. */
      lookMs: countSchema.optional(),
      looked: countSchema,
      /** Approvals of cards of high risk, and those of them that were in view for less than a second. */
      risky: countSchema,
      hurried: countSchema,
      /** Approvals of which the like was rejected later. */
      regretted: countSchema,
      /** The one change that would have spared most; absent where none would have spared much. */
      change: z.strictObject({ kind: z.enum(["rules", "together"]), spared: countSchema }).optional(),
    }),
  ),
};
