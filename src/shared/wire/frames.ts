/** The frames that cross the wire: strict envelopes, hard limits, and nothing half understood. */
import { z } from "zod";
import { ContractError, wireErrorSchema } from "../contract/errors.ts";

export const maxFrameBytes = 1_048_576;
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
]);
/** What the host may say. `error` ends a call or a stream, `end` a stream. */
export type HostFrame = z.infer<typeof hostFrameSchema>;

/** Throws ContractError `invalid-input` when the frame is more than the host accepts. */
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

/** Nothing when the frame is larger than the wire carries. */
export function encodeHostFrame(frame: HostFrame): string | undefined {
  const text = JSON.stringify(frame);
  return fitsFrame(text) ? text : undefined;
}

/** Nothing when the text is not exactly a host frame: the caller hangs up. */
export function decodeHostFrame(text: string): HostFrame | undefined {
  return hostFrameSchema.safeParse(parseJson(text)).data;
}

function parseJson(text: string): unknown {
  if (!fitsFrame(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts UTF-8 bytes only when the length alone does not settle it. */
function fitsFrame(text: string): boolean {
  if (text.length > maxFrameBytes) return false;
  if (text.length * 3 <= maxFrameBytes) return true;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return bytes <= maxFrameBytes;
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
