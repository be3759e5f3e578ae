/** Start, crash and end of the desktop app: what happens before the host opens, and that it closes before we go. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, type BrowserWindow, dialog } from "electron";
import { registerScheme } from "./protocol.ts";

/** A close that hangs must not keep the app alive: everything that matters is committed already. */
const maxCloseMs = 8_000;
const maxReloads = 5;

/**
 * Everything that must precede readiness. Returns false when another window of this data directory is open;
 * that one comes to the front and this process must quit without touching the data.
 */
export function prepareApp(dataDir: string): boolean {
  const windowDir = join(dataDir, "window");
  mkdirSync(windowDir, { recursive: true, mode: 0o700 });
  app.setName("Countersign");
  app.setPath("userData", windowDir);
  app.enableSandbox();
  registerScheme();
  if (app.isPackaged)
    for (const name of ["remote-debugging-port", "remote-debugging-pipe"]) app.commandLine.removeSwitch(name);
  return app.requestSingleInstanceLock();
}

/** Quitting waits until the host has parked its threads and closed its database. */
export function closeBeforeQuit(close: () => Promise<void>): void {
  let state: "open" | "closing" | "closed" = "open";
  app.on("before-quit", (event) => {
    if (state === "closed") return;
    event.preventDefault();
    if (state === "closing") return;
    state = "closing";
    const timedOut = new Promise((resolve) => setTimeout(resolve, maxCloseMs));
    Promise.race([close(), timedOut])
      .catch((error: unknown) => console.error("The host did not close cleanly:", error))
      .finally(() => {
        state = "closed";
        app.quit();
      });
  });
}

/** On macOS a closed window leaves the app running, as people expect there; the dock brings it back. */
export function hideInsteadOfClosing(window: BrowserWindow): void {
  let isQuitting = false;
  app.on("before-quit", () => {
    isQuitting = true;
  });
  window.on("close", (event) => {
    if (isQuitting) return;
    event.preventDefault();
    window.hide();
  });
}

/** A crashed page is loaded again a few times; a hung one is the person's choice. Agents run on meanwhile. */
export function reviveWindow(window: BrowserWindow): void {
  let reloads = 0;
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    console.error(`The window's page ended (${reason}); the agents go on.`);
    if (reason !== "clean-exit" && reloads++ < maxReloads) window.webContents.reload();
  });
  window.on("unresponsive", async () => {
    const { response } = await dialog.showMessageBox(window, {
      type: "warning",
      message: "The window does not respond",
      detail: "Agents and approvals are not affected. Reloading only draws the window again.",
      buttons: ["Wait", "Reload"],
      cancelId: 0,
    });
    if (response === 1) window.webContents.forcefullyCrashRenderer();
  });
}

/** Says why the app cannot start, in the terminal and in a dialog, and ends it. */
export function failStart(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`Countersign cannot start: ${reason}`);
  dialog.showErrorBox("Countersign cannot start", reason);
  app.exit(1);
}
