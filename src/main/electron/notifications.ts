/** System notifications that name what waits, and that go away by themselves once it is decided. */
import { Notification } from "electron";
import type { Attention } from "../host/host.ts";

/** More than this at once become one notification that says how many. */
const maxShownAtOnce = 3;

/** Returns the receiver for each change; `isInView` keeps quiet while the person looks at the queue anyway. */
export function createNotifier(isInView: () => boolean, open: () => void): (attention: Attention) => void {
  const shown = new Map<string, Notification>();
  const show = (id: string, title: string, body: string) => {
    shown.get(id)?.close();
    const notification = new Notification({ title, body });
    notification.on("click", open);
    notification.on("close", () => {
      if (shown.get(id) === notification) shown.delete(id);
    });
    shown.set(id, notification);
    notification.show();
  };
  const withdraw = (id: string) => {
    shown.get(id)?.close();
    shown.delete(id);
  };
  return ({ waiting, newest, withdrawn }) => {
    for (const id of withdrawn) withdraw(id);
    if (waiting === 0) for (const id of [...shown.keys()]) withdraw(id);
    if (newest.length === 0 || isInView() || !Notification.isSupported()) return;
    if (newest.length > maxShownAtOnce) show("many", "Countersign", `${waiting} actions wait for you`);
    else for (const { approvalId, title, text } of newest) show(approvalId, title, text);
  };
}
