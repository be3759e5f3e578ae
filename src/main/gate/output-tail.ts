/** The last output of an execution that a crash cut off, as far as its log has it. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { ExecutionRow } from "../approvals/execution-store.ts";

const tailBytes = 4_000;

/** @returns text that a person can read; none when there is no log, or none that can be read. */
export function readOutputTail({ logPath }: ExecutionRow): string {
  if (!logPath) return "";
  try {
    const file = openSync(logPath, "r");
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, tailBytes));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return stripVTControlCharacters(buffer.toString("utf8"));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
