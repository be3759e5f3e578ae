/** Puts the number of what waits everywhere a person looks: title, dock or taskbar, tray, notifications. */
import { app, type BrowserWindow, Menu, nativeImage, Tray } from "electron";
import type { Attention } from "../console/attention-feed.ts";
import { createNotifier, type NotifierParts } from "./notifications.ts";

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

/** The tray and overlay icon, a tick in a ring, for each density of screens; inline so that it cannot be missing. */
const trayIcons = [
  {
    scaleFactor: 1,
    dataURL:
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAA20lEQVR42q2TLRLCMBBGcwBkBLKyR0AiEIjKSG4AihPUc4gKBKIHQXAIJDhEZUTYzrzOpGHTYaDizST78yW7m5j98WkUrOCEGhy2j1gtsRG8EBI8PpsTKIUHwa1QCQVU2AIxZSpgcXTCJlOWwdcRa2OBBvWp5FgkkGOG0z1XnEo8C1fWLTnW0OFAnbnkEzEX9hV7ZxhToFn9fidso+QD/puwwFZgqzWBO9dznOSxLSPRkUBawjBOT8df8di0ErQmxiJrpSejJubG2F9z9c0YZ3lIfz/lWT7TT9/5DZtOGdZiHKqgAAAAAElFTkSuQmCC",
  },
  {
    scaleFactor: 2,
    dataURL:
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAABtklEQVR42s1Xq26EQBRdgUCsQFRU8AEr+QRkBYIP4AOa1DRVSJKKSgSiYkVlxX4CciUfgFxRQRNk5Yrt3eTS3JzMzA6PhhEnIcx9nJn7mtk8vXxv1sQYYZ+QEipCQ+gJF0bP/yqW8ZckEBAKcHgLPesEcwlkIx2riGRTCHiEvcLgmVATckJCiBkJ/6tZBvX2bNOKwFXwoHBcEkKLkIUsi0QOKhIqA7jzlhBNyPCIdfEkjAQyUDgStjPKbMs2pM1MRyCAhGtnOpckWkjMQEWggJhHCzacCHKiQAI+7L6c4eyOq6Hl6hj+l3AKviSQwu7Dic59iHkL1SFPIZUEKrFQz9j9JyQc2qrFWiUJNGIhn+j8DZyfCPcgk4v1RhKQ8U8088AzOH8E5z+EnUIugTz4IyCVY1B65th9aYw+QGzPChsDYvBlReAk1jogEfFutY3GloApBO+gNJAI+fuiqm8NtCEwJaFqOHWKPv9hkajaJLxVhioSWG6eBQFtGdo0Ih0J25lhbES2rRhJdCO6prEVjxlGVxKv3PV2Sw0jJ8bx6hcSJ65kTlxKV7+WO/EwceZp5sTj9F/xCw8XZ6yZy8xIAAAAAElFTkSuQmCC",
  },
] as const;

/** `destroy` takes it away for good; nothing may be set afterwards. */
export type WaitingTray = { setWaiting(waiting: number): void; destroy(): void };

/** `iconFile` is what Windows takes a size from for each scale of its screens; elsewhere the icon is drawn from pictures. */
export function createTray(open: () => void, iconFile: string | undefined): WaitingTray {
  const tray = new Tray(iconFile ?? createIcon());
  tray.on("click", open);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: "Open Countersign", click: open },
      { type: "separator" },
      { label: "Quit", click: () => app.quit() },
    ]),
  );
  return {
    setWaiting: (waiting) => tray.isDestroyed() || tray.setToolTip(describeWaiting(waiting)),
    destroy: () => tray.destroy(),
  };
}

/** Drawn for screens of normal and of double density, so that no system has to scale it. */
export function createIcon(): Electron.NativeImage {
  const image = nativeImage.createEmpty();
  for (const { scaleFactor, dataURL } of trayIcons) image.addRepresentation({ scaleFactor, dataURL });
  image.setTemplateImage(true);
  return image;
}

function describeWaiting(waiting: number): string {
  if (waiting === 0) return "Countersign: nothing waits for you";
  return waiting === 1 ? "Countersign: 1 thing waits for you" : `Countersign: ${waiting} things wait for you`;
}
