/** The path of the one file that a look is reading, in memory that two threads share: what hangs is known by it. */

const lengthBytes = 4;
/** No system has longer paths in use; a longer one is not told. */
const pathBytes = 8_192;

export type FileBeingRead = SharedArrayBuffer;

/** @returns a place to hand to the other thread before it looks at anything. */
export function createFileBeingRead(): FileBeingRead {
  return new SharedArrayBuffer(lengthBytes + pathBytes);
}

/** Tells the path before its file is read, and an empty one afterwards. */
export function tellFile(place: FileBeingRead, path: string): void {
  const bytes = Buffer.from(path);
  const fits = bytes.length <= pathBytes;
  if (fits) Buffer.from(place, lengthBytes).set(bytes);
  Atomics.store(new Int32Array(place, 0, 1), 0, fits ? bytes.length : 0);
}

/** The path that was told last, from any thread; undefined while nothing is read. */
export function askFile(place: FileBeingRead): string | undefined {
  const length = Atomics.load(new Int32Array(place, 0, 1), 0);
  if (length === 0) return undefined;
  return Buffer.from(Buffer.from(place, lengthBytes, length)).toString();
}
