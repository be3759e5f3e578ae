/** Doubles of what stands between the app and the person's system: tray, notifications, menus, dialogs, power, updates. */
import type * as Electron from "electron";
import { present, StrictEmitter, surface } from "./strict.ts";

export const traySurface = surface<Electron.Tray>(
  "Tray",
  ["setToolTip", "setContextMenu", "destroy", "isDestroyed"],
  ["click"],
);
export const notificationSurface = surface<Electron.Notification>(
  "Notification",
  ["show", "close"],
  ["click", "close", "failed", "action", "show"],
);
export const notificationClassSurface = surface<typeof Electron.Notification>("Notification", [
  "isSupported",
]);
export const menuSurface = surface<Electron.Menu>("Menu", ["popup"]);
export const menuClassSurface = surface<typeof Electron.Menu>("Menu", [
  "buildFromTemplate",
  "setApplicationMenu",
]);
export const nativeImageSurface = surface<Electron.NativeImage>("NativeImage", [
  "addRepresentation",
  "setTemplateImage",
]);
export const nativeImageClassSurface = surface<typeof Electron.nativeImage>("NativeImage", ["createEmpty"]);
export const dialogSurface = surface<Electron.Dialog>("Dialog", [
  "showMessageBox",
  "showErrorBox",
  "showOpenDialog",
]);
export const shellSurface = surface<Electron.Shell>("Shell", ["openExternal"]);
export const powerMonitorSurface = surface<Electron.PowerMonitor>("PowerMonitor", [], ["shutdown"]);
export const powerSaveBlockerSurface = surface<Electron.PowerSaveBlocker>("PowerSaveBlocker", [
  "start",
  "stop",
]);
export const autoUpdaterSurface = surface<Electron.AutoUpdater>(
  "AutoUpdater",
  [],
  ["before-quit-for-update"],
);
export const nativeThemeSurface = surface<Electron.NativeTheme>("NativeTheme", [
  "shouldUseDarkColors",
  "themeSource",
]);

type MessageBox = Electron.MessageBoxOptions & { hasParent: boolean };

/** What the test sets and looks at. */
export type SystemRecord = {
  /** The button the person presses; `undefined`: nobody presses any until `press` is called. */
  pressed: number | undefined;
  /** Whether no message box can be shown. */
  dialogFails: boolean;
  pickedFolders: string[];
  messageBoxes: MessageBox[];
  errorBoxes: string[];
  folderDialogs: (Electron.OpenDialogOptions & { hasParent: boolean })[];
  openedLinks: string[];
  menu: Electron.MenuItemConstructorOptions[];
  /** Context menus as they popped up. */
  popups: { template: Electron.MenuItemConstructorOptions[]; hasWindow: boolean }[];
  trays: {
    tooltip: string;
    isDestroyed: boolean;
    scales: number[];
    iconFile: string | undefined;
    emitter: StrictEmitter;
  }[];
  notifications: NotificationRecord[];
  areNotificationsSupported: boolean;
  /** Kinds of sleep that are held off now, by id. */
  heldOff: Map<number, string>;
};
type NotificationRecord = {
  title?: string;
  body?: string;
  actions: string[];
  isShown: boolean;
  emitter: StrictEmitter;
};

export function newSystemRecord(): SystemRecord {
  return {
    pressed: 0,
    dialogFails: false,
    pickedFolders: [],
    messageBoxes: [],
    errorBoxes: [],
    folderDialogs: [],
    openedLinks: [],
    menu: [],
    popups: [],
    trays: [],
    notifications: [],
    areNotificationsSupported: true,
    heldOff: new Map(),
  };
}

export function doubleSystem(record: SystemRecord, isReady: () => boolean) {
  const powerMonitor = new StrictEmitter(powerMonitorSurface);
  const autoUpdater = new StrictEmitter(autoUpdaterSurface);
  return {
    powerMonitor,
    autoUpdater,
    module: {
      ...doubleTray(record),
      ...doubleNotification(record),
      ...doubleMenu(record),
      ...doubleDialogs(record),
      powerMonitor: present(powerMonitorSurface, powerMonitor),
      autoUpdater: present(autoUpdaterSurface, autoUpdater),
      powerSaveBlocker: present(powerSaveBlockerSurface, doublePower(record, isReady)),
      nativeTheme: present(nativeThemeSurface, { shouldUseDarkColors: true, themeSource: "system" }),
    },
  };
}

