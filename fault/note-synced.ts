/** Writes down how much of each write-ahead log was brought to the disk, so that a test can take away what a power cut would. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Its name beside a log; the length in bytes. */
export const syncedOf = (log: string) => `${log}.synced`;

const { fdatasync, fdatasyncSync } = fs;

function note(file: number): () => void {
  const log = fs.readlinkSync(`/proc/self/fd/${file}`);
  const { size } = fs.fstatSync(file);
  return () => {
    if (log.endsWith("-wal")) fs.writeFileSync(syncedOf(log), String(size));
  };
}

/** To be called before anything is opened: from then on each sync of this process is noted. */
export function noteSynced(): void {
  fs.fdatasyncSync = (file) => {
    const done = note(file);
    fdatasyncSync(file);
    done();
  };
  fs.fdatasync = Object.assign(
    (file: number, hear: (error: NodeJS.ErrnoException | null) => void) => {
      const done = note(file);
      fdatasync(file, (error) => {
        if (!error) done();
        hear(error);
      });
    },
    { __promisify__: fdatasync.__promisify__ },
  );
  syncBuiltinESMExports();
}
