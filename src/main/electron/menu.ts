/**
 * The menus of the application and of the right mouse button; accelerators are those of standard roles, so that none can
 * swallow a single key of the console.
 */
import { app, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from "electron";

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

/** Applies to every page the app ever makes. */
export function offerContextMenus(): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.on("context-menu", (_opened, params) => {
      const template = describe(params);
      if (template.length > 0) Menu.buildFromTemplate(template).popup();
    });
  });
}

type Params = Pick<ContextMenuParams, "isEditable" | "selectionText" | "editFlags">;

function describe({ isEditable, selectionText, editFlags }: Params): MenuItemConstructorOptions[] {
  const copy = { role: "copy" as const, enabled: editFlags.canCopy };
  const selectAll = { role: "selectAll" as const, enabled: editFlags.canSelectAll };
  if (!isEditable) return selectionText.trim() === "" ? [] : [copy, selectAll];
  return [
    { role: "undo", enabled: editFlags.canUndo },
    { role: "redo", enabled: editFlags.canRedo },
    { type: "separator" },
    { role: "cut", enabled: editFlags.canCut },
    copy,
    { role: "paste", enabled: editFlags.canPaste },
    selectAll,
  ];
}
