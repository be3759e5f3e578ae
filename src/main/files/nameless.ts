/** Files and links whose names are no text: nothing can be asked of them by name, but that they changed is seen. */
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What stands in a name for bytes that are no text. */
const noText = "\uFFFD";

/** Whether a path may stand for a name that is no text, and so for no file that could be read or put back. */
export function isNameless(path: string): boolean {
  return path.includes(noText);
}

/** What stands at a path, also where its name is no text; undefined where nothing is. */
export function statAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) ?? newestNameless(path)?.stat;
}

/** What the link at a path says, also where its name is no text. @throws the system's error where no link is */
export function readLinkAt(path: string): Buffer {
  const isText = !isNameless(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return readlinkSync(isText ? path : (newestNameless(path)?.bytes ?? path), { encoding: "buffer" });
}

/** The newest of those that are shown by this name, since several may be. */
function newestNameless(path: string): { bytes: Buffer; stat: Stats } | undefined {
  const folder = dirname(path);
  if (!isNameless(path) || isNameless(folder)) return undefined;
  const start = Buffer.from(join(folder, "/"));
  const found = readdirSync(folder, "buffer")
    .filter((name) => name.toString() === basename(path))
    .flatMap((name) => {
      const bytes = Buffer.concat([start, name]);
      const stat = lstatSync(bytes, { throwIfNoEntry: false });
      return stat ? { bytes, stat } : [];
    });
  return found.toSorted((one, other) => other.stat.ctimeMs - one.stat.ctimeMs)[0];
}
