/** The desktop entry: lock, host, window, door. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { app, type BrowserWindow, dialog, session } from "electron";
import { defaultDataDir } from "./data-dir.ts";
import { createAttention } from "./electron/attention.ts";
import { openDoor } from "./electron/door.ts";
import {
  closeBeforeQuit,
  failStart,
  hideInsteadOfClosing,
  prepareApp,
  reviveWindow,
} from "./electron/lifecycle.ts";
import { openLink } from "./electron/links.ts";
import { setMenu } from "./electron/menu.ts";
import { confineNavigation } from "./electron/navigation.ts";
import { chooseConsoleAddress } from "./electron/origin.ts";
import { denyPermissions } from "./electron/permissions.ts";
import { servePages } from "./electron/protocol.ts";
import { openSecretBox } from "./electron/secrets.ts";
import { forkShellHost } from "./electron/shell-host.ts";
import { createWindow, focusWindow } from "./electron/window.ts";
import { createHost } from "./host/create-host.ts";
import { loadStaticFiles } from "./serve/static-files.ts";

const { values } = parseArgs({
  args: process.argv.slice(1),
  strict: false,
  options: { "data-dir": { type: "string" }, workspace: { type: "string" } },
});
const dataDir =
  typeof values["data-dir"] === "string"
    ? resolve(values["data-dir"])
    : defaultDataDir(process.platform, process.env, homedir());
const workspace = typeof values.workspace === "string" ? resolve(values.workspace) : undefined;
const address = chooseConsoleAddress(app.isPackaged, process.env.ELECTRON_RENDERER_URL);

async function open(): Promise<void> {
  let window: BrowserWindow | undefined;
  const host = await createHost({
    dataDir,
    workspace,
    mode: "electron",
    version: app.getVersion(),
    secretBox: await openSecretBox(process.platform),
    forkShellHost,
    openLink: (url) => openLink(window, url),
    pickFolder: async () => {
      const picked = await dialog.showOpenDialog({ properties: ["openDirectory", "createDirectory"] });
      return picked.filePaths[0] ?? null;
    },
  });
  closeBeforeQuit(() => host.close());
  if (address.url.startsWith("app:"))
    servePages(await loadStaticFiles(join(import.meta.dirname, "../renderer")));
  denyPermissions(session.defaultSession);
  confineNavigation(address.url);
  openDoor({
    origin: address.origin,
    isOurs: (contents) => contents === window?.webContents,
    connect: (transport) => host.connect(transport),
  });
  setMenu(process.platform);
  const opened = createWindow(address.url, join(import.meta.dirname, "../preload/index.cjs"));
  window = opened;
  reviveWindow(opened);
  if (process.platform === "darwin") hideInsteadOfClosing(opened);
  host.onAttention(createAttention(opened, process.platform));
  app.on("second-instance", () => focusWindow(opened));
  app.on("activate", () => focusWindow(opened));
}

app.on("window-all-closed", () => app.quit());
if (prepareApp(dataDir)) app.whenReady().then(open).catch(failStart);
else app.quit();
