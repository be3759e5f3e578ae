/** The only way an address leaves for the person's browser: https, and only after they saw the full host. */
import { type BrowserWindow, dialog, shell } from "electron";

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
