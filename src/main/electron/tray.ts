/** The tray icon: how many actions wait, and the way back to the window while it is hidden. */
import { app, Menu, nativeImage, Tray } from "electron";
import { trayIcon } from "./tray-icon.ts";

/** Returns a setter for the count of waiting actions. */
export function createTray(open: () => void): (waiting: number) => void {
  const image = nativeImage.createFromDataURL(trayIcon);
  image.setTemplateImage(true);
  const tray = new Tray(image);
  tray.on("click", open);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: "Open Countersign", click: open },
      { type: "separator" },
      { label: "Quit", click: () => app.quit() },
    ]),
  );
  return (waiting) => tray.setToolTip(describeWaiting(waiting));
}

function describeWaiting(waiting: number): string {
  if (waiting === 0) return "Countersign: nothing waits for you";
  return waiting === 1
    ? "Countersign: 1 action waits for you"
    : `Countersign: ${waiting} actions wait for you`;
}
