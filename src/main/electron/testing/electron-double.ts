/**
 * A strict stand-in for the part of Electron this app uses, typed against Electron's own declarations: a call that
 * is not doubled throws, an order Electron forbids throws, and a signature that drifts does not compile.
 */
import { existsSync } from "node:fs";
import type * as Electron from "electron";
import { MessageChannelMainDouble } from "./port-double.ts";
import { createEvent, makeStrict, StrictEmitter } from "./strict.ts";
import { doubleUtilityProcess, type StartedUtility } from "./utility-process-double.ts";
import { BrowserWindowDouble } from "./window-double.ts";

/** What the test can set, and what it can look at afterwards. */
export type Recorded = {
  isFirstInstance: boolean;
  isEncryptionAvailable: boolean;
  storageBackend: ReturnType<Electron.SafeStorage["getSelectedStorageBackend"]>;
  /** The button the person presses in the next message boxes. */
  pressed: number;
  pickedFolders: string[];
  calls: string[];
  windows: BrowserWindowDouble[];
  schemes: Electron.CustomScheme[];
  serve: ((request: Request) => Response | Promise<Response>) | undefined;
  permissions: Partial<PermissionHandlers>;
  messageBoxes: Electron.MessageBoxOptions[];
  openedLinks: string[];
  menu: Electron.MenuItemConstructorOptions[];
  tooltip: string;
  badge: number;
  notifications: { title?: string; body?: string; isShown: boolean; emitter: StrictEmitter }[];
  errorBoxes: string[];
  utilities: StartedUtility[];
};

type PermissionHandlers = {
  request: Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
  check: Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
  device: Parameters<Electron.Session["setDevicePermissionHandler"]>[0];
  display: Parameters<Electron.Session["setDisplayMediaRequestHandler"]>[0];
};

const appEvents = [
  "before-quit",
  "window-all-closed",
  "second-instance",
  "activate",
  "web-contents-created",
] as const;

export function createElectronDouble() {
  const recorded: Recorded = {
    isFirstInstance: true,
    isEncryptionAvailable: true,
    storageBackend: "gnome_libsecret",
    pressed: 0,
    pickedFolders: [],
    calls: [],
    windows: [],
    schemes: [],
    serve: undefined,
    permissions: {},
    messageBoxes: [],
    openedLinks: [],
    menu: [],
    tooltip: "",
    badge: 0,
    notifications: [],
    errorBoxes: [],
    utilities: [],
  };
  const appEmitter = new StrictEmitter("app", appEvents);
  const ipcEmitter = new StrictEmitter("ipcMain", ["countersign:connect"]);
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const module: Record<string, unknown> = {
    ...doubleApp(recorded, appEmitter, ready.promise),
    ...doublePage(recorded, () => isReady),
    ...doubleWindow(recorded, appEmitter, () => isReady),
    ...doubleAttention(recorded),
    ...doubleDialogs(recorded),
    ...doubleUtilityProcess(recorded.utilities, () => isReady),
    ipcMain: makeStrict("ipcMain", { on: ipcEmitter.on.bind(ipcEmitter) }),
    MessageChannelMain: MessageChannelMainDouble,
  };
  return {
    module,
    recorded,
    app: appEmitter,
    ipc: ipcEmitter,
    becomeReady: () => {
      isReady = true;
      ready.resolve();
    },
  };
}

function doubleApp(recorded: Recorded, emitter: StrictEmitter, ready: Promise<void>) {
  const app: Pick<
    Electron.App,
    | "name"
    | "isPackaged"
    | "setName"
    | "setPath"
    | "enableSandbox"
    | "requestSingleInstanceLock"
    | "whenReady"
    | "getVersion"
    | "quit"
    | "exit"
    | "setBadgeCount"
  > = {
    name: "electron",
    isPackaged: false,
    setName: (name) => {
      app.name = name;
    },
    setPath: (name, path) => {
      if (!existsSync(path)) throw new Error(`setPath: ${path} does not exist.`);
      recorded.calls.push(`path ${name} ${path}`);
    },
    enableSandbox: () => recorded.calls.push("sandbox"),
    requestSingleInstanceLock: () => {
      recorded.calls.push("lock");
      return recorded.isFirstInstance;
    },
    whenReady: () => ready,
    getVersion: () => "0.0.0-test",
    quit: () => {
      const event = createEvent({});
      emitter.emit("before-quit", event);
      recorded.calls.push(event.defaultPrevented ? "quit held" : "quit");
    },
    exit: (code) => {
      recorded.calls.push(`exit ${code}`);
    },
    setBadgeCount: (count = 0) => {
      recorded.badge = count;
      return true;
    },
  };
  return { app: makeStrict("app", Object.assign(app, { on: emitter.on.bind(emitter) })) };
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
  const defaultSession: Pick<
    Electron.Session,
    | "setPermissionRequestHandler"
    | "setPermissionCheckHandler"
    | "setDevicePermissionHandler"
    | "setDisplayMediaRequestHandler"
  > = {
    setPermissionRequestHandler: (handler) => {
      recorded.permissions.request = handler;
    },
    setPermissionCheckHandler: (handler) => {
      recorded.permissions.check = handler;
    },
    setDevicePermissionHandler: (handler) => {
      recorded.permissions.device = handler;
    },
    setDisplayMediaRequestHandler: (handler) => {
      recorded.permissions.display = handler;
    },
  };
  return {
    protocol: makeStrict("protocol", protocol),
    session: makeStrict("session", { defaultSession: makeStrict("defaultSession", defaultSession) }),
  };
}

