/** The one place that makes a window, so that its safety settings cannot differ anywhere. */
import { app, BrowserWindow, nativeTheme, type WebPreferences } from "electron";
import { windowBackground } from "./window-background.ts";

const safePreferences: Readonly<WebPreferences> = Object.freeze({
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
});

/** Opens the console's window with the built preload; hidden at first; it remembers its place on the screen. */
export function createWindow(url: string, preload: string): BrowserWindow {
  const window = new BrowserWindow({
    name: "console",
    windowStatePersistence: true,
    title: app.name,
    width: 1280,
    height: 840,
    minWidth: 480,
    minHeight: 360,
    show: false,
    backgroundColor: windowBackground[nativeTheme.shouldUseDarkColors ? "dark" : "light"],
    autoHideMenuBar: true,
    webPreferences: { ...safePreferences, preload, devTools: !app.isPackaged },
  });
  // The title counts what waits (see attention.ts), so the page's own title must not replace it.
  window.on("page-title-updated", (event) => event.preventDefault());
  // That it failed is logged by whoever hears of it as an event.
  window.loadURL(url).catch(() => undefined);
  return window;
}

/** Brings the window to the front, wherever it is, unless it is gone. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
