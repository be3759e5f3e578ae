/** Whether the desktop app can open here, and the one bounded try to get Electron when it is not installed yet. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { cacheDir, report, root } from "./project.mjs";
import { node24Path, run } from "./run.mjs";

const packageDir = join(root, "node_modules", "electron");
const failureFile = join(cacheDir, "electron-download-failed");
const retryAfterMs = 24 * 3_600_000;
const downloadTimeoutMs = 120_000;

/** The Electron program, or undefined when it is not installed. It is never asked by requiring the package. */
export function electronPath() {
  const record = join(packageDir, "path.txt");
  const name = existsSync(record) ? readFileSync(record, "utf8").trim() : "electron";
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return existsSync(join(override, name)) ? join(override, name) : undefined;
  const program = join(packageDir, "dist", name);
  return existsSync(record) && existsSync(program) ? program : undefined;
}

/** Why no window can be shown on this machine, or undefined when nothing speaks against it. */
export function whyNoWindow(platform, env, uid) {
  if (platform !== "linux") return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return "there is no display";
  if (uid === 0) return "Electron does not run as root";
  return undefined;
}

/** Downloads Electron once when it is missing; a failed try is remembered for a day. Resolves to its path or undefined. */
export async function ensureElectron({ force = false } = {}) {
  const found = electronPath();
  if (found !== undefined || (!force && failedLately())) return found;
  await withLock(join(cacheDir, "electron.lock"), async () => {
    if (electronPath() !== undefined || (!force && failedLately())) return;
    report("downloading Electron (about 110 MB, once)");
    const install = join(packageDir, "install.js");
    const code = await run(node24Path(), [install], { stdout: "ignore", timeoutMs: downloadTimeoutMs });
    if (code === 0) return rmSync(failureFile, { force: true });
    mkdirSync(dirname(failureFile), { recursive: true });
    writeFileSync(failureFile, `exit code ${code}\n`);
  });
  return electronPath();
}

function failedLately() {
  return existsSync(failureFile) && Date.now() - statSync(failureFile).mtimeMs < retryAfterMs;
}