function doubleWindow(recorded: Recorded, emitter: StrictEmitter, isReady: () => boolean) {
  class Window extends BrowserWindowDouble {
    constructor(options: Electron.BrowserWindowConstructorOptions) {
      if (!isReady()) throw new Error("A window cannot be made before the app is ready.");
      super(options);
      const strict = makeStrict("BrowserWindow", this);
      recorded.calls.push("window");
      recorded.windows.push(strict);
      emitter.emit("web-contents-created", createEvent({}), this.webContents);
      // biome-ignore lint/correctness/noConstructorReturn: the app must get the strict wrapping, not the bare object.
      return strict;
    }
  }
  return {
    BrowserWindow: Window,
    nativeTheme: makeStrict("nativeTheme", {
      shouldUseDarkColors: true,
    } satisfies Partial<Electron.NativeTheme>),
  };
}

function doubleAttention(recorded: Recorded) {
  class Tray extends StrictEmitter {
    constructor() {
      super("Tray", ["click"]);
    }
    setToolTip(text: string): void {
      recorded.tooltip = text;
    }
    setContextMenu(): void {}
  }
  class Notification extends StrictEmitter {
    readonly #entry: Recorded["notifications"][number];
    static isSupported(): boolean {
      return true;
    }
    constructor({ title, body }: Electron.NotificationConstructorOptions) {
      super("Notification", ["click", "close"]);
      this.#entry = { title, body, isShown: false, emitter: this };
      recorded.notifications.push(this.#entry);
    }
    show(): void {
      this.#entry.isShown = true;
    }
    close(): void {
      this.#entry.isShown = false;
    }
  }
  const Menu = {
    buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (template: Electron.MenuItemConstructorOptions[]) => {
      recorded.menu = template;
    },
  };
  const nativeImage = { createFromDataURL: () => makeStrict("NativeImage", { setTemplateImage: () => {} }) };
  return {
    Tray,
    Notification,
    Menu: makeStrict("Menu", Menu),
    nativeImage: makeStrict("nativeImage", nativeImage),
  };
}

function doubleDialogs(recorded: Recorded) {
  const dialog = {
    showMessageBox: async (...args: unknown[]) => {
      recorded.messageBoxes.push(args.at(-1) as Electron.MessageBoxOptions);
      return { response: recorded.pressed, checkboxChecked: false } satisfies Electron.MessageBoxReturnValue;
    },
    showErrorBox: (title: string, content: string) => {
      recorded.errorBoxes.push(`${title}: ${content}`);
    },
    showOpenDialog: async () =>
      ({
        canceled: recorded.pickedFolders.length === 0,
        filePaths: recorded.pickedFolders,
      }) satisfies Electron.OpenDialogReturnValue,
  };
  const shell: Pick<Electron.Shell, "openExternal"> = {
    openExternal: async (url) => {
      recorded.openedLinks.push(url);
    },
  };
  const safeStorage: Pick<
    Electron.SafeStorage,
    "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
  > = {
    isAsyncEncryptionAvailable: async () => recorded.isEncryptionAvailable,
    encryptStringAsync: async (plain) => Buffer.from(plain, "utf8").reverse(),
    decryptStringAsync: async (bytes) => ({
      result: Buffer.from(bytes).reverse().toString("utf8"),
      shouldReEncrypt: false,
    }),
    getSelectedStorageBackend: () => recorded.storageBackend,
  };
  return {
    dialog: makeStrict("dialog", dialog),
    shell: makeStrict("shell", shell),
    safeStorage: makeStrict("safeStorage", safeStorage),
  };
}
