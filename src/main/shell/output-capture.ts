/** Holds the head and the tail of a command's output in bounded memory and words them for the model. */

import { type FileHandle, open } from "node:fs/promises";
import { cleanOutput } from "./clean-output.ts";
import { createOutputRing, type OutputRing } from "./output-ring.ts";
import { borderAtOrAfter, borderAtOrBefore } from "./utf8-border.ts";

/** Raw bytes held per command. The tail is also what a late subscriber is shown first. */
const rawHeadBytes = 64 * 1024;
const rawTailBytes = 256 * 1024;

/** How many bytes of cleaned text the model gets from each end. */
export type OutputLimits = {
  headBytes: number;
  tailBytes: number;
};

type Wording = {
  limits: OutputLimits;
  /** Named where bytes are missing. */
  logPath: string;
};

/** Cleaned text and whether some of it had to be left out. */
type WordedOutput = {
  output: string;
  truncated: boolean;
};

/** What an earlier run left in its log; `bytes` is the size of the log. */
export type LoggedOutput = WordedOutput & {
  bytes: number;
  logPath: string;
};

type OutputCapture = {
  readonly ring: OutputRing;
  append(bytes: Uint8Array): void;
  /** The text for the model. */
  word(wording: Wording): WordedOutput;
};

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Keeps the first and last bytes of the text on character borders; `alreadyOmitted` raw bytes count as missing too. */
function cut(headText: string, tailText: string, wording: Wording, alreadyOmitted: number): WordedOutput {
  const { headBytes, tailBytes } = wording.limits;
  const head = Buffer.from(headText);
  const tail = headText === tailText ? head : Buffer.from(tailText);
  if (alreadyOmitted === 0 && head.length <= headBytes + tailBytes)
    return { output: headText, truncated: false };
  const headEnd = borderAtOrBefore(head, Math.min(headBytes, head.length));
  const tailStart = borderAtOrAfter(tail, Math.max(0, tail.length - tailBytes));
  const cutHere = alreadyOmitted === 0 ? tailStart - headEnd : head.length - headEnd + tailStart;
  const note = `[${alreadyOmitted + cutHere} bytes omitted; full log: ${wording.logPath}]`;
  const output = `${decode(head.subarray(0, headEnd))}\n${note}\n${decode(tail.subarray(tailStart))}`;
  return { output, truncated: true };
}

/**
 * Words a stream of which the first bytes (`head`) and the last (`tail`, which starts at `tailOffset`) are at hand.
 * What is missing between them is counted as omitted.
 */
function wordOutput(head: Buffer, tail: Buffer, tailOffset: number, wording: Wording): WordedOutput {
  if (tailOffset <= head.length) {
    const text = cleanOutput(decode(Buffer.concat([head, tail.subarray(head.length - tailOffset)])));
    return cut(text, text, wording, 0);
  }
  const headEnd = borderAtOrBefore(head, head.length);
  const tailStart = borderAtOrAfter(tail, 0);
  const omitted = tailOffset + tailStart - headEnd;
  return cut(
    cleanOutput(decode(head.subarray(0, headEnd))),
    cleanOutput(decode(tail.subarray(tailStart))),
    wording,
    omitted,
  );
}

/** Makes an empty capture. */
export function createOutputCapture(): OutputCapture {
  const start = createOutputRing(rawHeadBytes);
  const ring = createOutputRing(rawTailBytes);
  return {
    ring,
    append(bytes) {
      ring.append(bytes);
      if (start.end < start.capacity) start.append(bytes.subarray(0, start.capacity - start.end));
    },
    word: (wording) => wordOutput(start.read(0), ring.read(ring.start), ring.start, wording),
  };
}

/**
 * Words what the log of an earlier process holds, reading its ends only. Undefined if there is no such log.
 */
export async function readLoggedOutput(wording: Wording): Promise<LoggedOutput | undefined> {
  const file = await open(wording.logPath, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const tailOffset = Math.max(0, size - rawTailBytes);
    const head = await readPart(file, 0, Math.min(size, rawHeadBytes));
    const tail = await readPart(file, tailOffset, size - tailOffset);
    return { ...wordOutput(head, tail, tailOffset, wording), bytes: size, logPath: wording.logPath };
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
