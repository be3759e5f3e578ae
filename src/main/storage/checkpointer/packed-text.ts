/** Large texts are kept compressed, small ones as they are: this file decides which and undoes it. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** What a column holds: plain text, or a zstd frame of it. */
export type PackedText = string | Buffer;

/**
 * Below this size zstd does not pay: opening a frame costs about 30 µs, as much as reviving four messages,
 * and a thread of 2,000 tool results of 2 KB must open in tens of milliseconds.
 */
const compressFromLength = 8 * 1024;
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Returns `text` itself, or a zstd frame where that is clearly smaller. */
export function packText(text: string): PackedText {
  if (text.length < compressFromLength) return text;
  const bytes = Buffer.from(text);
  const packed = zstdCompressSync(bytes, fast);
  return packed.length < bytes.length * 0.9 ? packed : text;
}

/** Undoes {@link packText}. */
export function unpackText(packed: PackedText): string {
  return typeof packed === "string" ? packed : zstdDecompressSync(packed).toString();
}
