/** Keeps original contents in application data, each once, under the hash of what it is. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cloneFile } from "./clone-file.ts";
import { hashBytes, hashOpen } from "./stored-file.ts";

export type OriginalBlobs = {
  /**
   * Stores the content durably and returns its hash.
   * @param from a file that may hold just that, with which it shares its place on the disk where that can be
   */
  put(bytes: Uint8Array, from?: string): Promise<string>;
  /** The content, or null when it is missing or no longer what its name says. */
  get(hash: string): Promise<Buffer | null>;
  delete(hash: string): Promise<void>;
  /** How much of the disk one content takes; 0 where it is not kept. */
  bytesOf(hash: string): Promise<number>;
  /** How much all of them take. */
  bytesOfAll(): Promise<number>;
};

/** Blobs in `folder`, which is created when it is first needed; readable by its owner only. */
export function createOriginalBlobs(folder: string, clone = cloneFile): OriginalBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const get = async (hash: string) => {
    const bytes = await readFile(fileOf(hash)).catch(() => null);
    return bytes && hashBytes(bytes) === hash ? bytes : null;
  };
  return {
    get,
    async put(bytes, from) {
      const hash = hashBytes(bytes);
      if ((await get(hash)) !== null) return hash;
      const file = fileOf(hash);
      const fresh = `${file}.${randomBytes(4).toString("hex")}`;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const isCloned = from !== undefined && (await clone(from, fresh, bytes.length));
      const handle = await open(fresh, isCloned ? "r+" : "wx", 0o600);
      try {
        // Somebody may have written to the file since its content was read.
        const isWanted = isCloned && (await hashOpen(handle)) === hash;
        if (isCloned && !isWanted) await handle.truncate();
        if (!isWanted) await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(fresh, file);
      return hash;
    },
    bytesOf: (hash) => sizeOf(fileOf(hash)),
    async bytesOfAll() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      let bytes = 0;
      for (const entry of entries)
        if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
      return bytes;
    },
    delete: async (hash) => {
      await unlink(fileOf(hash)).catch(() => {});
    },
  };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
