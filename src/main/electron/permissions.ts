/** Refuses every permission a page could ask for, because Electron grants them all when nobody answers. */
import type { Session } from "electron";

/** Copying text by a click is the one thing that is allowed. */
export function denyPermissions(session: Session): void {
  const isAllowed = (permission: string) => permission === "clipboard-sanitized-write";
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}
