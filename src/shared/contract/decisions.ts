/** What the policy says of an action, and what a person may answer. */
import { z } from "zod";
import { isWidth, type Width } from "../width.ts";

/**
 * From the most to the least permissive: `safe` (built-in read-only), `covered` (every part covered by a rule), `new`
 * (a rule could cover it), `ask` (always asks), `deny` (never runs).
 */
export const verdictNameSchema = z.enum(["safe", "covered", "new", "ask", "deny"]);
export type VerdictName = z.infer<typeof verdictNameSchema>;

/** leaves: sends something to another machine or changes it there · final: destroys what nothing here brings back. */
export const verdictClassSchema = z.enum(["leaves", "final"]);
export type VerdictClass = z.infer<typeof verdictClassSchema>;

/**
 * bounds: whatever it does, a sandbox holds it to the workspace and loses no more there than any program could · refuses: it
 * needs what the sandbox does not give. Where neither is said, a sandbox does not help.
 */
export const sandboxEffectSchema = z.enum(["bounds", "refuses"]);
export type SandboxEffect = z.infer<typeof sandboxEffectSchema>;

export const verdictSchema = z.strictObject({
  verdict: verdictNameSchema,
  /** One entry per sub-command of a shell line, one in all for anything else. */
  units: z.array(
    z.strictObject({
      text: z.string(),
      /** Where in the command it begins, or the script begins that it is a part of; of a whole command nothing. */
      at: z.number().int().nonnegative().optional(),
      verdict: verdictNameSchema,
      reason: z.string(),
      rule: z.string().optional(),
      /** Only on what asks or is denied: no rule, switch or bulk approve passes it. */
      class: verdictClassSchema.optional(),
      /**
       * On parts of commands that wait: what a sandbox would do about every reason for that, not only the one told. On
       * parts that a rule covers only `refuses`.
       */
      sandbox: sandboxEffectSchema.optional(),
      /** The line of the grammar or the table that the reason comes from. */
      source: z.string().optional(),
    }),
  ),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** How far a command may reach, in its canonical text. */
export const widthSchema = z.custom<Width>(isWidth, "This is no width.");
export type { Width } from "../width.ts";

/** The lowest first. */
export const riskSchema = z.enum(["low", "medium", "high"]);
export type Risk = z.infer<typeof riskSchema>;

export const decisionTypeSchema = z.enum(["approve", "edit", "reject", "respond"]);
export type DecisionType = z.infer<typeof decisionTypeSchema>;

/** Only of a call that reads the web: what comes back waits for the person once more, before the agent reads it. */
const holdResponseSchema = z.literal(true).optional();

export const decisionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approve"), holdResponse: holdResponseSchema }),
  z.strictObject({
    type: z.literal("edit"),
    args: z.record(z.string(), z.unknown()),
    holdResponse: holdResponseSchema,
  }),
  /** The message is read by the model. */
  z.strictObject({ type: z.literal("reject"), message: z.string().max(20_000).optional() }),
  /** The answer stands as the tool's result; JSON when the asker wants JSON. */
  z.strictObject({ type: z.literal("respond"), answer: z.unknown() }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** What a page says was on its screen when a person decided. It is a record: nothing is allowed because of it. */
export const sightSchema = z.strictObject({
  /** All of it was on the screen, and nobody passed over a part. */
  inFull: z.boolean(),
  /** How long it was in view. */
  ms: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
});
export type Sight = z.infer<typeof sightSchema>;

/** `among`: it was one of so many that were decided together. */
export const seenSchema = sightSchema.extend({ among: z.number().int().min(2).optional() });
export type Seen = z.infer<typeof seenSchema>;

export const decidedBySchema = z.discriminatedUnion("kind", [
  /** `via`: not in a window, so that nobody knows what was seen. */
  z.strictObject({ kind: z.literal("person"), via: z.literal("command line").optional() }),
  z.strictObject({ kind: z.literal("policy") }),
  z.strictObject({ kind: z.literal("rule"), ruleIds: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("auto-approve") }),
  z.strictObject({ kind: z.literal("unattended") }),
  /** Nobody was asked, because it ran confined and the person said that such commands may. */
  z.strictObject({ kind: z.literal("confined") }),
]);
export type DecidedBy = z.infer<typeof decidedBySchema>;
