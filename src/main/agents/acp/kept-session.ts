/** What is kept of a thread's outer agent beyond the run: its session, the turn it was last given, and its process. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ThreadId } from "../../../shared/ids.ts";
import { createJsonReader, writeJson } from "../../agent-files/json-file.ts";
import { endOrphan, findOrphans } from "../../shell/orphans.ts";
import { removeLeftDoors } from "./door-files.ts";

const keptSchema = z.strictObject({
  sessionId: z.string().optional(),
  /** The turn whose message the agent was given. */
  promptedTurn: z.string().optional(),
  /** It did something past our tools, or is no program that is known: from then on it is asked nothing else of than to ask. */
  actedPast: z.boolean().optional(),
  /** What it said of itself when it was started last. */
  version: z.string().optional(),
  mode: z.string().optional(),
  /** Its process, while there is one. */
  process: z.strictObject({ executionId: z.string(), pid: z.number(), startTime: z.string() }).optional(),
});
export type Kept = z.infer<typeof keptSchema>;

export type KeptSessions = {
  /** Nothing is known where the file does not read. */
  of(threadId: ThreadId): Kept;
  note(threadId: ThreadId, news: Partial<Kept>): void;
  forget(threadId: ThreadId): void;
  /** Ends what an earlier host left running, with its doors to our tools. @returns a warning for each process that could not be ended. */
  endLeft(): Promise<string[]>;
};

/** One small file for each thread, readable by its owner only. */
export function createKeptSessions(dataDir: string): KeptSessions {
  const folder = join(dataDir, "outer-sessions");
  const read = createJsonReader();
  const fileOf = (threadId: string) => join(folder, `${encodeURIComponent(threadId)}.json`);
  const of = (threadId: string): Kept => {
    const file = read(fileOf(threadId));
    return (file.kind === "value" && keptSchema.safeParse(file.value).data) || {};
  };
  const note = (threadId: string, news: Partial<Kept>) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeJson(fileOf(threadId), { ...of(threadId), ...news }, 0o600);
  };
  return {
    of,
    note,
    forget: (threadId) => rmSync(fileOf(threadId), { force: true }),
    async endLeft() {
      removeLeftDoors(dataDir);
      const ids = threadsIn(folder);
      const left = ids.flatMap((id) => of(id).process ?? []);
      const { found } = await findOrphans(left);
      const warnings: string[] = [];
      for (const orphan of found)
        for (const { pid, name } of (await endOrphan(orphan)).stillRunning)
          warnings.push(
            `An agent from before is still running and could not be ended: process ${pid} (${name}).`,
          );
      for (const id of ids) if (of(id).process) note(id, { process: undefined });
      return warnings;
    },
  };
}

function threadsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => decodeURIComponent(name.slice(0, -".json".length)));
  } catch {
    return [];
  }
}