function doubleTray(record: SystemRecord): Record<string, unknown> {
  class Image {
    readonly scales: number[] = [];
    addRepresentation({ scaleFactor = 1 }: Electron.AddRepresentationOptions): void {
      this.scales.push(scaleFactor);
    }
    setTemplateImage(): void {}
  }
  const images = new WeakMap<object, Image>();
  class Tray extends StrictEmitter {
    readonly #entry: SystemRecord["trays"][number];
    constructor(image: object | string) {
      super(traySurface);
      const isFile = typeof image === "string";
      const scales = isFile ? [] : (images.get(image)?.scales ?? []);
      this.#entry = {
        tooltip: "",
        isDestroyed: false,
        scales,
        iconFile: isFile ? image : undefined,
        emitter: this,
      };
      record.trays.push(this.#entry);
      // biome-ignore lint/correctness/noConstructorReturn: the app must get the strict wrapping, not the bare object.
      return present(traySurface, this, () => this.#entry.isDestroyed);
    }
    setToolTip(text: string): void {
      this.#entry.tooltip = text;
    }
    setContextMenu(): void {}
    isDestroyed(): boolean {
      return this.#entry.isDestroyed;
    }
    destroy(): void {
      this.#entry.isDestroyed = true;
    }
  }
  const createEmpty = () => {
    const image = new Image();
    const presented = present(nativeImageSurface, image);
    images.set(presented, image);
    return presented;
  };
  return { Tray, nativeImage: present(nativeImageClassSurface, { createEmpty }) };
}

function doubleNotification(record: SystemRecord): Record<string, unknown> {
  class Notification extends StrictEmitter {
    readonly #entry: NotificationRecord;
    static isSupported(): boolean {
      return record.areNotificationsSupported;
    }
    constructor({ title, body, actions = [] }: Electron.NotificationConstructorOptions) {
      super(notificationSurface);
      const names = actions.map(({ text }) => text ?? "");
      this.#entry = { title, body, actions: names, isShown: false, emitter: this };
      record.notifications.push(this.#entry);
      // biome-ignore lint/correctness/noConstructorReturn: the app must get the strict wrapping, not the bare object.
      return present(notificationSurface, this);
    }
    show(): void {
      this.#entry.isShown = true;
    }
    close(): void {
      this.#entry.isShown = false;
    }
  }
  return { Notification };
}

function doubleMenu(record: SystemRecord) {
  const templates = new WeakMap<object, Electron.MenuItemConstructorOptions[]>();
  const Menu = {
    buildFromTemplate(template: Electron.MenuItemConstructorOptions[]) {
      const popup = ({ window }: Electron.PopupOptions = {}) =>
        record.popups.push({ template, hasWindow: window !== undefined });
      const menu = present(menuSurface, { popup });
      templates.set(menu, template);
      return menu;
    },
    setApplicationMenu(menu: object) {
      record.menu = templates.get(menu) ?? [];
    },
  };
  return { Menu: present(menuClassSurface, Menu) };
}

type Parent = Pick<Electron.BrowserWindow, "isDestroyed">;

function refuseLostParent([parent]: readonly (Parent | object)[]): void {
  if (parent && "webContents" in parent && (parent as Parent).isDestroyed())
    throw new TypeError("Object has been destroyed");
}

function doubleDialogs(record: SystemRecord) {
  const dialog = {
    async showMessageBox(...args: [Parent, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]) {
      refuseLostParent(args);
      if (record.dialogFails) throw new Error("There is no display.");
      const options = args.at(-1) as Electron.MessageBoxOptions;
      record.messageBoxes.push({ ...options, hasParent: args.length === 2 });
      if (record.pressed !== undefined) return { response: record.pressed, checkboxChecked: false };
      // A box that is taken away answers as if it had been cancelled.
      const response = options.cancelId ?? 0;
      await new Promise((resolve) => options.signal?.addEventListener("abort", resolve, { once: true }));
      return { response, checkboxChecked: false } satisfies Electron.MessageBoxReturnValue;
    },
    showErrorBox: (title: string, content: string) => {
      record.errorBoxes.push(`${title}: ${content}`);
    },
    async showOpenDialog(...args: [Parent, Electron.OpenDialogOptions] | [Electron.OpenDialogOptions]) {
      refuseLostParent(args);
      record.folderDialogs.push({
        ...(args.at(-1) as Electron.OpenDialogOptions),
        hasParent: args.length === 2,
      });
      const { pickedFolders } = record;
      return {
        canceled: pickedFolders.length === 0,
        filePaths: pickedFolders,
      } satisfies Electron.OpenDialogReturnValue;
    },
  };
  const shell: Pick<Electron.Shell, "openExternal"> = {
    openExternal: async (url) => {
      record.openedLinks.push(url);
    },
  };
  return { dialog: present(dialogSurface, dialog), shell: present(shellSurface, shell) };
}

function doublePower(record: SystemRecord, isReady: () => boolean) {
  let lastId = 0;
  return {
    start(type: string): number {
      if (!isReady()) throw new Error("Sleep can be held off only when the app is ready.");
      lastId += 1;
      record.heldOff.set(lastId, type);
      return lastId;
    },
    stop: (id: number) => record.heldOff.delete(id),
  };
}
