/** The system's dialog for choosing a folder, on the window and where the person works anyway. */
import { type BrowserWindow, dialog, type OpenDialogOptions } from "electron";

/** Resolves to the folder, or to null when the person chose none. */
export async function pickFolder(window: BrowserWindow | undefined, startAt: string): Promise<string | null> {
  const options: OpenDialogOptions = {
    title: "Choose a workspace",
    defaultPath: startAt,
    properties: ["openDirectory", "createDirectory"],
  };
  const picked = await (window === undefined || window.isDestroyed()
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return picked.filePaths[0] ?? null;
}
