/** Reads an HTTP body up to a limit, decompressed and decoded, without ever holding more than the limit. */
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** What this module can undo; to be sent as `accept-encoding`. */
export const acceptedEncodings = "gzip, deflate, br";

function decompress(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return response;
  const makers: Record<string, () => ReturnType<typeof createGunzip>> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const make = makers[encoding];
  if (!make) throw new Error(`the answer is compressed as ${encoding}, which was not asked for`);
  // Errors reach the reader of the last stream; the callback only keeps them from being thrown twice.
  return pipeline(response, make(), () => {}) as Readable;
}

/** The media type and charset of an answer, lower case; an empty type when none is given. */
export function contentTypeOf(response: IncomingMessage): { type: string; charset: string | null } {
  const header = response.headers["content-type"] ?? "";
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(header)?.[1] ?? null;
  return { type: (header.split(";")[0] ?? "").trim().toLowerCase(), charset };
}

function decode(bytes: Buffer, charset: string | null): string {
  const declared =
    charset ?? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString("latin1", 0, 2_048))?.[1];
  try {
    return new TextDecoder(declared ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * The body as text, cut at `maxBytes` of decompressed content.
 * @param charset where the kind of content leaves no choice: then neither the head nor the content says otherwise
 * @throws the stream's error when the connection breaks or the compression is damaged
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  charset?: "utf-8",
): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  try {
    for await (const chunk of decompress(response)) {
      const rest = maxBytes - size;
      truncated = chunk.length > rest;
      chunks.push(truncated ? chunk.subarray(0, rest) : chunk);
      size += chunk.length;
      if (truncated) break;
    }
  } finally {
    response.destroy();
  }
  return { text: decode(Buffer.concat(chunks), charset ?? contentTypeOf(response).charset), truncated };
}
