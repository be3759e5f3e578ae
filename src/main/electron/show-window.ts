/** Shows a new window as soon as it has something to show, and in any case soon. */
import type { BrowserWindow } from "electron";

const latestMs = 3_000;

type ShowOptions = {
  platform: NodeJS.Platform;
  /** Called once, when the window was shown. */
  onShown: () => void;
  startTimer?: (act: () => void, ms: number) => unknown;
};

/** On Wayland `ready-to-show` never comes for a hidden window, and for a page that cannot load it may not come anywhere. */
export function showWhenReady(
  window: BrowserWindow,
  { platform, onShown, startTimer = setTimeout }: ShowOptions,
): void {
  let isDone = false;
  const show = () => {
    if (isDone || window.isDestroyed()) return;
    isDone = true;
    window.show();
    onShown();
  };
  window.once("ready-to-show", show);
  if (platform === "linux") window.webContents.once("did-finish-load", show);
  window.webContents.once("did-fail-load", show);
  startTimer(show, latestMs);
}
