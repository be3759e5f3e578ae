/** Reads files that others may swap at any time: a pipe in the place of one would be waited for, and with it all that this thread does. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const noLink = constants.O_NOFOLLOW ?? 0;

/**
 * What a file says now. Its size is for the caller to look at before.
 * @param last whether a link in the last place of the path is followed
 * @throws for whatever is no file, or cannot be read
 */
export function readNow(path: string, last: "follow" | "no link" = "follow"): Buffer {
  const file = openSync(path, last === "follow" ? flags : flags | noLink);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is no file`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
