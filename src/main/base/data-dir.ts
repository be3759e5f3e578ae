/** Where Countersign keeps its data: the platform's folder for application data, one place for every door. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/**
 * @returns the absolute folder that holds databases, logs and settings when `--data-dir` names no other.
 *   macOS `~/Library/Application Support/Countersign`, Windows `%LOCALAPPDATA%\Countersign`,
 *   elsewhere `$XDG_DATA_HOME/countersign` or `~/.local/share/countersign`. A variable that is no full path is not followed.
 * @throws Error where the home folder is not known: a part of a path would mean the folder one happens to stand in, and
 *   nobody could tell which files are the person's own
 */
export function defaultDataDir(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  home: string,
  exists = existsSync,
): string {
  if (!isAbsolute(home))
    throw new Error(
      `Your home folder is not known: HOME is ${home === "" ? "empty" : "no full path"}. Set it to the full path of your home folder, then start again.`,
    );
  if (platform === "darwin") return join(home, "Library", "Application Support", "Countersign");
  if (platform === "win32") return windowsDataDir(env, home, exists);
  return join(absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), "countersign");
}

/** Databases do not belong into the profile that Windows copies between machines; data that lies there is used where it is. */
function windowsDataDir(env: NodeJS.ProcessEnv, home: string, exists: (path: string) => boolean): string {
  const local = join(absolute(env.LOCALAPPDATA) ?? join(home, "AppData", "Local"), "Countersign");
  const roaming = join(absolute(env.APPDATA) ?? join(home, "AppData", "Roaming"), "Countersign");
  return !exists(local) && exists(roaming) ? roaming : local;
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
