/** Makes node_modules match the lock file, and does nothing quickly when it already does. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { cacheDir, hash, report, root, SetupError } from "./project.mjs";
import { node24Path, runNpm } from "./run.mjs";

const stampFile = join(root, "node_modules", ".cache", "countersign", "installed");
const lockFile = join(root, "package-lock.json");
const installTimeoutMs = 20 * 60_000;

/** Installs with `npm ci` when needed. Throws SetupError with the next step when that fails. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(join(cacheDir, "setup.lock"), async () => {
    if (isInstalled()) return;
    if (!matchesLockFile(readJson(lockFile), readJson(join(root, "node_modules", ".package-lock.json")))) {
      await install();
    }
    checkPrograms();
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, stamp());
  });
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp() && existsSync(node24Path());
}

function stamp() {
  return hash(readFileSync(lockFile), process.platform, process.arch);
}

async function install() {
  report("installing the dependencies (npm ci; a few minutes the first time)");
  const code = await runNpm(["ci", "--no-audit", "--no-fund"], {
    stdout: "stderr",
    timeoutMs: installTimeoutMs,
    // Playwright's browsers are fetched when the tests need one, not by an install.
    env: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
  });
  if (code !== 0) throw new SetupError(explainFailure());
}

function explainFailure() {
  const compiler =
    process.platform === "linux"
      ? " node-pty is compiled on Linux: it needs python3, make and g++ (Debian, Ubuntu: apt-get install python3 make g++)."
      : "";
  return `npm ci failed; its output is above.${compiler} Check the network, then run the same command again.`;
}

function checkPrograms() {
  if (existsSync(node24Path())) return;
  throw new SetupError(
    "Node 24 is missing in node_modules: install scripts seem to be switched off. " +
      "Run: npm config delete ignore-scripts && npm ci, then the same command again.",
  );
}

/**
 * Whether an install made by hand is the locked one: npm's record of what it installed has every package of the
 * lock in the same version, save optional ones that belong to other platforms.
 */
export function matchesLockFile(locked, installed) {
  if (locked === undefined || installed === undefined) return false;
  return Object.entries(locked.packages).every(([path, { version, optional, link }]) => {
    if (path === "" || link) return true;
    const found = installed.packages[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
