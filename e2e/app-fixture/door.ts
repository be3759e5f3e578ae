/** What a door is to a spec: it starts the app, shows its page, and can be killed without warning. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";

export const projectRoot = join(import.meta.dirname, "../..");

export type DoorName = "browser" | "electron";

export type DoorOptions = {
  door: DoorName;
  /** Added to the host's environment, such as base URLs of a stand-in model server. */
  hostEnv: Record<string, string>;
  /** Added to the host's command line. */
  hostArgs: string[];
};

/** One start of the app. */
export type RunningApp = {
  page: Page;
  /** The process that owns the data directory. */
  pid: number;
  /** Asks the app to end and waits until it has. */
  stop(): Promise<void>;
  /** SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>;
  /** What the host wrote to stderr so far. */
  log(): string;
};

/** Why the desktop app cannot be tested here, or undefined when it can. */
export function whyNoElectron(): string | undefined {
  const path = process.env.COUNTERSIGN_ELECTRON_PATH ?? "";
  if (path === "" || !existsSync(path))
    return "Electron is not installed here (npx install-electron fetches it), so its specs are skipped.";
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return "There is no display for Electron (xvfb-run gives one), so its specs are skipped.";
  return undefined;
}

/** The host's environment: no model key of the person who runs the tests, so that the demo model is the default. */
export function hostEnvironment(extra: Record<string, string>): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/_API_KEY$|_BASE_URL$/.test(entry[0]),
  );
  return { ...Object.fromEntries(own), ...extra };
}
