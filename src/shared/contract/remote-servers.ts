/** Remote servers: LangGraph servers whose interrupted threads stand in the queue; what is kept of them and how they answer. */
import { z } from "zod";
import { commandIdSchema, threadIdSchema } from "../ids.ts";
import { fieldProblemSchema, fileProblemSchema } from "./field-problem.ts";
import { keyStorageSchema } from "./models.ts";
import { procedure } from "./procedure.ts";

/** How a server is told who asks: by nothing, by the header that most take, by a bearer token, or by a header of its own. */
export const serverAuthSchema = z.enum(["none", "x-api-key", "bearer", "header"]);
export type ServerAuth = z.infer<typeof serverAuthSchema>;

/** Where its address led when it was saved; a name that leads elsewhere later is not followed. */
export const serverPlaceSchema = z.enum(["loopback", "private", "public"]);
export type ServerPlace = z.infer<typeof serverPlaceSchema>;

const serverIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "use lower-case letters, digits and hyphens");

/** These say how a request is made, and not who asks. */
const takenHeaders =
  /^(?:host|connection|content-.*|accept.*|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|x-auth-scheme)$/i;
const headerNameSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, "a header's name has letters, digits and hyphens")
  .refine((name) => !takenHeaders.test(name), "this header is used by each request itself");

/** What a person says of a server; its key is kept elsewhere. */
const savedSchema = z.strictObject({
  id: serverIdSchema,
  name: z.string().trim().min(1).max(80),
  url: z.string().trim().min(1).max(2_000),
  auth: serverAuthSchema.default("none"),
  /** The name of the header that takes the key, where it has its own. */
  header: headerNameSchema.optional(),
  /** The file of certificates by which it is trusted, in place of those that the system trusts. */
  authorityFile: z.string().trim().min(1).max(4_096).optional(),
});

/** As it stands in the file. */
export const remoteServerSchema = savedSchema.extend({
  place: serverPlaceSchema,
  /** What that file said when the server was saved. */
  authorityDigest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type RemoteServer = z.infer<typeof remoteServerSchema>;

/** A key goes into one header: characters that can be printed, and no space. */
const serverKeySchema = z
  .string()
  .max(4_000)
  .regex(/^[!-~]+$/, "a key has no spaces, and only characters of plain English text");

/** What is known of a server since this start. `refused`: its key is not taken, so it is not asked again by itself. */
const serverStateSchema = z.strictObject({
  kind: z.enum(["new", "answers", "silent", "refused"]),
  /** Since when it is so. */
  since: z.number(),
  problem: z.string().optional(),
  /** Threads that wait there, by its last list. */
  waiting: z.number().int().min(0),
});
export type ServerState = z.infer<typeof serverStateSchema>;

const shownServerSchema = remoteServerSchema.extend({
  state: serverStateSchema,
  /** Where its key is; absent without one. */
  keyStorage: keyStorageSchema.optional(),
});
export type ShownServer = z.infer<typeof shownServerSchema>;

/** Who can be written to on a server. */
const shownAssistantSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  graph: z.string(),
  name: z.string(),
});
export type ShownAssistant = z.infer<typeof shownAssistantSchema>;

/** What of a card of a server says where it comes from, what an answer is bound to, and whether one can be delivered. */
export const serverCardSchema = z.strictObject({
  id: serverIdSchema,
  name: z.string(),
  url: z.string(),
  graph: z.string(),
  assistant: z.string(),
  thread: z.string(),
  /** Absent where a server tells none. */
  checkpoint: z.string().nullable(),
  task: z.string(),
  interrupt: z.string(),
  dialect: z.enum(["javascript", "python", "python-old", "per-call", "inbox", "free"]),
  /** So many actions are answered together. */
  among: z.number().int().min(1),
  /** Why no yes can be given to it, in a sentence. */
  limit: z.string().optional(),
  /** Why an answer that was given to it before was not sent. */
  note: z.string().optional(),
  /** waits: it can be answered · unseen: the server does not answer · unknown: an answer may have arrived. */
  standing: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("waits") }),
    z.strictObject({ kind: z.literal("unseen"), since: z.number(), why: z.string() }),
    z.strictObject({ kind: z.literal("unknown"), since: z.number() }),
  ]),
});
export type ServerCard = z.infer<typeof serverCardSchema>;

/**
 * What is known of an answer that was given to a server: `applied` and `elsewhere` are proven by the server's own history,
 * `taken`: it was accepted, and nothing there proves whose answer counted · `unsent`: nothing was sent, or it was refused ·
 * `lost`: it was sent, and the server knows nothing of it and asks the same still, whatever it had begun.
 */
export const serverReceiptSchema = z.strictObject({
  server: z.string(),
  run: z.string().optional(),
  proof: z.enum(["applied", "elsewhere", "taken", "failed", "gone", "unsent", "lost", "unknown"]),
  /** The same stood there again afterwards. */
  again: z.boolean().optional(),
});
export type ServerReceipt = z.infer<typeof serverReceiptSchema>;

export const remoteServersContract = {
  /** Nothing is sent for it. */
  "remoteServers.list": procedure(
    z.strictObject({}),
    z.strictObject({ servers: z.array(shownServerSchema), problems: z.array(fileProblemSchema) }),
  ),
  /** Asks the server once, with the key, and keeps both when it answers as one; `key` left out keeps the one there is. */
  "remoteServers.save": procedure(
    savedSchema.extend({ key: serverKeySchema.optional() }),
    z.discriminatedUnion("ok", [
      z.strictObject({ ok: z.literal(true), server: shownServerSchema }),
      z.strictObject({ ok: z.literal(false), problem: fieldProblemSchema }),
    ]),
  ),
  /** Looks now, and not when it is time. */
  "remoteServers.look": procedure(z.strictObject({ id: serverIdSchema }), shownServerSchema),
  /** Asks the server. */
  "remoteServers.assistants": procedure(
    z.strictObject({ id: serverIdSchema }),
    z.strictObject({ assistants: z.array(shownAssistantSchema).max(1_000) }),
  ),
  /** A thread that begins there with this message; the server is asked when its turn comes. */
  "remoteServers.start": procedure(
    z.strictObject({
      commandId: commandIdSchema,
      id: serverIdSchema,
      assistant: shownAssistantSchema.shape.id,
      text: z.string().trim().min(1).max(200_000),
    }),
    z.strictObject({ threadId: threadIdSchema }),
  ),
  "remoteServers.remove": procedure(z.strictObject({ id: serverIdSchema }), z.strictObject({})),
};
