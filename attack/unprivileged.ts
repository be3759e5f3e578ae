/** Runs what an attack starts as a user who owns nothing but the throw-away folder, where this process may choose. */
import { chmodSync, chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The user for child processes; `own` gives a folder and everything in it to that user. */
export type Unprivileged = {
  ids: { uid?: number; gid?: number };
  own(folder: string): void;
};

const nobody = 65_534;

/** Root becomes nobody; everybody else stays who they are. */
export function findUnprivileged(): Unprivileged {
  if (process.getuid?.() !== 0) return { ids: {}, own: () => {} };
  const own = (folder: string): void => {
    chownSync(folder, nobody, nobody);
    chmodSync(folder, 0o755);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) own(path);
      else lchownSync(path, nobody, nobody);
    }
  };
  return { ids: { uid: nobody, gid: nobody }, own };
}
