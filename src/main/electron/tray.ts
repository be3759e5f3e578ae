/** The tray icon: how many actions wait, and the way back to the window while it is hidden. */
import { app, Menu, nativeImage, Tray } from "electron";
import { trayIcons } from "./tray-icon.ts";

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
  return waiting === 1
    ? "Countersign: 1 action waits for you"
    : `Countersign: ${waiting} actions wait for you`;
}
