/** Doubles of a window, its page and the page's main frame. */
import type * as Electron from "electron";
import { type Delivery, deliver } from "./port-double.ts";
import { createEvent, makeStrict, StrictEmitter } from "./strict.ts";

type ContentsMethods = Pick<
  Electron.WebContents,
  "setWindowOpenHandler" | "reload" | "forcefullyCrashRenderer"
>;
type WindowMethods = Pick<
  Electron.BrowserWindow,
  | "loadURL"
  | "show"
  | "hide"
  | "focus"
  | "isMinimized"
  | "restore"
  | "isFocused"
  | "isVisible"
  | "isDestroyed"
  | "setTitle"
  | "flashFrame"
  | "setOverlayIcon"
>;

export class WebContentsDouble extends StrictEmitter implements ContentsMethods {
  openHandler: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0] | undefined;
  reloads = 0;
  constructor() {
    super("WebContents", [
      "will-navigate",
      "will-frame-navigate",
      "will-redirect",
      "will-attach-webview",
      "render-process-gone",
    ]);
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
  return { frame: makeStrict("WebFrameMain", { ...methods, parent }), deliveries };
}

export class BrowserWindowDouble extends StrictEmitter implements WindowMethods {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents = makeStrict("WebContents", new WebContentsDouble());
  title = "";
  url = "";
  isShown = false;
  hasFocus = false;
  wasFlashed = false;
  overlay = "";
  #isMinimized = false;
  #isGone = false;
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super("BrowserWindow", ["ready-to-show", "page-title-updated", "unresponsive", "close"]);
    this.options = options;
    this.isShown = options.show ?? true;
    this.title = options.title ?? "";
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
  }
  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  focus(): void {
    this.hasFocus = true;
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
    return this.#isGone;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  flashFrame(flag: boolean): void {
    this.wasFlashed = flag;
  }
  setOverlayIcon(_overlay: Electron.NativeImage | null, description: string): void {
    this.overlay = description;
  }
  /** Test side: the person minimises the window. */
  minimise(): void {
    this.#isMinimized = true;
    this.hasFocus = false;
  }
  /** Test side: the person closes the window; returns whether it is gone. */
  closeByPerson(): boolean {
    const event = createEvent({});
    this.emit("close", event);
    this.#isGone = !event.defaultPrevented;
    return this.#isGone;
  }
}
