/** Reads options of the command line that name a folder. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { defaultDataDir } from "./data-dir.ts";

/**
 * @returns the absolute path, or `undefined` when the option was not given
 * @throws Error for an empty text, as an unset variable leaves it: it would mean the folder one happens to stand in
 */
export function folderOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === "") throw new Error(`${option} is empty. Give the path of a folder, or leave it out.`);
  return resolve(value);
}

/** Where the data is by `--data-dir`, or by this system where it was not given. @throws Error as `folderOf` and `defaultDataDir` */
export function dataDirOf(value?: string): string {
  // Asked also where another is named: without a home nothing of the person's own is known.
  const usual = defaultDataDir(process.platform, process.env, homedir());
  return folderOf("--data-dir", value) ?? usual;
}
