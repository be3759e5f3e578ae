/** Holds the head and the tail of a command's output in bounded memory and words them for the model. */
import { type FileHandle, open } from "node:fs/promises";
import { cleanColouredOutput, cleanOutput } from "./clean-output.ts";
import { borderAtOrAfter, borderAtOrBefore, createOutputRing, type OutputRing } from "./output-ring.ts";

/** Raw bytes held per command. The tail is also what a late subscriber is shown first. */
const rawHeadBytes = 64 * 1024;
const rawTailBytes = 256 * 1024;

/** Logs up to this size are read through for the number of their lines. */
const countedBytes = 16 * 1024 * 1024;

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

/** The log of a command for a person: its two ends as far as they are shown, and how much it holds in all. */
export type ColouredLog = {
  /** The words a model would read, with choices of colour; what is missing in the middle is named in a line. */
  text: string;
  /** Bytes of the whole log. */
  bytes: number;
  /** Lines of the whole log; unknown of one that is too large to be counted through. */
  lines: number | undefined;
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
function wordOutput(
  head: Buffer,
  tail: Buffer,
  tailOffset: number,
  wording: Wording,
  clean = cleanOutput,
): WordedOutput {
  if (tailOffset <= head.length) {
    const text = clean(decode(Buffer.concat([head, tail.subarray(head.length - tailOffset)])));
    return cut(text, text, wording, 0);
  }
  const headEnd = borderAtOrBefore(head, head.length);
  const tailStart = borderAtOrAfter(tail, 0);
  const omitted = tailOffset + tailStart - headEnd;
  return cut(
    clean(decode(head.subarray(0, headEnd))),
    clean(decode(tail.subarray(tailStart))),
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
  return withEnds(wording.logPath, ({ head, tail, tailOffset, size }) => ({
    ...wordOutput(head, tail, tailOffset, wording),
    bytes: size,
    logPath: wording.logPath,
  }));
}

/** Reads a log as a person sees it, with its colours and more of it than a model gets. Undefined if there is none. */
export async function readColouredLog(logPath: string): Promise<ColouredLog | undefined> {
  // Cleaning makes nothing longer, so all that is read is shown.
  const limits = { headBytes: rawHeadBytes, tailBytes: rawTailBytes };
  return withEnds(logPath, async ({ head, tail, tailOffset, size, file }) => {
    const { output } = wordOutput(head, tail, tailOffset, { limits, logPath }, cleanColouredOutput);
    const lines = size > countedBytes ? undefined : await countLines(file, size);
    return { text: output, bytes: size, lines };
  });
}

type Ends = { head: Buffer; tail: Buffer; tailOffset: number; size: number; file: FileHandle };

async function withEnds<T>(logPath: string, read: (ends: Ends) => T | Promise<T>): Promise<T | undefined> {
  const file = await open(logPath, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const tailOffset = Math.max(0, size - rawTailBytes);
    const head = await readPart(file, 0, Math.min(size, rawHeadBytes));
    const tail = await readPart(file, tailOffset, size - tailOffset);
    return await read({ head, tail, tailOffset, size, file });
  } finally {
    await file.close();
  }
}

/** Line ends, and one more for words behind the last. */
async function countLines(file: FileHandle, size: number): Promise<number> {
  let lines = 0;
  let last: number | undefined;
  for (let at = 0; at < size; at += rawTailBytes) {
    const part = await readPart(file, at, Math.min(rawTailBytes, size - at));
    for (let found = part.indexOf(0x0a); found >= 0; found = part.indexOf(0x0a, found + 1)) lines += 1;
    last = part.at(-1) ?? last;
  }
  return last === undefined || last === 0x0a ? lines : lines + 1;
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
