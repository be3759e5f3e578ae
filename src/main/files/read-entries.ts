/** Reads what is in a folder, of a very large one no more than is asked for. */
import { type Dirent, lstatSync, opendirSync, readdirSync } from "node:fs";

/** A folder whose list takes so many bytes may have names enough to fill the memory; reading a piece at a time takes longer. */
const largeFolderBytes = 1_000_000;
const entriesAtOnce = 1_000;

/** The entries of a folder, which was opened once the first is asked for. @throws the system's error */
export function* readEntries(folder: string): Generator<Dirent, void> {
  if (lstatSync(folder).size < largeFolderBytes) {
    yield* readdirSync(folder, { withFileTypes: true });
    return;
  }
  const list = opendirSync(folder, { bufferSize: entriesAtOnce });
  try {
    for (let entry = list.readSync(); entry; entry = list.readSync()) yield entry;
  } finally {
    list.closeSync();
  }
}
