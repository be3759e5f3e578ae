/** Tells by its bytes what a file is, whatever it is called: an archive, or a private key. */

/** What matters of a file to those who would print it. */
export type FileKind = "archive" | "private key";

/** Some bytes of a file: where it begins, where it ends, and where the label of a disc image stands. */
export type FileBytes = { head: Buffer; tail: Buffer; label: Buffer };

/** How many bytes of each are looked at. */
export const headBytes = 4_096;
export const tailBytes = 512;
export const labelAt = 0x8001;
export const labelBytes = 5;

/** Each byte as one letter, as they begin. Formats without a mark of their own are known by name alone. */
const beginnings = [
  ...["\x1f\x8b", "\x1f\x9d", "\x1f\xa0", "\x1f\x1e", "\xfd7zXZ\0", "\x5d\0\0", "LZIP", "\x89LZO"],
  ...["\x28\xb5\x2f\xfd", "\x04\x22\x4d\x18", "\x02\x21\x4c\x18", "\xff\x06\0\0sNaPpY"],
  ...["PK\x03\x04", "PK\x05\x06", "PK\x07\x08", "7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\x60\xea", "MSCF"],
  ...["!<arch>\n", "!<thin>\n", "070701", "070702", "070707", "\xc7\x71", "\x71\xc7", "\xed\xab\xee\xdb"],
  ...[
    "xar!",
    "hsqs",
    "sqsh",
    "# v2 git bundle",
    "# v3 git bundle",
    "PACK\0\0\0",
    "# This is a shell archive",
  ],
  ...["MSWIM\0", "Cr24", "\x04\0\0\0"],
];
/** Those of bzip2, and frames of zstd and lz4 that hold nothing, which others may follow. */
const variousBeginnings = /^(?:BZh[1-9]|[P-_]\*M[^ -~])/;

const privateKey =
  /^(?:-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1)|"private_key"\s*:\s*"-----BEGIN/m;

const tarBlock = 512;
const checksumAt = 148;

/** A block of tar begins with the sum of its own bytes, blanks in the place of the sum; the oldest form has no other mark. */
function isTar(head: Buffer): boolean {
  if (head.length < tarBlock) return false;
  const written = /^[ 0]*([0-7]{1,6})[ \0]/.exec(head.toString("latin1", checksumAt, checksumAt + 8))?.[1];
  if (written === undefined) return false;
  let sum = 0;
  for (let at = 0; at < tarBlock; at += 1) sum += at >= checksumAt && at < checksumAt + 8 ? 32 : head[at]!;
  return sum === Number.parseInt(written, 8);
}

/** The pieces of a file that is in memory already. */
export function piecesOf(bytes: Buffer): FileBytes {
  const tail = bytes.subarray(Math.max(0, bytes.length - tailBytes));
  return { head: bytes.subarray(0, headBytes), tail, label: bytes.subarray(labelAt, labelAt + labelBytes) };
}

/** What the bytes are, or undefined when they are neither. */
export function kindOfBytes({ head, tail, label }: FileBytes): FileKind | undefined {
  const begin = head.toString("latin1");
  if (privateKey.test(begin)) return "private key";
  const isMarked = beginnings.some((mark) => begin.startsWith(mark)) || variousBeginnings.test(begin);
  // A zip may stand behind anything, such as a program that unpacks it; an image of a Mac's disk ends with its mark.
  const end = tail.toString("latin1");
  const isClosed = end.includes("PK\x05\x06") || end.startsWith("koly");
  return isMarked || isClosed || isTar(head) || label.toString("latin1") === "CD001" ? "archive" : undefined;
}
