/** Where it is written down which files a thread changed; the database has its own implementation of this interface. */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { oneByOne } from "../base/one-by-one.ts";
import { whileBusy } from "../base/while-busy.ts";

const changeRecordSchema = z.strictObject({
  threadId: z.string(),
  /** The real path. */
  path: z.string(),
  /** The real path of the workspace it was changed from. */
  root: z.string(),
  /** SHA-256 of the original content, also the name of its blob; null when there was no file, empty when it was not read. */
  originalHash: z.string().nullable(),
  /** Without its original a file can be neither compared nor brought back. */
  kept: z.boolean(),
  mode: z.number().int().nullable(),
  /** SHA-256 of what the thread left there last; null when it deleted the file. */
  currentHash: z.string().nullable(),
  /** A command changed it, as far as looking before and after it can tell. */
  byCommand: z.boolean().optional(),
  /** Where a move of the thread brought it from: the place before the first of its moves. */
  movedFrom: z.string().optional(),
  /** Somebody else changed it between two changes of the thread, so the original would take their work away. */
  mixed: z.boolean().optional(),
});
export type ChangeRecord = z.infer<typeof changeRecordSchema>;

/** Records by thread and path; `put` replaces those with the same two. */
export type ChangeStore = {
  get(threadId: string, path: string): Promise<ChangeRecord | null>;
  put(...records: ChangeRecord[]): Promise<void>;
  list(threadId: string): Promise<ChangeRecord[]>;
  delete(threadId: string, path: string): Promise<void>;
  /** Whether any thread's record still needs this original. */
  uses(originalHash: string): Promise<boolean>;
  /** Whether what a command of the thread changed could not all be found. */
  isIncomplete(threadId: string): Promise<boolean>;
  setIncomplete(threadId: string, incomplete: boolean): Promise<void>;
};

const lineSchema = z.union([
  z.strictObject({ put: changeRecordSchema }),
  z.strictObject({ delete: z.strictObject({ threadId: z.string(), path: z.string() }) }),
  z.strictObject({ incomplete: z.strictObject({ threadId: z.string(), value: z.boolean() }) }),
]);
type Line = z.infer<typeof lineSchema>;

const keyOf = (threadId: string, path: string) => `${threadId}\0${path}`;

type Contents = {
  readonly records: Map<string, ChangeRecord>;
  readonly incomplete: Set<string>;
};

function apply({ records, incomplete }: Contents, line: Line): void {
  if ("put" in line) records.set(keyOf(line.put.threadId, line.put.path), line.put);
  else if ("delete" in line) records.delete(keyOf(line.delete.threadId, line.delete.path));
  else if (line.incomplete.value) incomplete.add(line.incomplete.threadId);
  else incomplete.delete(line.incomplete.threadId);
}

async function readLines(file: string): Promise<Contents & { lines: number }> {
  const text = await readFile(file, "utf8").catch((cause) => {
    if (cause.code === "ENOENT") return "";
    // The system does not name a folder that it could not read as a file.
    throw Object.assign(cause, { path: file });
  });
  const contents: Contents = { records: new Map(), incomplete: new Set() };
  const lines = text.split("\n").filter((line) => line !== "");
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line);
    // A crash can tear the last line only; it had not been answered yet.
    if (parsed === null && index === lines.length - 1) continue;
    if (parsed === null)
      throw new Error(`${file} is damaged at line ${index + 1}. Move it away to start afresh.`);
    apply(contents, parsed);
  }
  return { ...contents, lines: lines.length };
}

function parseLine(line: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

const toText = (lines: readonly Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

async function rewrite(file: string, { records, incomplete }: Contents): Promise<void> {
  const puts = [...records.values()].map((put) => ({ put }));
  const marks = [...incomplete].map((threadId) => ({ incomplete: { threadId, value: true } }));
  await writeFile(`${file}.new`, toText([...puts, ...marks]), { flush: true, mode: 0o600 });
  await whileBusy(file, () => rename(`${file}.new`, file));
}

/**
 * A store in one file of JSON lines, rewritten when it is opened so that it cannot grow for ever.
 * @throws Error naming file and line when the file is damaged
 */
export async function openChangeFile(file: string): Promise<ChangeStore> {
  const { lines, ...contents } = await readLines(file);
  const { records, incomplete } = contents;
  if (lines > 0) await rewrite(file, contents);
  const inTurn = oneByOne();
  /** A disk that is full cuts a line off in its middle, and no start could read what came behind that. */
  let isTorn = false;
  const write = (...fresh: Line[]) =>
    inTurn(async () => {
      if (fresh.length === 0) return;
      if (isTorn) await rewrite(file, contents);
      isTorn = true;
      await appendFile(file, toText(fresh), { flush: true, mode: 0o600 });
      isTorn = false;
      for (const line of fresh) apply(contents, line);
    });
  return {
    get: async (threadId, path) => records.get(keyOf(threadId, path)) ?? null,
    list: async (threadId) => [...records.values()].filter((record) => record.threadId === threadId),
    uses: async (hash) => [...records.values()].some((record) => record.originalHash === hash),
    put: (...fresh) => write(...fresh.map((put) => ({ put }))),
    delete: (threadId, path) => write({ delete: { threadId, path } }),
    isIncomplete: async (threadId) => incomplete.has(threadId),
    async setIncomplete(threadId, value) {
      if (incomplete.has(threadId) !== value) await write({ incomplete: { threadId, value } });
    },
  };
}
