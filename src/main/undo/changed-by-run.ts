/** What the run of one command changed, as its look at the folder wrote it down: how many files, and the first of them by name. */
import { relative } from "node:path";
import type Database from "better-sqlite3";
import type { ChangedFiles } from "../../shared/contract/subjects.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import { firstThatFit } from "../base/first-that-fit.ts";
import { isInside } from "../paths/real-of.ts";

/**
 * Tells what a run changed, once it has ended.
 * @param folder from where on its files are named; any other is named whole
 * @returns undefined where nobody looked, as with a command that only reads
 */
export type ChangedByRun = (executionId: ExecutionId, folder: string) => ChangedFiles | undefined;

/** More than are ever named. */
const mostRead = 50;

/** @param database with the tables of steps */
export function createChangedByRun(database: Database.Database): ChangedByRun {
  const stepOf = database.prepare("SELECT id, state FROM change_steps WHERE execution_id = ?");
  const countOf = database.prepare("SELECT count(*) FROM change_step_files WHERE step = ?").pluck();
  const pathsOf = database
    .prepare("SELECT path FROM change_step_files WHERE step = ? ORDER BY path LIMIT ?")
    .pluck();
  return (executionId, folder) => {
    const step = stepOf.get(executionId) as { id: number; state: string } | undefined;
    if (step === undefined) return undefined;
    const paths = (pathsOf.all(step.id, mostRead) as string[]).map((path) =>
      isInside(folder, path) ? relative(folder, path) : path,
    );
    return {
      count: countOf.get(step.id) as number,
      paths: firstThatFit(paths),
      whole: step.state === "whole",
    };
  };
}
