/** Mends the program through which node-pty starts commands on macOS: its package ships it without the permission to run. */
import { accessSync, chmodSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Set-up and packing have done so already; a folder that was copied, or installed by hand, has not. What cannot be
 * mended is left: the start of a command then says what is wrong.
 * @param packageFolder node-pty's, outside of the app's archive.
 */
export function makeSpawnHelperExecutable(
  platform: NodeJS.Platform = process.platform,
  packageFolder: () => string = findPackage,
): void {
  if (platform !== "darwin") return;
  try {
    const helper = join(packageFolder(), "prebuilds", `darwin-${process.arch}`, "spawn-helper");
    if (existsSync(helper) && !isExecutable(helper)) chmodSync(helper, 0o755);
  } catch {
    // An app in a folder that is not the person's own, or a node-pty that was compiled here.
  }
}

function findPackage(): string {
  const manifest = createRequire(import.meta.url).resolve("node-pty/package.json");
  return dirname(manifest).replace(/\bapp\.asar(?!\.unpacked)/, "app.asar.unpacked");
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
