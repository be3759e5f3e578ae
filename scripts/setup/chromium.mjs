/** Finds a Chromium for the tests, or gets one: what is there, else Playwright's own, else the system's. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { report, root, SetupError } from "./project.mjs";
import { node24Path, run } from "./run.mjs";
import { installBySystem } from "./system-packages.mjs";

// The headless shell is Chromium without its windows, and takes a third less of the machine for the same tests.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const wellKnown = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) =>
    join(process.env[name] ?? "C:\\", "Google", "Chrome", "Application", "chrome.exe"),
  ),
};
const downloadTimeoutMs = 5 * 60_000;

/** The path of a Chromium that answers, or undefined. CHROMIUM_PATH wins, then the system's, then Playwright's. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== "") return existsSync(given) ? given : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(wellKnown[process.platform] ?? []),
    playwrightChromium(),
  ];
  return candidates.find((path) => path !== undefined && existsSync(path) && answers(path));
}

/** Like findChromium, but gets a Chromium when there is none. @throws SetupError with the next step. */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given))
    throw new SetupError(`CHROMIUM_PATH names ${given}, which is not there. Correct it or unset it.`);
  const found = findChromium();
  if (found !== undefined) return found;
  report("no Chromium found; getting Playwright's own");
  const cli = join(root, "node_modules", "@playwright", "test", "cli.js");
  await run(node24Path(), [cli, "install", "chromium"], { stdout: "stderr", timeoutMs: downloadTimeoutMs });
  const downloaded = findChromium();
  if (downloaded !== undefined) return downloaded;
  // Not every distribution has the headless shell as a package.
  await installBySystem(["chromium-headless-shell", "chromium"]);
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new SetupError(
    "The end-to-end tests need a Chromium and none could be had. Install Chromium or Chrome, " +
      "or set CHROMIUM_PATH to one, then run the same command again.",
  );
}

/** Some distributions ship a stub that only asks for a snap; a real browser tells its version. */
function answers(path) {
  if (process.platform === "win32") return true;
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 15_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}

function playwrightChromium() {
  try {
    return createRequire(join(root, "package.json"))("playwright-core").chromium.executablePath();
  } catch {
    return undefined;
  }
}
