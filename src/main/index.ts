/** The desktop entry: lock, host, window, door, and how all of it ends. */
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { app, type BrowserWindow, nativeTheme, session } from "electron";
import { createAttention } from "./electron/attention.ts";
import { hearSecondStarts, readCommandLine } from "./electron/command-line.ts";
import { openDoor } from "./electron/door.ts";
import { hearRequestsToEnd, hearWindowClose } from "./electron/end-requests.ts";
import { createEnding } from "./electron/ending.ts";
import { pickFolder } from "./electron/folder-dialog.ts";
import { createKeepAwake } from "./electron/keep-awake.ts";
import { offerContextMenus, setMenu } from "./electron/menu.ts";
import { confineNavigation, denyPermissions, openLink } from "./electron/navigation.ts";
import { chooseConsoleAddress } from "./electron/origin.ts";
import { failStart, prepareApp } from "./electron/prepare.ts";
import { servePages } from "./electron/protocol.ts";
import { reviveWindow } from "./electron/revive-window.ts";
import { createSecretBox } from "./electron/secrets.ts";
import { forkShellHost } from "./electron/shell-host.ts";
import { showWhenReady } from "./electron/show-window.ts";
import { catchStrayErrors } from "./electron/stray-errors.ts";
import { createUpdates } from "./electron/updates.ts";
import { createWindow, focusWindow } from "./electron/window.ts";
import { createHost } from "./host/create-host.ts";
import type { Host } from "./host/host.ts";
import { warmUpAfterMs } from "./host/warm-up.ts";
import { loadStaticFiles } from "./serve/static-files.ts";
import { type LoginPath, readLoginPath } from "./shell/login-path.ts";

const { platform } = process;
const commandLine = readCommandLine(process, homedir());
const tellOfSecondStarts = hearSecondStarts();
const address = chooseConsoleAddress(app.isPackaged, process.env.ELECTRON_RENDERER_URL);

async function open(): Promise<void> {
  let window: BrowserWindow | undefined;
  const host = await createHost({
    ...commandLine,
    mode: "electron",
    version: app.getVersion(),
    secretBox: createSecretBox(platform),
    forkShellHost,
    loginPath: askLoginPath(),
    openLink: (url) => openLink(window, url),
    pickFolder: (startAt) => pickFolder(window, startAt),
    warmUpAfterMs,
  });
  catchStrayErrors(process, host.logError);
  if (address.url.startsWith("app:"))
    servePages(await loadStaticFiles(join(import.meta.dirname, "../renderer")));
  denyPermissions(session.defaultSession);
  confineNavigation(address.url);
  offerContextMenus();
  openDoor({
    origin: address.origin,
    isOurs: (contents) => window?.isDestroyed() === false && contents === window.webContents,
    connect: (transport) => host.connect(transport),
    dropFolder: (path) => void host.offerWorkspace(path),
  });
  setMenu(platform, createUpdates(host.runningCommands));
  window = createWindow(address.url, join(import.meta.dirname, "../preload/index.cjs"));
  showWhenReady(window, { platform, onShown: () => process.send?.({ type: "window-shown" }) });
  reviveWindow(window);
  live(window, host);
}

/** A terminal and the launcher of `npm start` hand on the person's PATH; a dock or a menu does not. */
function askLoginPath(): Promise<LoginPath> | undefined {
  if (!app.isPackaged || platform === "win32") return undefined;
  const shell = process.env.SHELL || userInfo().shell;
  return readLoginPath({ shell: shell ?? undefined, env: process.env });
}

/** What the window and the system say to the host and hear from it, from now to the end. */
function live(window: BrowserWindow, host: Host): void {
  const keepAwake = createKeepAwake();
  const comeBack = () => ending.isUnderway() || focusWindow(window);
  const attention = createAttention({
    window,
    platform,
    trayIcon: platform === "win32" ? join(import.meta.dirname, "icon.ico") : undefined,
    open(entry) {
      comeBack();
      if (entry) host.showEntry(entry);
    },
    decide: (shown, type) =>
      void host.decideShown(shown, type).then((isDecided) => {
        if (isDecided) return;
        comeBack();
        host.showEntry({ approvalId: shown.id });
      }),
    onFailed: host.noteSilentSystem,
  });
  const ending = createEnding({
    window,
    host,
    onEnding() {
      attention.end();
      keepAwake(false);
      if (!window.isDestroyed() && !window.isFullScreen()) window.hide();
    },
  });
  hearRequestsToEnd(process, ending);
  hearWindowClose(window, ending, platform);
  tellOfSecondStarts({ comeBack, offerWorkspace: (path) => void host.offerWorkspace(path) });
  host.onAttention((news) => ending.isUnderway() || attention.tell(news));
  host.onState(({ isWorking, theme }) => {
    nativeTheme.themeSource = theme;
    keepAwake(isWorking && !ending.isUnderway());
  });
  app.on("window-all-closed", () => ending.isUnderway() || app.quit());
}

function start(): void {
  if (prepareApp(commandLine, platform)) app.whenReady().then(open).catch(failStart);
  else app.quit();
}

try {
  start();
} catch (error) {
  failStart(error);
}
