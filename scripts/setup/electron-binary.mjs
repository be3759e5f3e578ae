/** Whether the desktop app can open here, and the one try to get Electron when it is not installed yet. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { bytesIn, withProgress } from "./progress.mjs";
import { cacheDir, report, root } from "./project.mjs";
import { node24Path, runQuietly } from "./run.mjs";

const packageDir = join(root, "node_modules", "electron");
const failureFile = join(cacheDir, "electron-download-failed.json");
/** Electron is downloaded to here, so that it shows how far it is. */
const downloadDir = join(cacheDir, "electron-download");
const retryAfterMs = 24 * 3_600_000;
/** A slow line may take as long as it needs; one that stands still is given up. */
const defaultStallMs = 60_000;

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

/**
 * Downloads Electron once when it is missing; a failed try is remembered for a day. Resolves to its `path`, or to the
 * `problem` as the beginning of a sentence.
 */
export async function ensureElectron({ force = false, stallMs = defaultStallMs } = {}) {
  const isSettled = () => electronPath() !== undefined || (!force && lastFailure() !== undefined);
  if (!isSettled())
    await withLock(join(cacheDir, "electron.lock"), async () => {
      if (!isSettled()) await download(stallMs);
    });
  const path = electronPath();
  return path === undefined ? { problem: explain(lastFailure()) } : { path };
}

async function download(stallMs) {
  report("downloading Electron (about 110 MB, once)");
  rmSync(downloadDir, { recursive: true, force: true });
  mkdirSync(downloadDir, { recursive: true });
  const work = (signal) =>
    runQuietly({
      program: node24Path(),
      args: [join(packageDir, "install.js")],
      env: { TMPDIR: downloadDir, TEMP: downloadDir, TMP: downloadDir, ELECTRON_GET_NO_PROGRESS: "1" },
      signal,
    });
  const { result, isStalled } = await withProgress({
    what: "downloading Electron",
    work,
    measure: () => bytesIn(downloadDir) + bytesIn(join(packageDir, "dist")),
    detail: (bytes) => `${Math.round(bytes / 1e6)} MB so far`,
    stallMs,
  });
  rmSync(downloadDir, { recursive: true, force: true });
  if (electronPath() !== undefined) return rmSync(failureFile, { force: true });
  const why = isStalled
    ? `nothing arrived for ${Math.round(stallMs / 1000)} s`
    : whyDownloadFailed(result.output);
  writeFileSync(failureFile, JSON.stringify({ at: Date.now(), why }));
}

/** The telling part of what the installer printed: the system's name of a network error, or its own message. */
export function whyDownloadFailed(output) {
  const code = /\bcode: '(E[A-Z_]+|UND_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)'/.exec(output)?.[1];
  const message = /^\s*(?:\[cause\]: )?\w*Error[^:]*: (.*)$/m.exec(output)?.[1];
  // All that Node's fetch says; the reason behind it is not printed.
  if (message === "fetch failed") return "its server could not be reached";
  const parts = [message, code].filter((part) => part !== undefined);
  return parts.length === 0 ? "the download ended without a reason" : parts.join(", ");
}

function lastFailure() {
  try {
    const { at, why } = JSON.parse(readFileSync(failureFile, "utf8"));
    return Date.now() - at < retryAfterMs ? { at: new Date(at), why } : undefined;
  } catch {
    return undefined;
  }
}

function explain(failure) {
  if (failure === undefined) return "Electron is not installed";
  const day = failure.at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    `Electron could not be downloaded on ${day} (${failure.why}; it is tried again a day after that, ` +
    "or at once with: npx install-electron)"
  );
}
