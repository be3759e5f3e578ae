/** Reads a file that people may edit; a broken one is kept aside and said so, and what is right in it holds. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { describeRefusal } from "../storage/storage-error.ts";

/**
 * @param what names the file in the warning, as in "settings file".
 * @param parse throws a ZodError for what is wrong; of an empty object, and so without a file, it gives the defaults.
 * @param isSecret keeps what is wrong out of the warning, since that may quote the file, and the kept file private.
 * @returns the value, with the default of each field that was wrong, and in a sentence what that was and where the file is
 *   now. Of a secret one nothing is taken unless all is right.
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
    const rest = isSecret ? undefined : restOf(path, parse);
    const aside = freeName(`${path}.broken`);
    renameSync(path, aside);
    chmodSync(aside, 0o600);
    if (rest !== undefined) {
      writeFileSync(path, `${JSON.stringify(rest.content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      const warning = `Something in the ${what} was not taken (${rest.why}). The defaults are used for that, and all else holds; the file as it was is kept as ${aside}.`;
      return { value: rest.value, warnings: [warning] };
    }
    const why = isSecret ? "" : ` (${explain(error)})`;
    const warning = `The ${what} could not be read${why}. It was kept as ${aside}, and the defaults are used.`;
    return { value: parse({}), warnings: [warning] };
  }
}

/** What is left of the file without the fields that are wrong, and why these are; nothing where nothing is left. */
function restOf<T>(path: string, parse: (content: unknown) => T) {
  try {
    let content: unknown = JSON.parse(readFileSync(path, "utf8"));
    const whys: string[] = [];
    while (typeof content === "object" && content !== null && Object.keys(content).length > 0) {
      try {
        return { value: parse(content), content, why: whys.join("; ") };
      } catch (error) {
        const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
        const [wrong = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined] = issue?.path ?? [];
        if (wrong === undefined || !Object.hasOwn(content, wrong)) return undefined;
        whys.push(explain(error));
        content = Object.fromEntries(Object.entries(content).filter(([name]) => name !== wrong));
      }
    }
  } catch {
    // It is no JSON, or cannot be read.
  }
  return undefined;
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
