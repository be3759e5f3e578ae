/** The approval queue across all threads: what waits, in full, and the commands that decide it. */
import { z } from "zod";
import { approvalIdSchema, commandIdSchema, threadIdSchema } from "../ids.ts";
import {
  decidedBySchema,
  decisionSchema,
  decisionTypeSchema,
  riskSchema,
  sightSchema,
  verdictSchema,
  widthSchema,
} from "./decisions.ts";
import { procedure } from "./procedure.ts";
import { serverCardSchema } from "./remote-servers.ts";
import { subjectSchema } from "./subjects.ts";

/**
 * How many bytes are missing here because they are too many for a list. `approvals.get` has an approval whole, and only
 * its digest approves: the digest of a shortened one stands for what was not seen.
 */
export const leftOutSchema = z.number().int().min(1).optional();

/** tool: a gated tool call · interrupt: a raw `interrupt(value)` · batch: one action of a foreign HITL request · recovery: an execution whose outcome a crash left unknown · escalation: a command that ran confined and was refused something by the sandbox · setAside: what a confined command newly made that steers others, and was moved aside · response: what a request to the web brought back, before the agent reads it · spending: a thread at its spending limit · terminal: an agent in a terminal asks, and acts by itself. */
export const approvalKindSchema = z.enum([
  "tool",
  "interrupt",
  "batch",
  "recovery",
  "escalation",
  "setAside",
  "response",
  "spending",
  "terminal",
]);

export const approvalStatusSchema = z.enum(["pending", "decided", "cancelled"]);

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
  /** Where a thread of a remote server asks; what an answer is bound to is part of the digest. */
  server: serverCardSchema.optional(),
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

export const countSchema = z.number().int().min(0);
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
    z.strictObject({
      id: approvalIdSchema,
      digest: digestSchema,
      confined: z.boolean(),
      /** Confined, with this opened besides; `null` shuts it. */
      grant: z.enum(["network", "sockets"]).nullable().optional(),
    }),
    decideOutcomeSchema,
  ),
  /**
   * Runs a command that waits where nothing of it lasts, and shows what that found; or shows it without that again. Nothing
   * is decided by it. Where something was found its digest is another, and a yes commits what was found.
   */
  "approvals.rehearse": procedure(
    z.strictObject({ id: approvalIdSchema, digest: digestSchema, rehearsed: z.boolean() }),
    decideOutcomeSchema,
  ),
  /** What a rehearsed command would make of one file, by the name its card lists it under; nothing where that is no text. */
  "approvals.rehearsedDiff": procedure(
    z.strictObject({ id: approvalIdSchema, digest: digestSchema, path: z.string().min(1).max(4_096) }),
    z.strictObject({ diff: fileDiffSchema.optional() }),
  ),
  "approvals.snooze": procedure(
    z.strictObject({ id: approvalIdSchema, until: z.number().nullable() }),
    z.strictObject({}),
  ),
};
