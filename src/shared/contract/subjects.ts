/** What a card is about: the command, the file change, the question or whatever else waits for a person. */
import { z } from "zod";
import { executionIdSchema } from "../ids.ts";
import { formFieldsSchema } from "./form-fields.ts";
import { outerCallKindSchema } from "./outer-agents.ts";

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

const rehearsedChangeSchema = z.strictObject({
  /** From the workspace on. */
  path: z.string(),
  what: z.enum(["makes", "changes", "permissions", "deletes"]),
  folder: z.boolean(),
  /** Lines that come and go; absent for what is no text, and for folders. */
  lines: z.strictObject({ added: z.number().int(), removed: z.number().int() }).optional(),
});
export type RehearsedChange = z.infer<typeof rehearsedChangeSchema>;

/** What running a command where nothing of it lasts found; a yes to it commits just these bytes, and runs nothing. */
const rehearsedSchema = z.discriminatedUnion("could", [
  z.strictObject({
    could: z.literal(true),
    exitCode: z.number().int(),
    /** The end of what it printed. */
    output: z.string(),
    /** Lines of it that look as if it was refused something: its own words, which may be anything. */
    refused: z.array(z.string()),
    /** All that it would change. */
    changes: z.array(rehearsedChangeSchema),
  }),
  z.strictObject({ could: z.literal(false), why: z.string() }),
]);
export type RehearsedCommand = z.infer<typeof rehearsedSchema>;

/** What the card shows: the exact command, the exact file change, or the value that asks. */
export const subjectSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("command"),
    command: z.string(),
    cwd: z.string(),
    /** Absent where nobody asked for it. */
    rehearsed: rehearsedSchema.optional(),
  }),
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
    /** Answers the asker offers; any other is taken as well, unless only these are. */
    choices: z.array(choiceSchema).min(1).max(mostChoices).optional(),
    only: z.literal(true).optional(),
    /** What the answer has a value for; each is checked. */
    fields: formFieldsSchema.optional(),
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
    kind: z.literal("setAside"),
    /** What made it. */
    command: z.string(),
    /** Where it is now. */
    names: z.array(z.string()),
    /** What would stand in the folder again, by the names it would have, with all that it says: the command's own words. */
    files: z.array(z.strictObject({ path: z.string(), text: z.string(), runs: z.boolean() })),
    /** The card shows all of it; otherwise it cannot be taken in from here. */
    whole: z.boolean(),
    executionId: executionIdSchema,
  }),
  z.strictObject({
    kind: z.literal("response"),
    /** The request that brought it. */
    request: z.string(),
    /** To the last character what the agent would read: words of others. */
    text: z.string(),
    /** The request failed, and this says how. */
    failed: z.boolean(),
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
