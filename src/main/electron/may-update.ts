/** Which builds may replace themselves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether a build may replace itself. A build that was signed carries the address of its updates; on Windows the file
 * also names the signer, without whom nothing would be checked before it is installed. Linux packages are not signed.
 */
export function mayUpdate(isPackaged: boolean, platform: NodeJS.Platform, resources: string): boolean {
  if (!isPackaged || platform === "linux") return false;
  try {
    const settings = readFileSync(join(resources, "app-update.yml"), "utf8");
    return platform !== "win32" || /^publisherName:/m.test(settings);
  } catch {
    return false;
  }
}
