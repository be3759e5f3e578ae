/** The frames that cross the wire: strict envelopes, hard limits, and nothing half understood. */
import { z } from "zod";
import { ContractError, wireErrorSchema } from "../contract/errors.ts";
import { utf8Bytes } from "./json-bytes.ts";

export const maxFrameBytes = 1_048_576;
/** The most one answer or item may take; what is larger than a frame crosses in parts. */
export const maxAnswerBytes = 33_554_432;
export const maxLiveCalls = 256;
export const maxLiveStreams = 64;
/** The most items a client may have asked for and not got yet, per stream. */
export const maxCredits = 1_024;

const maxStringLength = 800_000;
const maxDepth = 64;

const id = z.int().min(1);
const name = z.string().min(1).max(100);
const credits = z.int().min(1).max(maxCredits);

const clientFrameSchema = z.discriminatedUnion("t", [
  z.strictObject({ t: z.literal("call"), id, name, input: z.unknown() }),
  z.strictObject({ t: z.literal("open"), id, name, input: z.unknown(), credits }),
  z.strictObject({ t: z.literal("credit"), id, credits }),
  z.strictObject({ t: z.literal("cancel"), id }),
]);
/** What a client may say. Ids of `call` and `open` only ever grow on one connection. */
export type ClientFrame = z.infer<typeof clientFrameSchema>;

const hostFrameSchema = z.discriminatedUnion("t", [
  z.strictObject({ t: z.literal("result"), id, output: z.unknown() }),
  z.strictObject({ t: z.literal("error"), id, error: wireErrorSchema }),
  z.strictObject({ t: z.literal("item"), id, item: z.unknown() }),
  z.strictObject({ t: z.literal("end"), id }),
  z.strictObject({ t: z.literal("part"), id, text: z.string(), last: z.boolean() }),
]);
/**
 * What the host may say. `error` ends a call or a stream, `end` a stream. The texts of `part` frames with one id, up to
 * the `last`, are the text of one `result` or `item` that is larger than a frame.
 */
export type HostFrame = z.infer<typeof hostFrameSchema>;

/** @throws ContractError `invalid-input` when the frame is more than the host accepts. */
export function encodeClientFrame(frame: ClientFrame): string {
  if (!isWellFormed(frame)) {
    throw new ContractError("invalid-input", "This holds a text, a nesting or a key that cannot be sent.");
  }
  const text = JSON.stringify(frame);
  if (fitsFrame(text)) return text;
  throw new ContractError("invalid-input", "This is larger than 1 MB and cannot be sent. Send less at once.");
}

/** Nothing when the text is not exactly a client frame: the caller hangs up. */
export function decodeClientFrame(text: string): ClientFrame | undefined {
  const value = parseJson(text);
  return isWellFormed(value) ? clientFrameSchema.safeParse(value).data : undefined;
}

/** One text, or several that follow each other when one is too large; nothing above what the wire carries. */
export function encodeHostFrame(frame: HostFrame): string[] | undefined {
  const text = JSON.stringify(frame);
  if (fitsFrame(text)) return [text];
  if (text.length > maxAnswerBytes || utf8Bytes(text) > maxAnswerBytes) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += partLength) {
    const last = at + partLength >= text.length;
    const part: HostFrame = { t: "part", id: frame.id, text: text.slice(at, at + partLength), last };
    parts.push(JSON.stringify(part));
  }
  return parts;
}

/** JSON holds no control characters, so that within JSON a character takes three bytes at most, and two at each end six. */
const partLength = Math.floor((maxFrameBytes - 1_000) / 3);

/** Nothing when the text is not exactly a host frame: the caller hangs up. */
export function decodeHostFrame(text: string): HostFrame | undefined {
  return hostFrameSchema.safeParse(parseJson(text)).data;
}

/** The frame whose parts were put together; nothing when they are none. */
export function decodeParts(text: string): HostFrame | undefined {
  const frame = hostFrameSchema.safeParse(parseWhole(text)).data;
  return frame?.t === "part" ? undefined : frame;
}

function parseJson(text: string): unknown {
  return fitsFrame(text) ? parseWhole(text) : undefined;
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts UTF-8 bytes only when the length alone does not settle it. */
function fitsFrame(text: string): boolean {
  if (text.length > maxFrameBytes) return false;
  return text.length * 3 <= maxFrameBytes || utf8Bytes(text) <= maxFrameBytes;
}

/** No string over the cap, no nesting that could exhaust a stack, no key that could reach a prototype. */
function isWellFormed(root: unknown): boolean {
  const waiting: { value: object; depth: number }[] = [];
  const accept = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return value.length <= maxStringLength;
    if (typeof value !== "object" || value === null) return true;
    waiting.push({ value, depth });
    return depth <= maxDepth && !Object.hasOwn(value, "__proto__");
  };
  if (!accept(root, 0)) return false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of Object.values(next.value)) {
      if (!accept(child, next.depth + 1)) return false;
    }
  }
  return true;
}
