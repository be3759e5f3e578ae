/** Outer agents: programs of others on this computer that are spoken to by the Agent Client Protocol, and what they ask. */

import { z } from "zod";
import { agentIdSchema } from "../ids.ts";
import { isUnseen } from "../unseen-text.ts";
import { fileProblemSchema } from "./field-problem.ts";
import { procedure } from "./procedure.ts";

/**
 * Who acts, and what that means for what is asked. `asking`: the agent acts itself and asks first when it wants to.
 * `governed`: its own tools for commands and files are switched off, and it is given ours, which pass the gate.
 * `confined`: governed, and its program runs where it can write nothing but its own settings and caches.
 */
export const actingLevelSchema = z.enum(["asking", "governed", "confined"]);
export type ActingLevel = z.infer<typeof actingLevelSchema>;

/** Who acts on a thread; version and mode are the program's own words. */
export const actingSchema = z.strictObject({
  agent: z.string(),
  level: actingLevelSchema,
  version: z.string().optional(),
  mode: z.string().optional(),
  /** That its own tools are gone was not tried with this version. */
  untried: z.literal(true).optional(),
});
export type Acting = z.infer<typeof actingSchema>;

const optionId = z.string().regex(/^[\w.:-]{1,100}$/, "use the program's own name of the option");
const optionValue = z.string().regex(/^[\x21-\x7e]{1,200}$/, "use the program's own name of the value");
const mostOptions = 20;

/** Something that the program lets be chosen, such as its mode or its model, by the names that it has for it. */
export const outerOfferSchema = z.strictObject({
  id: optionId,
  values: z.array(optionValue).max(500),
});
export type OuterOffer = z.infer<typeof outerOfferSchema>;
export const outerOffersSchema = z.array(outerOfferSchema).max(mostOptions);

/** Modes in which programs that are known do most things, or all, without asking; any of their names may be in upper case. */
const asksLittle: readonly string[] = ["acceptedits", "auto", "autoedit", "auto-edit", "yolo", "build"];

/** Whether a mode is known to weaken the asking. What an unknown one does is not known. */
export function weakensAsking(mode: string): boolean {
  const name = mode.toLowerCase();
  return asksLittle.includes(name) || name.startsWith("agent") || name.startsWith("bypass");
}

/** A program that a person named, with exactly the words it is started by; no shell reads them. */
export const outerAgentSchema = z.strictObject({
  id: agentIdSchema.regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "use lower-case letters, digits and hyphens"),
  name: z.string().trim().min(1).max(80),
  command: z.string().trim().min(1).max(2_000),
  args: z.array(z.string().max(2_000)).max(100).default([]),
  /** The MCP servers whose tools it is given, by their names, where it is governed. */
  mcpServers: z.array(z.string().max(200)).max(100).optional(),
  /** What is chosen of what the program offers, by its own names; each thread with it works so and in no other way. */
  options: z
    .record(optionId, optionValue)
    .refine((options) => Object.keys(options).length <= mostOptions, `No more than ${mostOptions} options.`)
    .optional(),
});
export type OuterAgent = z.infer<typeof outerAgentSchema>;

/** An agent as the public registry tells of it; with the words that would start it, or why it cannot be set up from there. */
export const registryEntrySchema = z.strictObject({
  id: agentIdSchema,
  name: z.string(),
  version: z.string(),
  license: z.string(),
  publisher: z.string(),
  description: z.string(),
  agent: outerAgentSchema.optional(),
  why: z.string().optional(),
});
export type RegistryEntry = z.infer<typeof registryEntrySchema>;

/** What an agent says a call does; anything else it says is `other`. */
export const outerCallKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export const outerCallKindSchema = z.enum(outerCallKinds);
export type OuterCallKind = z.infer<typeof outerCallKindSchema>;

/** All that an outer agent said of a call, in its own words; the arguments of the call as it is asked about. */
export const outerCallSchema = z.strictObject({
  agent: z.string(),
  does: outerCallKindSchema,
  title: z.string(),
  /** The raw arguments of the agent's own tool; absent where it told none. */
  input: z.unknown().optional(),
  /** Files that it says it touches. */
  places: z.array(z.string()),
  /** What it says would change; `before` is its claim and not read from the disk. */
  changes: z.array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string() })),
  /** Texts that it shows with the call. */
  notes: z.array(z.string()),
  /** How the agent words the answer that a yes sends; absent where no answer can be told to mean yes, once. */
  yes: z.string().optional(),
});
export type OuterCall = z.infer<typeof outerCallSchema>;

/** Whether nothing of the call can be read but its title, which agents often shorten. */
export function isBlank({ input, places, changes, notes }: OuterCall): boolean {
  return !saysAnything([input, places, changes.map((change) => Object.values(change)), notes]);
}

function saysAnything(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "object") return !isUnseen(String(value));
  if (Array.isArray(value)) return value.some(saysAnything);
  return Object.entries(value).some((member) => saysAnything(member));
}

/** The command that it names, as one line; of a list of words, those. */
export function commandOfOuter({ input }: Pick<OuterCall, "input">): string | undefined {
  const command = isObject(input) ? input.command : undefined;
  const words = Array.isArray(command) && command.every((word) => typeof word === "string") ? command : [];
  return (typeof command === "string" ? command : words.join(" ")) || undefined;
}

/** What the call is about, in a line: its command where it names one, else its files, else its title. */
export function aboutOuterCall({ input, places, title }: Pick<OuterCall, "input" | "places" | "title">) {
  return commandOfOuter({ input }) ?? (places.length > 0 ? places.join(", ") : title);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const outerAgentsContract = {
  /** Nothing is started for it. */
  "outerAgents.list": procedure(
    z.strictObject({}),
    z.strictObject({
      agents: z.array(outerAgentSchema),
      problems: z.array(fileProblemSchema),
      /** What each offered when it was started last, by its id. */
      offers: z.record(z.string(), outerOffersSchema),
    }),
  ),
  "outerAgents.save": procedure(outerAgentSchema, outerAgentSchema),
  "outerAgents.remove": procedure(z.strictObject({ id: agentIdSchema }), z.strictObject({})),
  /** Known programs by their names in the folders of PATH; none of them is started. */
  "outerAgents.find": procedure(
    z.strictObject({}),
    z.strictObject({ found: z.array(z.strictObject({ agent: outerAgentSchema, path: z.string() })) }),
  ),
  /** Asks the public registry of agents, over the network; nothing that it lists is fetched or started. */
  "outerAgents.registry": procedure(
    z.strictObject({}),
    z.strictObject({ entries: z.array(registryEntrySchema), leftOut: z.int().nonnegative() }),
  ),
};
