/** The entry "Check for updates" of the menu, in Electron. */
import process from "node:process";
import { app, dialog } from "electron";
import { mayUpdate } from "./may-update.ts";
import { createUpdateCheck } from "./update-check.ts";

/** @returns what a click on "Check for updates" does. */
export function createUpdates(runningCommands: () => string[]): () => void {
  const check = createUpdateCheck({
    isAble: mayUpdate(app.isPackaged, process.platform, process.resourcesPath),
    version: app.getVersion(),
    load: async () => (await import("electron-updater")).default.autoUpdater,
    ask: async (question) => (await dialog.showMessageBox(question)).response,
    runningCommands,
  });
  return () => void check();
}
