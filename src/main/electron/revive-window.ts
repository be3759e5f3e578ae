/** A crashed page is loaded again, a hung one is the person's choice; agents run on meanwhile. */
import { app, type BrowserWindow, dialog } from "electron";

const maxReloads = 5;
/** A page that crashes seldom is always loaded again. */
const forgetAfterMs = 600_000;

/** @param now for the time between crashes, in ms. */
export function reviveWindow(window: BrowserWindow, now = () => Date.now()): void {
  let reloads = 0;
  let lastCrashAt = 0;
  const reload = () => {
    if (!window.isDestroyed()) window.webContents.reload();
  };
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    console.error(`The window's page ended (${reason}); the agents go on.`);
    if (reason === "clean-exit" || window.isDestroyed()) return;
    if (now() - lastCrashAt > forgetAfterMs) reloads = 0;
    lastCrashAt = now();
    reloads += 1;
    if (reloads <= maxReloads) return reload();
    void askToReload(window).then((again) => (again ? reload() : app.quit()));
  });
  window.on("unresponsive", async () => {
    if (window.isDestroyed()) return;
    const { response } = await dialog.showMessageBox(window, {
      type: "warning",
      message: "The window does not respond",
      detail: "Agents and approvals are not affected. Reloading only draws the window again.",
      buttons: ["Wait", "Reload"],
      cancelId: 0,
    });
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  });
}

async function askToReload(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: "error",
    message: "The window keeps failing",
    detail: "Its page ended several times in a row. Agents and approvals are not affected.",
    buttons: ["Reload", "Quit"],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 0;
}
