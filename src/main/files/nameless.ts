/** Files whose names are no text: nothing can be asked of them by name, but that they changed is seen. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What stands in a name for bytes that are no text. */
const noText = "\uFFFD";

/** Whether a path may stand for a name that is no text, and so for no file that could be read or put back. */
export function isNameless(path: string): boolean {
  return path.includes(noText);
}

/** What stands at a path, also where its name is no text; undefined where nothing is. */
export function statAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) ?? (isNameless(path) ? statNameless(path) : undefined);
}

/** The newest of the files that are shown by this name, since several may be. */
function statNameless(path: string): Stats | undefined {
  const folder = dirname(path);
  if (isNameless(folder)) return undefined;
  const start = Buffer.from(join(folder, "/"));
  const found = readdirSync(folder, "buffer")
    .filter((name) => name.toString() === basename(path))
    .flatMap((name) => lstatSync(Buffer.concat([start, name]), { throwIfNoEntry: false }) ?? []);
  return found.toSorted((one, other) => other.ctimeMs - one.ctimeMs)[0];
}
