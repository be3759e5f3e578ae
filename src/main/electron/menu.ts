/** The application menu: standard roles only, so that no accelerator can swallow a single key of the console. */
import { app, Menu, type MenuItemConstructorOptions } from "electron";

/** Developer entries exist only while the app is not packaged. */
export function setMenu(platform: NodeJS.Platform): void {
  const own: MenuItemConstructorOptions[] = platform === "darwin" ? [{ role: "appMenu" }] : [];
  const file: MenuItemConstructorOptions = {
    label: "File",
    submenu: [{ role: platform === "darwin" ? "close" : "quit" }],
  };
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
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([...own, file, { role: "editMenu" }, view, { role: "windowMenu" }]),
  );
}
