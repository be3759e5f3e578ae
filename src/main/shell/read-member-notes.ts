/** Reads what an earlier host noted of a command's processes; apart from the noting, which is done where no parser is loaded. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { notesPathOf } from "./member-notes.ts";
import type { TreeRoot } from "./process-tree.ts";

const noteSchema = z.union([
  z.object({ terminal: z.string() }),
  z.object({ pid: z.number().int().min(2), startTime: z.string().min(1) }),
]);

type Notes = Pick<TreeRoot, "terminal" | "noted">;

/** What was noted of a command; undefined when nothing was. A line that cannot be read counts for nothing. */
export function readNotes(logPath: string): Notes | undefined {
  let text: string;
  try {
    text = readFileSync(notesPathOf(logPath), "utf8");
  } catch {
    return undefined;
  }
  const notes = text.split("\n").flatMap((line) => {
    try {
      return [noteSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
  const noted = notes.filter((note) => "pid" in note);
  const terminal = notes.find((note) => "terminal" in note)?.terminal;
  if (noted.length === 0) return undefined;
  return terminal === undefined ? { noted } : { noted, terminal };
}
