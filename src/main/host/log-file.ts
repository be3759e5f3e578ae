/** The host's log: one JSON line an event, without arguments, keys or texts of people and models. */

import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";

export type HostLog = {
  /** @returns the id under which the error stands in the log. */
  error(error: unknown): string;
  close(): void;
};

const maxBytes = 5_000_000;

/** Keeps the current file and the one before it. */
export function openLog(dataDir: string): HostLog {
  const dir = join(dataDir, "logs");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, "host.jsonl");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600 });
  const logger = pino({ base: null }, destination);
  return {
    error(error) {
      const logId = randomUUID().slice(0, 8);
      const { name, stack } = error instanceof Error ? error : new Error(String(error));
      // Messages of foreign errors may quote a key or a file; the stack's frames and the class are enough to find the place.
      logger.error({
        logId,
        name,
        frames: stack
          ?.split("\n")
          .filter((line) => line.trimStart().startsWith("at "))
          .slice(0, 12),
      });
      return logId;
    },
    close: () => destination.end(),
  };
}
