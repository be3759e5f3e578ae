/** A double of `app` that ends as Electron does: before-quit, each window's close and closed, will-quit, quit. */
import { existsSync } from "node:fs";
import type * as Electron from "electron";
import { createEvent, present, StrictEmitter, surface } from "./strict.ts";
import type { BrowserWindowDouble } from "./window-double.ts";

export const appSurface = surface<Electron.App>(
  "App",
  [
    "name",
    "isPackaged",
    "dock",
    "commandLine",
    "setName",
    "setPath",
    "setAppUserModelId",
    "enableSandbox",
    "requestSingleInstanceLock",
    "whenReady",
    "getVersion",
    "quit",
    "exit",
    "setBadgeCount",
  ],
  [
    "before-quit",
    "will-quit",
    "quit",
    "window-all-closed",
    "second-instance",
    "activate",
    "web-contents-created",
    "child-process-gone",
  ],
);
export const dockSurface = surface<Electron.Dock>("Dock", ["bounce", "cancelBounce"]);
export const commandLineSurface = surface<Electron.CommandLine>("CommandLine", ["removeSwitch"]);

/** What the test sets and looks at. */
export type AppRecord = {
  isFirstInstance: boolean;
  calls: string[];
  windows: BrowserWindowDouble[];
  badge: number;
  bounces: string[];
  appId: string | undefined;
  /** What a second start hands to the first. */
  instanceData: unknown;
};

export class AppDouble extends StrictEmitter {
  name = "electron";
  isPackaged = false;
  readonly dock: Electron.Dock | undefined;
  readonly commandLine: Electron.CommandLine;
  readonly #record: AppRecord;
  readonly #ready = Promise.withResolvers<void>();
  isReady = false;
  isQuitting = false;

  constructor(record: AppRecord, platform: NodeJS.Platform) {
    super(appSurface);
    this.#record = record;
    const dock = {
      bounce: (type = "informational") => record.bounces.push(type),
      cancelBounce: () => {},
    };
    this.dock = platform === "darwin" ? (present(dockSurface, dock) as unknown as Electron.Dock) : undefined;
    this.commandLine = present(commandLineSurface, {
      removeSwitch: (name: string) => void record.calls.push(`no ${name}`),
    }) as unknown as Electron.CommandLine;
  }
  setName(name: string): void {
    this.name = name;
  }
  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`setPath: ${path} does not exist.`);
    this.#record.calls.push(`path ${name} ${path}`);
  }
  setAppUserModelId(id: string): void {
    this.#record.appId = id;
  }
  enableSandbox(): void {
    if (this.isReady) throw new Error("The sandbox can only be enabled before the app is ready.");
    this.#record.calls.push("sandbox");
  }
  requestSingleInstanceLock(data?: Record<PropertyKey, unknown>): boolean {
    this.#record.calls.push("lock");
    this.#record.instanceData = structuredClone(data);
    return this.#record.isFirstInstance;
  }
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }
  getVersion(): string {
    return "0.0.0-test";
  }
  setBadgeCount(count = 0): boolean {
    this.#record.badge = count;
    return true;
  }
  quit(): void {
    if (this.isQuitting) return;
    const event = createEvent({});
    this.emit("before-quit", event);
    if (event.defaultPrevented) return void this.#record.calls.push("quit held");
    this.isQuitting = true;
    for (const window of this.#record.windows)
      if (!window.close()) {
        this.isQuitting = false;
        return void this.#record.calls.push("quit cancelled");
      }
    this.#shutDown();
  }
  exit(code = 0): void {
    for (const window of this.#record.windows) window.isGone = true;
    this.#record.calls.push(`exit ${code}`);
  }
  #shutDown(): void {
    this.emit("will-quit", createEvent({}));
    this.emit("quit", createEvent({}), 0);
    this.#record.calls.push("quit");
  }
  /** Test side: the last window went. Without a listener Electron quits by itself. */
  windowIsGone(): void {
    if (this.isQuitting || this.#record.windows.some((window) => !window.isGone)) return;
    if (this.isHeard("window-all-closed")) this.emit("window-all-closed");
    else this.quit();
  }
  /** Test side. */
  becomeReady(): void {
    this.isReady = true;
    this.#ready.resolve();
  }
  /** Test side: installs an update as Electron does, which closes windows before anybody is asked. */
  quitForUpdate(updater: StrictEmitter): void {
    updater.emit("before-quit-for-update");
    for (const window of this.#record.windows) window.close();
    if (this.#record.windows.every(({ isGone }) => isGone)) this.quit();
  }
}
