/** A row of the queue, and with that its columns: the statements and the types are made from this one list. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  approvalKindSchema,
  approvalStatusSchema,
  cardOriginSchema,
  saidSchema,
} from "../../shared/contract/approvals.ts";
import {
  decidedBySchema,
  decisionSchema,
  decisionTypeSchema,
  riskSchema,
  seenSchema,
  verdictSchema,
  widthSchema,
} from "../../shared/contract/decisions.ts";
import { serverCardSchema } from "../../shared/contract/remote-servers.ts";
import { subjectSchema } from "../../shared/contract/subjects.ts";
import { type ApprovalId, approvalIdSchema, threadIdSchema, turnIdSchema } from "../../shared/ids.ts";
import { type PackedText, packText, unpackText } from "../storage/packed-text.ts";
import { itemIdColumn, itemIdValue } from "./execution-store.ts";

/**
 * The gate about a call that it holds, a graph that knows no gate and is answered at its interrupt, the hook of an agent
 * in a terminal, which acts by itself, or a thread of a remote server.
 */
const askedBySchema = z.enum(["gate", "foreign", "hook", "server"]);

/** What of a card can be drawn anew while it waits. */
const drawnSchema = z.object({
  args: z.record(z.string(), z.unknown()),
  subject: subjectSchema,
  description: z.string().optional(),
  verdict: verdictSchema,
  /** For a command: how far it may reach when it is approved. */
  width: widthSchema.optional(),
  risk: riskSchema,
  shape: z.string(),
  /** For a file change: the hash the diff was drawn against, `null` when there was no file. */
  baseHash: z.string().nullish(),
  digest: z.string(),
  server: serverCardSchema.optional(),
});

/** What a question is asked with. */
const newSchema = drawnSchema.extend({
  id: approvalIdSchema,
  /** The tool call or interrupt this belongs to; a call may be asked about several times, numbered by `sequence`. */
  callKey: z.string(),
  kind: approvalKindSchema,
  askedBy: askedBySchema,
  threadId: threadIdSchema,
  turnId: turnIdSchema,
  itemId: z.string(),
  agentPath: z.array(z.string()),
  tool: z.string(),
  cwd: z.string(),
  /** What the agent wrote before the call. */
  said: saidSchema.optional(),
  /** What of it the person did not write; absent where nobody looked. */
  origins: z.array(cardOriginSchema).optional(),
  allowed: z.array(decisionTypeSchema),
  argsSchema: z.record(z.string(), z.unknown()).optional(),
  /** What a raw interrupt asked with. */
  value: z.unknown().optional(),
  interruptId: z.string().optional(),
  actionIndex: z.number().optional(),
});

/** What SQLite holds is checked once, at this edge. */
const rowSchema = newSchema.extend({
  sequence: z.number(),
  status: approvalStatusSchema,
  requestedAt: z.number(),
  snoozedUntil: z.number().optional(),
  decision: decisionSchema.optional(),
  decidedBy: decidedBySchema.optional(),
  /** What of it a person had on the screen when they decided. */
  seen: seenSchema.optional(),
  decidedAt: z.number().optional(),
  effectiveAt: z.number().optional(),
  consumedAt: z.number().optional(),
});

export type ApprovalRow = z.infer<typeof rowSchema>;
export type NewApproval = z.infer<typeof newSchema>;
export type Redrawn = z.infer<typeof drawnSchema>;

/** @returns an id that no other approval has, in any data directory. */
export function newApprovalId(): ApprovalId {
  return `appr-${randomUUID()}` as ApprovalId;
}

const jsonColumns: ReadonlySet<string> = new Set<keyof ApprovalRow>([
  "agentPath",
  "args",
  "subject",
  "verdict",
  "allowed",
  "argsSchema",
  "value",
  "decision",
  "decidedBy",
  "seen",
  "said",
  "origins",
  "server",
]);

/**
 * Those that may be long. They are packed when a row is done with: every start reads all that waits. The schema of its
 * arguments alone is packed from the beginning: it is the longest and that of every call of a tool, so it is unpacked once.
 */
const longColumns = ["args", "subject", "verdict", "args_schema", "value"];

export const selectLong = `SELECT ${longColumns.join(", ")} FROM approvals WHERE id = ?`;
export const updateLong = `UPDATE approvals SET ${longColumns.map((name) => `${name} = @${name}`).join(", ")} WHERE id = @id`;

/** What `updateLong` takes, from what `selectLong` gave. */
export function packLong(id: ApprovalId, row: Record<string, PackedText | null>): Record<string, unknown> {
  const pack = (value: PackedText | null) => (typeof value === "string" ? packText(value) : value);
  return { id, ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, pack(value)])) };
}

const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a row, each by the name of its field. */
export const allColumns = Object.keys(rowSchema.shape)
  .map((field) => (field === "itemId" ? itemIdColumn : `${columnOf(field)} AS ${field}`))
  .join(", ");

const insertedFields = [...Object.keys(newSchema.shape), "sequence", "status", "requestedAt"];

/** Takes what `toColumns` makes of a question, with its number, status and time. */
export const insertRow = `INSERT INTO approvals (${insertedFields.map(columnOf).join(", ")}) VALUES (${insertedFields.map((field) => (field === "itemId" ? itemIdValue : `@${field}`)).join(", ")})`;

/** What `redraw` sets, from what `toColumns` makes of a drawing. */
export const redrawnColumns = Object.keys(drawnSchema.shape)
  .map((field) => `${columnOf(field)} = @${field}`)
  .join(", ");

/** Of as many tools as agents are likely to have at once. */
const mostSchemas = 64;
const schemas = new Map<string, string>();

function unpackLong(field: string, value: PackedText): string {
  if (field !== "argsSchema" || typeof value === "string") return unpackText(value);
  const key = value.toString("latin1");
  const text = schemas.get(key) ?? unpackText(value);
  if (schemas.size >= mostSchemas) schemas.clear();
  schemas.set(key, text);
  return text;
}

/** @throws ZodError when the database holds what no version of the app wrote. */
export function parseRow(raw: unknown): ApprovalRow {
  const row = { ...(raw as Record<string, unknown>) };
  for (const [name, value] of Object.entries(row)) {
    if (value === null) row[name] = name === "baseHash" ? null : undefined;
    else if (jsonColumns.has(name)) row[name] = JSON.parse(unpackLong(name, value as PackedText));
  }
  return rowSchema.parse(row);
}

/** What `insertRow` takes, but for number, status and time. */
export const toNewColumns = (approval: NewApproval) => toColumns(approval, newSchema.shape);
/** What `redrawnColumns` takes, but for the id. */
export const toRedrawnColumns = (drawn: Redrawn) => toColumns(drawn, drawnSchema.shape);

/** SQLite takes every field, and knows no `undefined`. */
function toColumns(row: Record<string, unknown>, shape: Record<string, unknown>): Record<string, unknown> {
  const toColumn = (field: string) => {
    const value = row[field];
    if (value === undefined) return null;
    if (!jsonColumns.has(field)) return value;
    const text = JSON.stringify(value);
    return field === "argsSchema" ? packText(text) : text;
  };
  return Object.fromEntries(Object.keys(shape).map((field) => [field, toColumn(field)]));
}
