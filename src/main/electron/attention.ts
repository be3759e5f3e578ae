/** Puts the number of waiting actions everywhere a person looks: title, dock or taskbar, tray, notifications. */
import { app, type BrowserWindow, nativeImage } from "electron";
import type { Attention } from "../host/host.ts";
import { createNotifier } from "./notifications.ts";
import { createTray } from "./tray.ts";
import { trayIcon } from "./tray-icon.ts";
import { focusWindow } from "./window.ts";

/** Returns the receiver the host tells about each change. */
export function createAttention(
  window: BrowserWindow,
  platform: NodeJS.Platform,
): (attention: Attention) => void {
  const open = () => focusWindow(window);
  const notify = createNotifier(() => window.isVisible() && window.isFocused(), open);
  const setTray = createTray(open);
  return (attention) => {
    if (window.isDestroyed()) return;
    const { waiting } = attention;
    window.setTitle(waiting === 0 ? app.name : `(${waiting}) ${app.name}`);
    setTray(waiting);
    if (platform !== "win32") app.setBadgeCount(waiting);
    else {
      const mark = waiting === 0 ? null : nativeImage.createFromDataURL(trayIcon);
      window.setOverlayIcon(mark, waiting === 0 ? "" : `${waiting} waiting`);
    }
    if (attention.newest.length > 0 && !window.isFocused()) window.flashFrame(true);
    notify(attention);
  };
}
