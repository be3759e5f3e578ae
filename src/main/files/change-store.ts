/** Where it is written down which files a thread changed; the database has its own implementation of this interface. */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";

const changeRecordSchema = z.strictObject({
  threadId: z.string(),
  /** The real path. */
  path: z.string(),
  /** The real path of the workspace it was changed from. */
  root: z.string(),
  /** SHA-256 of the original content, also the name of its blob; null when there was no file. */
  originalHash: z.string().nullable(),
  /** The original was too large to keep, so it cannot be shown or brought back. */
  kept: z.boolean(),
  mode: z.number().int().nullable(),
  /** SHA-256 of what the thread left there last; null when it deleted the file. */
  currentHash: z.string().nullable(),
});
export type ChangeRecord = z.infer<typeof changeRecordSchema>;

/** Records by thread and path; `put` replaces the record with the same two. */
export interface ChangeStore {
  get(threadId: string, path: string): Promise<ChangeRecord | null>;
  put(record: ChangeRecord): Promise<void>;
  list(threadId: string): Promise<ChangeRecord[]>;
  delete(threadId: string, path: string): Promise<void>;
  /** Whether any thread's record still needs this original. */
  uses(originalHash: string): Promise<boolean>;
}

const lineSchema = z.union([
  z.strictObject({ put: changeRecordSchema }),
  z.strictObject({ delete: z.strictObject({ threadId: z.string(), path: z.string() }) }),
]);
type Line = z.infer<typeof lineSchema>;

const keyOf = (threadId: string, path: string) => `${threadId}\0${path}`;

async function readLines(file: string): Promise<{ records: Map<string, ChangeRecord>; lines: number }> {
  const text = await readFile(file, "utf8").catch((cause) => {
    if (cause.code === "ENOENT") return "";
    throw cause;
  });
  const records = new Map<string, ChangeRecord>();
  const lines = text.split("\n").filter((line) => line !== "");
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line);
    // A crash can tear the last line only; it had not been answered yet.
    if (parsed === null && index === lines.length - 1) continue;
    if (parsed === null)
      throw new Error(`${file} is damaged at line ${index + 1}. Move it away to start afresh.`);
    if ("put" in parsed) records.set(keyOf(parsed.put.threadId, parsed.put.path), parsed.put);
    else records.delete(keyOf(parsed.delete.threadId, parsed.delete.path));
  }
  return { records, lines: lines.length };
}

function parseLine(line: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function rewrite(file: string, records: Iterable<ChangeRecord>): Promise<void> {
  const text = [...records].map((put) => `${JSON.stringify({ put })}\n`).join("");
  await writeFile(`${file}.new`, text, { flush: true });
  await rename(`${file}.new`, file);
}

/**
 * A store in one file of JSON lines, rewritten when it is opened so that it cannot grow for ever.
 * @throws Error naming file and line when the file is damaged
 */
export async function openChangeFile(file: string): Promise<ChangeStore> {
  const { records, lines } = await readLines(file);
  if (lines > 0) await rewrite(file, records.values());
  const append = (line: Line) => appendFile(file, `${JSON.stringify(line)}\n`, { flush: true });
  return {
    get: async (threadId, path) => records.get(keyOf(threadId, path)) ?? null,
    list: async (threadId) => [...records.values()].filter((record) => record.threadId === threadId),
    uses: async (hash) => [...records.values()].some((record) => record.originalHash === hash),
    async put(record) {
      await append({ put: record });
      records.set(keyOf(record.threadId, record.path), record);
    },
    async delete(threadId, path) {
      await append({ delete: { threadId, path } });
      records.delete(keyOf(threadId, path));
    },
  };
}
