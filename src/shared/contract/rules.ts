/** The person's rules: what they are, what one would have answered, and which the record offers. */
import { z } from "zod";
import { approvalIdSchema, ruleIdSchema, threadIdSchema } from "../ids.ts";
import { procedure } from "./procedure.ts";

const ruleSchema = z.strictObject({
  id: ruleIdSchema,
  /** The rule as it stands in the rules file, such as `npm test`. */
  text: z.string(),
  /** It holds for this whole command only, in the workspace's own folder; without it for every command that begins so. */
  exact: z.boolean().optional(),
  /** It allows only what is written just so, with nothing before or around it; so are those of other programs. */
  asWritten: z.boolean().optional(),
  effect: z.enum(["allow", "ask", "deny"]),
  scope: z.enum(["thread", "workspace", "user"]),
  target: z.enum(["command", "file"]),
  workspace: z.string().optional(),
  threadId: threadIdSchema.optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

/** In characters; a longer command always asks, whatever rule there is. */
export const longestRule = 8_192;

const newRule = z.strictObject({
  text: z.string().trim().min(1).max(longestRule),
  /** Absent means as it is usual for the rule's program. */
  exact: z.boolean().optional(),
  effect: z.enum(["allow", "ask", "deny"]),
  scope: z.enum(["thread", "workspace", "user"]),
  target: z.enum(["command", "file"]).default("command"),
  threadId: threadIdSchema.optional(),
  workspace: z.string().max(4_096).optional(),
});

/** `approved`: so many past requests in this folder it would have answered, none of which the person rejected. */
const ruleOfferSchema = z.strictObject({ text: z.string(), approved: z.number().int() });
export type RuleOffer = z.infer<typeof ruleOfferSchema>;

const confinedPreviewSchema = z.strictObject({
  decided: z.number().int(),
  wouldRun: z.number().int(),
  samples: z.array(z.string()),
  /** The newest of those that the person rejected. */
  rejected: z.array(z.string()),
  /** Why it cannot be turned on here, as a part of a sentence; absent when it can. */
  unavailable: z.string().optional(),
});

export const rulesContract = {
  "rules.list": procedure(
    z.strictObject({}),
    z.strictObject({
      rules: z.array(ruleSchema),
      file: z.string(),
      problems: z.array(
        z.strictObject({ line: z.number(), column: z.number(), field: z.string(), message: z.string() }),
      ),
    }),
  ),
  "rules.preview": procedure(
    /** `except`: a request that is decided together with it. */
    newRule.extend({ except: approvalIdSchema.optional() }),
    z.strictObject({
      ok: z.boolean(),
      message: z.string().optional(),
      /** Whether the rule would stand for exactly its command. */
      exact: z.boolean().optional(),
      wouldApprove: z.number().int(),
      ofWhichRejected: z.number().int(),
      samples: z.array(z.string()),
      /** The newest of those that the person rejected. */
      rejected: z.array(z.string()),
      /** How many that wait now it would have let pass, and the first of them; absent when it is none. */
      waiting: z.strictObject({ count: z.number().int(), ids: z.array(approvalIdSchema) }).optional(),
    }),
  ),
  /** Of the person's last decisions about commands those that would have run confined unasked, in one folder or in all. */
  "rules.previewConfined": procedure(
    z.strictObject({ workspace: z.string().min(1).max(4_096).optional() }),
    confinedPreviewSchema,
  ),
  /** The same, where it is worth offering now. */
  "rules.offerConfined": procedure(
    z.strictObject({}),
    z.strictObject({ offer: confinedPreviewSchema.optional() }),
  ),
  "rules.declineConfined": procedure(z.strictObject({}), z.strictObject({})),
  /** The rule that would have answered what the person decided alike a few times; absent where none is worth it. */
  "rules.offer": procedure(
    z.strictObject({ id: approvalIdSchema }),
    z.strictObject({ offer: ruleOfferSchema.optional() }),
  ),
  /** The few rules that would have answered most of the person's last decisions about commands and none of those they rejected. */
  "rules.suggest": procedure(
    z.strictObject({}),
    z.strictObject({
      /** How many decisions were looked at. */
      decided: z.number().int(),
      /** The best first. */
      rules: z.array(ruleOfferSchema.extend({ exact: z.boolean(), workspace: z.string() })),
    }),
  ),
  /** That rule is offered in this folder no more. */
  "rules.declineOffer": procedure(
    z.strictObject({ text: z.string().min(1).max(longestRule), workspace: z.string().min(1).max(4_096) }),
    z.strictObject({}),
  ),
  /** The rules that let things pass, are there for so many days, and answered nothing in them. */
  "rules.unused": procedure(
    z.strictObject({}),
    z.strictObject({ days: z.number().int(), rules: z.array(ruleSchema) }),
  ),
  /** Those of them that answered something meanwhile stay. */
  "rules.removeUnused": procedure(
    z.strictObject({ ids: z.array(ruleIdSchema).min(1).max(10_000) }),
    z.strictObject({ removed: z.number().int() }),
  ),
  "rules.add": procedure(newRule, ruleSchema),
  "rules.remove": procedure(z.strictObject({ id: ruleIdSchema }), z.strictObject({})),
};
