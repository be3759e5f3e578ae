/** Doubles of a window, its page and the page's main frame; a window that is gone throws on every call. */
import type * as Electron from "electron";
import { type Delivery, deliver } from "./port-double.ts";
import { createEvent, present, StrictEmitter, surface } from "./strict.ts";

export const contentsSurface = surface<Electron.WebContents>(
  "WebContents",
  ["setWindowOpenHandler", "reload", "forcefullyCrashRenderer", "isDestroyed"],
  [
    "will-navigate",
    "will-frame-navigate",
    "will-redirect",
    "will-attach-webview",
    "render-process-gone",
    "did-finish-load",
    "did-fail-load",
    "context-menu",
  ],
);
export const windowSurface = surface<Electron.BrowserWindow>(
  "BrowserWindow",
  [
    "webContents",
    "loadURL",
    "show",
    "hide",
    "focus",
    "isMinimized",
    "restore",
    "isFocused",
    "isVisible",
    "isDestroyed",
    "isFullScreen",
    "setFullScreen",
    "setTitle",
    "flashFrame",
    "setOverlayIcon",
  ],
  [
    "ready-to-show",
    "page-title-updated",
    "unresponsive",
    "close",
    "closed",
    "focus",
    "leave-full-screen",
    "session-end",
  ],
);
export const frameSurface = surface<Electron.WebFrameMain>("WebFrameMain", [
  "postMessage",
  "origin",
  "parent",
]);

export class WebContentsDouble extends StrictEmitter {
  openHandler: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0] | undefined;
  reloads = 0;
  readonly #isGone: () => boolean;
  constructor(isGone: () => boolean) {
    super(contentsSurface);
    this.#isGone = isGone;
  }
  setWindowOpenHandler(handler: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0]): void {
    this.openHandler = handler;
  }
  reload(): void {
    this.reloads += 1;
  }
  forcefullyCrashRenderer(): void {
    this.emit("render-process-gone", createEvent({}), { reason: "killed", exitCode: 1 });
  }
  isDestroyed(): boolean {
    return this.#isGone();
  }
}

/** A frame of a page; everything the main process posts to it lands in `deliveries`, cloned. */
export function createFrame(origin: string, parent: object | null = null) {
  const deliveries: Delivery[] = [];
  const methods: Pick<Electron.WebFrameMain, "postMessage" | "origin"> = {
    origin,
    postMessage: (channel, message, transfer) => {
      deliveries.push(deliver(channel, message, transfer));
    },
  };
  return { frame: present(frameSurface, { ...methods, parent }), deliveries };
}

/** The test holds this object itself; the app gets it through `present`. */
export class BrowserWindowDouble extends StrictEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly contents = new WebContentsDouble(() => this.isGone);
  /** As the app knows it, and as it says who sent a message. */
  readonly webContents = present(contentsSurface, this.contents, () => this.isGone);
  title = "";
  url = "";
  isShown = false;
  timesShown = 0;
  hasFocus = false;
  flashes: boolean[] = [];
  overlay = "";
  isGone = false;
  isFull = false;
  #isMinimized = false;
  readonly #onGone: () => void;
  constructor(options: Electron.BrowserWindowConstructorOptions, onGone: () => void) {
    super(windowSurface);
    this.options = options;
    this.isShown = options.show ?? true;
    this.title = options.title ?? "";
    this.#onGone = onGone;
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
  }
  show(): void {
    this.isShown = true;
    this.timesShown += 1;
  }
  hide(): void {
    this.isShown = false;
    this.hasFocus = false;
  }
  focus(): void {
    this.hasFocus = true;
    this.emit("focus");
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  restore(): void {
    this.#isMinimized = false;
  }
  isFocused(): boolean {
    return this.hasFocus;
  }
  isVisible(): boolean {
    return this.isShown;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  isFullScreen(): boolean {
    return this.isFull;
  }
  /** The change takes its time; the test says when it is over. */
  setFullScreen(flag: boolean): void {
    if (flag) this.isFull = true;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  flashFrame(flag: boolean): void {
    this.flashes.push(flag);
  }
  setOverlayIcon(_overlay: Electron.NativeImage | null, description: string): void {
    this.overlay = description;
  }
  /** Test side: the system has drawn the window without its full screen. */
  leaveFullScreen(): void {
    this.isFull = false;
    this.emit("leave-full-screen");
  }
  /** Test side: the person minimises the window. */
  minimise(): void {
    this.#isMinimized = true;
    this.hasFocus = false;
  }
  /** Test side: asks the window to close, as the person does with its button; returns whether it is gone. */
  close(): boolean {
    if (this.isGone) return true;
    const event = createEvent({});
    this.emit("close", event);
    if (!event.defaultPrevented) this.destroy();
    return this.isGone;
  }
  /** Test side: the window is gone without a question. */
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.isShown = false;
    this.emit("closed");
    this.#onGone();
  }
}
