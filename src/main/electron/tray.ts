/** The tray icon: how many things wait, and the way back to the window while it is hidden. */
import { app, Menu, nativeImage, Tray } from "electron";

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
