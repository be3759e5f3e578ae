/** Puts the number of what waits everywhere a person looks: title, dock or taskbar, tray, notifications. */
import { app, type BrowserWindow } from "electron";
import type { Attention } from "../console/attention-feed.ts";
import { createNotifier, type NotifierParts } from "./notifications.ts";
import { createIcon, createTray } from "./tray.ts";

type AttentionParts = Omit<NotifierParts, "isInView"> & {
  window: BrowserWindow;
  platform: NodeJS.Platform;
  /** A file with the tray's icon in the system's own format, where it has one. */
  trayIcon: string | undefined;
};

/** `tell` hears of each change; `end` takes the tray away. */
export function createAttention(parts: AttentionParts): { tell(attention: Attention): void; end(): void } {
  const { window, platform, open } = parts;
  const notify = createNotifier({ ...parts, isInView: () => window.isVisible() && window.isFocused() });
  const tray = createTray(() => open(), parts.trayIcon);
  const count = createCounter(window, platform);
  const alert = createAlert(window, platform);
  return {
    tell(attention) {
      if (window.isDestroyed()) return;
      count(attention.waiting);
      tray.setWaiting(attention.waiting);
      alert(attention);
      notify(attention);
    },
    end: tray.destroy,
  };
}

function createCounter(window: BrowserWindow, platform: NodeJS.Platform): (waiting: number) => void {
  return (waiting) => {
    window.setTitle(waiting === 0 ? app.name : `(${waiting}) ${app.name}`);
    if (platform !== "win32") app.setBadgeCount(waiting);
    else
      window.setOverlayIcon(waiting === 0 ? null : createIcon(), waiting === 0 ? "" : `${waiting} waiting`);
  };
}

/** One bounce on macOS; elsewhere the taskbar flashes until the person comes or nothing waits any more. */
function createAlert(window: BrowserWindow, platform: NodeJS.Platform): (attention: Attention) => void {
  let isFlashing = false;
  const flash = (on: boolean) => {
    if (on === isFlashing || window.isDestroyed()) return;
    isFlashing = on;
    window.flashFrame(on);
  };
  window.on("focus", () => flash(false));
  return ({ waiting, newest }) => {
    if (waiting === 0) flash(false);
    if (newest.length === 0 || window.isFocused()) return;
    if (platform === "darwin") app.dock?.bounce("informational");
    else flash(true);
  };
}
