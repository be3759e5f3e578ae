/** Reads an option of the command line that names a folder. */
import { resolve } from "node:path";

/**
 * @returns the absolute path, or `undefined` when the option was not given
 * @throws Error for an empty text, as an unset variable leaves it: it would mean the folder one happens to stand in
 */
export function folderOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === "") throw new Error(`${option} is empty. Give the path of a folder, or leave it out.`);
  return resolve(value);
}
