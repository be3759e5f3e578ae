/** The host's log: one JSON line an event, without arguments, keys or texts of people and models. */

import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";

export type HostLog = {
  /** @returns the id under which the error stands in the log. */
  error(error: unknown): string;
  /** Resolves when everything is written and the file is closed. */
  close(): Promise<void>;
};

const maxBytes = 5_000_000;
const mostFrames = 12;
const frame = /^ {4}at [^\n]{1,400}$/;

/**
 * Messages of foreign errors may quote a key or a file, on lines that look like frames too; the frames behind the message
 * and the class are enough to find the place.
 */
function describeError(error: unknown): { name: string; frames: string[] } {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error();
  const at = stack.indexOf(message);
  const behind = at < 0 ? "" : stack.slice(at + message.length);
  return {
    name: /^\w{1,60}$/.test(name) ? name : "Error",
    frames: behind
      .split("\n")
      .filter((line) => frame.test(line))
      .slice(0, mostFrames),
  };
}

/** Keeps the current file and the one before it. */
export function openLog(dataDir: string): HostLog {
  const dir = join(dataDir, "logs");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, "host.jsonl");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600 });
  // What cannot be logged is lost; a log on a full disk must not take the host with it.
  destination.on("error", () => undefined);
  let closed: Promise<void> | undefined;
  const logger = pino({ base: null }, destination);
  return {
    error(error) {
      const logId = randomUUID().slice(0, 8);
      logger.error({ logId, ...describeError(error) });
      return logId;
    },
    close() {
      closed ??= new Promise((resolve) => {
        destination.once("close", resolve);
        // The last line may not fit on a full disk; the file is closed all the same.
        destination.once("error", () => destination.destroy());
        destination.end();
      });
      return closed;
    },
  };
}
