/** Where Countersign keeps its data: the platform's folder for application data, one place for every door. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * @returns the absolute folder that holds databases, logs and settings when `--data-dir` names no other.
 *   macOS `~/Library/Application Support/Countersign`, Windows `%LOCALAPPDATA%\Countersign`,
 *   elsewhere `$XDG_DATA_HOME/countersign` or `~/.local/share/countersign`.
 */
export function defaultDataDir(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  home: string,
  exists = existsSync,
): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Countersign");
  if (platform === "win32") return windowsDataDir(env, home, exists);
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "countersign");
}

/** Databases do not belong into the profile that Windows copies between machines; data that lies there is used where it is. */
function windowsDataDir(env: NodeJS.ProcessEnv, home: string, exists: (path: string) => boolean): string {
  const local = join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "Countersign");
  const roaming = join(env.APPDATA || join(home, "AppData", "Roaming"), "Countersign");
  return !exists(local) && exists(roaming) ? roaming : local;
}
