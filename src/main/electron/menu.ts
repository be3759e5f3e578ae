/** The application menu: no accelerators but those of standard roles, so that none can swallow a single key of the console. */
import { app, Menu, type MenuItemConstructorOptions } from "electron";

/** Developer entries exist only while the app is not packaged. @param checkForUpdates what the entry of Help does */
export function setMenu(platform: NodeJS.Platform, checkForUpdates: () => void): void {
  const isMac = platform === "darwin";
  const developer: MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [{ role: "reload" }, { role: "toggleDevTools" }, { type: "separator" }];
  const view: MenuItemConstructorOptions = {
    label: "View",
    submenu: [
      ...developer,
      { role: "resetZoom" },
      { role: "zoomIn" },
      { role: "zoomOut" },
      { type: "separator" },
      { role: "togglefullscreen" },
    ],
  };
  // Off macOS closing the window quits, and the standard window menu puts that on Ctrl+W, a habit of browser tabs.
  const window: MenuItemConstructorOptions = isMac
    ? { role: "windowMenu" }
    : { label: "Window", submenu: [{ role: "minimize" }, { role: "zoom" }] };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: "appMenu" as const }] : []),
      { label: "File", submenu: [{ role: isMac ? "close" : "quit" }] },
      { role: "editMenu" },
      view,
      window,
      { role: "help", submenu: [{ label: "Check for updates…", click: checkForUpdates }] },
    ]),
  );
}
