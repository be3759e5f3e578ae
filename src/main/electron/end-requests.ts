/** Who may ask the app to end besides its own menus: signals, the launcher, the system, an update, the window's button. */
import { app, autoUpdater, type BrowserWindow, powerMonitor } from "electron";
import type { Ending } from "./ending.ts";

/** A terminal and the launcher in it both pass on one Ctrl+C. */
const sameRequestMs = 300;
/** Whoever asks again within this time does not want to be asked. */
const insistsWithinMs = 5_000;

type Source = Pick<NodeJS.EventEmitter, "on">;

/** Must run after the app is ready: Chromium's own handlers, of which the second signal kills, are then replaced. */
export function hearRequestsToEnd(process: Source, ending: Ending, now = () => Date.now()): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  const hear = () => {
    const sinceLast = now() - lastAt;
    if (sinceLast < sameRequestMs) return;
    lastAt = now();
    if (ending.isAsking() || sinceLast < insistsWithinMs) ending.endNow();
    else app.quit();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, hear);
  // On Windows a signal of another process ends this one at once, so the launcher says it in words.
  process.on("message", (message: unknown) => {
    if (typeof message === "object" && message !== null && "type" in message && message.type === "quit")
      hear();
  });
  powerMonitor.on("shutdown", ending.endNow);
  // Electron closes the windows for an update before anybody is asked; what installs it asks beforehand.
  autoUpdater.on("before-quit-for-update", ending.endNow);
}

/** The window's own button: on macOS it hides the window, elsewhere it quits, as people expect there. */
export function hearWindowClose(window: BrowserWindow, ending: Ending, platform: NodeJS.Platform): void {
  window.on("close", (event) => {
    if (ending.isUnderway()) return;
    event.preventDefault();
    if (platform === "darwin") hide(window);
    else app.quit();
  });
  // Log-out on Windows: there are seconds left, and nobody to ask.
  window.on("session-end", ending.endNow);
}

/** A window that is hidden while it fills the screen leaves a black screen behind. */
function hide(window: BrowserWindow): void {
  if (!window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once("leave-full-screen", () => window.isDestroyed() || window.hide());
  window.setFullScreen(false);
}
