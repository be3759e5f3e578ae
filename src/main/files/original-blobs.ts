/** Keeps original contents in application data, each once, under the hash of what it is. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashBytes } from "./stored-file.ts";

export type OriginalBlobs = {
  /** Stores the content durably and returns its hash. */
  put(bytes: Uint8Array): Promise<string>;
  /** The content, or null when it is missing or no longer what its name says. */
  get(hash: string): Promise<Buffer | null>;
  delete(hash: string): Promise<void>;
};

/** Blobs in `folder`, which is created when it is first needed; readable by its owner only. */
export function createOriginalBlobs(folder: string): OriginalBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const get = async (hash: string) => {
    const bytes = await readFile(fileOf(hash)).catch(() => null);
    return bytes && hashBytes(bytes) === hash ? bytes : null;
  };
  return {
    get,
    async put(bytes) {
      const hash = hashBytes(bytes);
      if ((await get(hash)) !== null) return hash;
      const file = fileOf(hash);
      const fresh = `${file}.${randomBytes(4).toString("hex")}`;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(fresh, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(fresh, file);
      return hash;
    },
    delete: async (hash) => {
      await unlink(fileOf(hash)).catch(() => {});
    },
  };
}
