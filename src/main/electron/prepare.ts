/** What must happen before the app is ready, and how it says that it cannot start. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, dialog } from "electron";
import { messageOf } from "../../shared/message-of.ts";
import type { CommandLine } from "./command-line.ts";
import { registerScheme } from "./protocol.ts";

/** The installer gives its shortcut the same id; Windows shows notifications only where the two agree. */
const appId = "io.github.countersign";

/**
 * @returns false when another window of this data directory is open; that one comes to the front, is told which
 * workspace was asked for, and this process must quit without touching the data.
 * @throws Error in a sentence when the data directory cannot be used.
 */
export function prepareApp({ dataDir, workspace }: CommandLine, platform: NodeJS.Platform): boolean {
  const windowDir = join(dataDir, "window");
  try {
    mkdirSync(windowDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The data folder ${dataDir} cannot be used (${why}). Name another one with --data-dir.`);
  }
  app.setName("Countersign");
  if (platform === "win32") identifyToWindows();
  app.setPath("userData", windowDir);
  app.enableSandbox();
  registerScheme();
  if (app.isPackaged)
    for (const name of ["remote-debugging-port", "remote-debugging-pipe"]) app.commandLine.removeSwitch(name);
  return app.requestSingleInstanceLock({ workspace });
}

/** An app that was not installed must not take over the Start menu entry of one that was. */
function identifyToWindows(): void {
  if (!app.isPackaged) app.setName("Countersign dev");
  app.setAppUserModelId(app.isPackaged ? appId : `${appId}.dev`);
}

/** Says why the app cannot start, in the terminal and in a dialog, and ends it. */
export function failStart(error: unknown): void {
  const reason = messageOf(error);
  console.error(`Countersign cannot start: ${reason}`);
  dialog.showErrorBox("Countersign cannot start", reason);
  app.exit(1);
}
