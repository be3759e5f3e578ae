/** Finds programs in the folders of PATH, and starts none. */
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

/** The name of the file that is started under a program's name. */
export const fileOfProgram = (name: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? `${name}.exe` : name;

/** The folders of PATH that are the same wherever somebody stands. @param path as a system writes them */
export const wholeFolders = (path: string): string[] => path.split(delimiter).filter(isAbsolute);

/** The first of that name which may be run. */
export const findIn = (folders: readonly string[], program: string): string | undefined =>
  folders.map((folder) => join(folder, program)).find(isProgram);

/**
 * Which file a command means: by its whole path, or by its name in the folders of PATH. One that would be looked for
 * from the folder that an agent works in is none: what lies there is not what a person set up.
 */
export function findProgram(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return command;
  return basename(command) === command ? findIn(wholeFolders(path), command) : undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
