/** Where Countersign keeps its data: the platform's folder for application data, one place for every door. */
import { join } from "node:path";

/**
 * @returns the absolute folder that holds databases, logs and settings when `--data-dir` names no other.
 *   macOS `~/Library/Application Support/Countersign`, Windows `%APPDATA%\Countersign`,
 *   elsewhere `$XDG_DATA_HOME/countersign` or `~/.local/share/countersign`.
 */
export function defaultDataDir(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Countersign");
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Countersign");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "countersign");
}
