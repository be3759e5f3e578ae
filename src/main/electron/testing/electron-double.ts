/**
 * A strict stand-in for the part of Electron this app uses: a call that is not doubled throws, an order Electron forbids
 * throws, a window that is gone throws, and the names in it are held against Electron's own declarations.
 */
import type * as Electron from "electron";
import { AppDouble, type AppRecord, appSurface } from "./app-double.ts";
import { doubleKeychain, type KeychainRecord } from "./keychain-double.ts";
import { MessageChannelMainDouble } from "./port-double.ts";
import { createEvent, present, StrictEmitter, surface } from "./strict.ts";
import { doubleSystem, newSystemRecord, type SystemRecord } from "./system-double.ts";
import { doubleUtilityProcess, type StartedUtility } from "./utility-process-double.ts";
import { BrowserWindowDouble, windowSurface } from "./window-double.ts";

export const ipcMainSurface = surface<Electron.IpcMain>("IpcMain", ["on"]);
export const protocolSurface = surface<Electron.Protocol>("Protocol", [
  "registerSchemesAsPrivileged",
  "handle",
]);
export const sessionClassSurface = surface<typeof Electron.session>("Session", ["defaultSession"]);
export const sessionSurface = surface<Electron.Session>("Session", [
  "setPermissionRequestHandler",
  "setPermissionCheckHandler",
  "setDevicePermissionHandler",
  "setDisplayMediaRequestHandler",
]);

/** What the test can set, and what it can look at afterwards. */
export type Recorded = AppRecord &
  SystemRecord & {
    keychain: KeychainRecord;
    schemes: Electron.CustomScheme[];
    serve: ((request: Request) => Response | Promise<Response>) | undefined;
    permissions: Partial<PermissionHandlers>;
    utilities: StartedUtility[];
  };

type PermissionHandlers = {
  request: Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
  check: Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
  device: Parameters<Electron.Session["setDevicePermissionHandler"]>[0];
  display: Parameters<Electron.Session["setDisplayMediaRequestHandler"]>[0];
};

export type ElectronDouble = ReturnType<typeof createElectronDouble>;

export function createElectronDouble(platform: NodeJS.Platform = process.platform) {
  const recorded: Recorded = {
    ...newSystemRecord(),
    keychain: { mood: "works", shouldReEncrypt: false, asked: 0 },
    isFirstInstance: true,
    calls: [],
    windows: [],
    badge: 0,
    bounces: [],
    appId: undefined,
    instanceData: undefined,
    schemes: [],
    serve: undefined,
    permissions: {},
    utilities: [],
  };
  const app = new AppDouble(recorded, platform);
  const isReady = () => app.isReady;
  const ipc = new StrictEmitter({ ...ipcMainSurface, events: ["countersign:connect", "countersign:drop"] });
  const system = doubleSystem(recorded, isReady);
  const presentedApp = present(appSurface, app);
  const module: Record<string, unknown> = {
    app: presentedApp,
    ...doublePage(recorded, isReady),
    ...doubleWindow(recorded, app),
    ...system.module,
    ...doubleKeychain(recorded.keychain),
    ...doubleUtilityProcess(recorded, isReady),
    ipcMain: present(ipcMainSurface, ipc),
    MessageChannelMain: MessageChannelMainDouble,
  };
  const { powerMonitor, autoUpdater } = system;
  return { module, recorded, app, ipc, powerMonitor, autoUpdater, becomeReady: () => app.becomeReady() };
}

function doublePage(recorded: Recorded, isReady: () => boolean) {
  const protocol: Pick<Electron.Protocol, "registerSchemesAsPrivileged" | "handle"> = {
    registerSchemesAsPrivileged: (schemes) => {
      if (isReady()) throw new Error("Schemes must be registered before the app is ready.");
      recorded.schemes.push(...schemes);
    },
    handle: (scheme, handler) => {
      recorded.calls.push(`handle ${scheme}`);
      recorded.serve = handler as Recorded["serve"];
    },
  };
  const { permissions } = recorded;
  const defaultSession = {
    setPermissionRequestHandler: (handler: PermissionHandlers["request"]) => {
      permissions.request = handler;
    },
    setPermissionCheckHandler: (handler: PermissionHandlers["check"]) => {
      permissions.check = handler;
    },
    setDevicePermissionHandler: (handler: PermissionHandlers["device"]) => {
      permissions.device = handler;
    },
    setDisplayMediaRequestHandler: (handler: PermissionHandlers["display"]) => {
      permissions.display = handler;
    },
  };
  return {
    protocol: present(protocolSurface, protocol),
    session: present(sessionClassSurface, { defaultSession: present(sessionSurface, defaultSession) }),
  };
}

function doubleWindow(recorded: Recorded, app: AppDouble) {
  class Window extends BrowserWindowDouble {
    constructor(options: Electron.BrowserWindowConstructorOptions) {
      if (!app.isReady) throw new Error("A window cannot be made before the app is ready.");
      super(options, () => app.windowIsGone());
      recorded.calls.push("window");
      recorded.windows.push(this);
      app.emit("web-contents-created", createEvent({}), this.webContents);
      // biome-ignore lint/correctness/noConstructorReturn: the app must get the strict wrapping, not the bare object.
      return present(windowSurface, this, () => this.isGone);
    }
  }
  return { BrowserWindow: Window };
}
