/** The PATH of the person who typed the command: what npm put before it for its scripts is none of theirs. */
import { basename, delimiter, dirname, join } from "node:path";

/**
 * npm prepends `node_modules/.bin` of the project's folder and of each folder above it, then its own node-gyp. Only such
 * a beginning is taken away, so an entry of the same name that the person put elsewhere stays.
 * @param path the PATH as this process got it.
 */
export function personPath(path, projectRoot) {
  const entries = path.split(delimiter);
  const bins = new Set(ancestors(projectRoot).map((folder) => join(folder, "node_modules", ".bin")));
  const first = entries.findIndex((entry) => !bins.has(entry) && basename(entry) !== "node-gyp-bin");
  return (first < 0 ? [] : entries.slice(first)).join(delimiter);
}

function ancestors(folder) {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
