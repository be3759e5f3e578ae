/** The file a thread travels in: its schema, and the checks that refuse a bad one by the name of the field. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { ContractError } from "../../shared/contract/errors.ts";
import { ledgerEntrySchema } from "../../shared/contract/ledger.ts";
import { modelRefSchema } from "../../shared/contract/models.ts";
import { type ThreadEventData, threadEventDataSchema } from "../../shared/contract/thread-events.ts";
import { attachmentSchema } from "../../shared/contract/threads.ts";
import { agentIdSchema, messageIdSchema } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";

export const threadFileFormat = "countersign-thread";
/** 2 adds the turns, without which a thread cannot be forked at its old messages; in 3 the agent's memory is packed as no version before reads it. */
export const threadFileVersion = 3;

const base64 = z.base64().transform((text) => Buffer.from(text, "base64"));
const rows = z.array(
  z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.strictObject({ base64 })])),
);

const turnSchema = z.strictObject({
  messageId: messageIdSchema,
  text: z.string(),
  attachments: z.array(attachmentSchema),
  status: z.enum(["queued", "running", "done", "stopped", "failed", "interrupted", "cancelled"]),
  checkpointBefore: z.string().nullable(),
  createdAt: z.number(),
  finishedAt: z.number().nullable(),
});

const threadFileSchema = z.strictObject({
  format: z.literal(threadFileFormat),
  version: z.union([z.literal(1), z.literal(2), z.literal(threadFileVersion)]),
  thread: z.strictObject({ title: z.string().max(1_000), agentId: agentIdSchema, model: modelRefSchema }),
  events: z.array(z.strictObject({ at: z.number(), data: threadEventDataSchema })),
  turns: z.array(turnSchema).default([]),
  ledger: z.array(ledgerEntrySchema),
  /** Rows of the checkpoint database by table, with bytes as base64. */
  checkpoints: z.record(z.string(), rows),
});
export type ThreadFile = z.infer<typeof threadFileSchema>;
export type FileRow = ThreadFile["checkpoints"][string][number];

const maxBytes = 512 * 1024 * 1024;

/** @throws ContractError that names the field of the file which is wrong. */
export function readThreadFile(path: string): ThreadFile {
  if (!existsSync(path)) throw new ContractError("not-found", `There is no file ${path}.`, { field: "path" });
  const stat = statSync(path);
  if (!stat.isFile()) throw refuseFile("This is a folder, not a file.");
  if (stat.size > maxBytes) throw refuseFile("This file is larger than an exported thread can be.");
  const raw = parseJson(readFileSync(path, "utf8"));
  const { version } = z.looseObject({ version: z.number() }).catch({ version: 0 }).parse(raw);
  if (version > threadFileVersion)
    throw refuseFile(
      "version: this file was written by a newer version of Countersign. Update Countersign, then import it.",
    );
  const parsed = threadFileSchema.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw refuseFile(`This is not a thread exported by Countersign: ${nameField(issue)} ${issue?.message}.`);
  }
  checkTurns(parsed.data);
  return parsed.data;
}

/** What every refusal of a file looks like on the wire. */
export function refuseFile(message: string): ContractError {
  return new ContractError("invalid-input", message.slice(0, 4_000), { field: "path" });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    throw refuseFile(`This is not a thread exported by Countersign: it is not JSON (${why.slice(0, 200)}).`);
  }
}

/** A union names the field inside the variant that came closest, which is what a person can look for. */
function nameField(issue: z.core.$ZodIssue | undefined): string {
  return `${issue?.path.map(String).join(".") || "the file"}:`;
}

function checkTurns({ events, turns }: ThreadFile): void {
  const sent = new Set(events.flatMap(({ data }) => (data.type === "message.sent" ? [data.itemId] : [])));
  for (const [i, { messageId }] of turns.entries()) {
    // Deleting what was seen refuses the same message a second time as well.
    if (!sent.delete(messageId))
      throw refuseFile(`turns.${i}.messageId: no message of the conversation has this id to itself.`);
  }
}

/**
 * What was open when the file was written and nothing here will ever end: calls that waited or ran, and messages in
 * the mailbox.
 */
export function closeOpenItems(events: ThreadFile["events"]): ThreadEventData[] {
  const open = new Map<string, ThreadEventData>();
  for (const { data } of events) {
    if (data.type === "message.sent" && data.queued)
      open.set(data.itemId, { type: "message.dequeued", itemId: data.itemId, cancelled: true });
    else if (data.type === "toolCall.requested")
      open.set(data.itemId, {
        type: "toolCall.finished",
        itemId: data.itemId,
        outcome: "cancelled",
        result: "This had not ended when the thread was exported.",
      });
    else if (data.type === "message.dequeued" || data.type === "toolCall.finished") open.delete(data.itemId);
  }
  return [...open.values()];
}
