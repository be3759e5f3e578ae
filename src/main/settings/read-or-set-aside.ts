/** Reads a file that people may edit; a broken one is kept aside and said so, so that the host starts all the same. */
import { chmodSync, existsSync, readFileSync, renameSync } from "node:fs";
import { z } from "zod";
import { describeRefusal } from "../storage/storage-error.ts";

/**
 * @param what names the file in the warning, as in "settings file".
 * @param parse throws a ZodError for what is wrong; of an empty object, and so without a file, it gives the defaults.
 * @param isSecret keeps what is wrong out of the warning, since that may quote the file, and the kept file private.
 * @returns the value, and in a sentence what was wrong with the file and where it is now.
 * @throws Error when the file exists but cannot be moved aside.
 */
export function readOrSetAside<T>(
  path: string,
  what: string,
  parse: (content: unknown) => T,
  { isSecret = false } = {},
): { value: T; warnings: string[] } {
  if (!existsSync(path)) return { value: parse({}), warnings: [] };
  try {
    return { value: parse(JSON.parse(readFileSync(path, "utf8"))), warnings: [] };
  } catch (error) {
    const aside = freeName(`${path}.broken`);
    renameSync(path, aside);
    if (isSecret) chmodSync(aside, 0o600);
    const why = isSecret ? "" : ` (${explain(error)})`;
    const warning = `The ${what} could not be read${why}. It was kept as ${aside}, and the defaults are used.`;
    return { value: parse({}), warnings: [warning] };
  }
}

/** What was set aside before is not written over. */
function freeName(path: string): string {
  let name = path;
  for (let count = 2; existsSync(name); count += 1) name = `${path}-${count}`;
  return name;
}

function explain(error: unknown): string {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  if (issue === undefined) return describeRefusal(error) ?? String(error);
  const field = issue.path.join(".");
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}
