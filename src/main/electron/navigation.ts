/** Keeps the window on the console's own page, refuses every permission, and lets an address leave only for the browser, once its host was seen. */
import { app, type BrowserWindow, dialog, type Session, shell, type WebContents } from "electron";

/** Applies to every page the app ever makes; a page may reload the console's own address and go nowhere else. */
export function confineNavigation(consoleUrl: string): void {
  app.on("web-contents-created", (_event, contents) => confine(contents, consoleUrl));
}

function confine(contents: WebContents, consoleUrl: string): void {
  // Where the person is in the console stands in the fragment, and a reload keeps it.
  const isConsole = (url: string) => withoutFragment(url) === withoutFragment(consoleUrl);
  contents.on("will-navigate", (details) => {
    if (!isConsole(details.url)) details.preventDefault();
  });
  contents.on("will-frame-navigate", (details) => {
    if (!details.isMainFrame || !isConsole(details.url)) details.preventDefault();
  });
  contents.on("will-redirect", (details) => details.preventDefault());
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0]!;
}

/** Copying text by a click is the one thing that is allowed. */
export function denyPermissions(session: Session): void {
  const isAllowed = (permission: string) => permission === "clipboard-sanitized-write";
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}

/** Resolves to whether the link was opened; false when it is not plain https or the person declined. */
export async function openLink(window: BrowserWindow | undefined, address: string): Promise<boolean> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return false;
  const question = {
    type: "question" as const,
    message: `Open ${url.host} in your browser?`,
    detail: url.href,
    buttons: ["Cancel", "Open"],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } =
    window === undefined || window.isDestroyed()
      ? await dialog.showMessageBox(question)
      : await dialog.showMessageBox(window, question);
  if (response !== 1) return false;
  await shell.openExternal(url.href);
  return true;
}
