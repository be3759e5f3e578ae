/** Finds the Chromium of this machine and starts it without a window. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

const wellKnownPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of a browser, or nothing where there is none. `CHROMIUM_PATH` comes first, then Playwright's own. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, chromium.executablePath(), ...wellKnownPaths].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium's sandbox cannot be had by root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
