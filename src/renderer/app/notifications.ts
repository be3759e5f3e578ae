/** Names what waits in the browser's own notifications while nobody looks at the page; the desktop app has the system's. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../shared/ids.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import { useApprovals } from "../base/stores/approvals-store.ts";
import { useHost } from "../base/stores/host-store.ts";
import { useSettings } from "../base/stores/settings-store.ts";
import { strings } from "../base/strings.ts";
import { showApproval } from "../features/approvals/show-approval.ts";

/** More than this at once becomes one notification with the number. */
const burst = 3;

/** @returns a function that ends it and withdraws what is shown. */
export function startNotifications(): () => void {
  if (typeof Notification === "undefined") return () => undefined;
  const shown = new Map<string, Notification>();
  let known = new Set<string>();
  let asked = false;

  const update = ({ pending }: { pending: readonly Approval[] }) => {
    if (useHost.getState().host?.mode !== "browser") return;
    const fresh = pending.filter((approval) => !known.has(approval.id));
    known = new Set(pending.map((approval) => approval.id));
    for (const [id, notification] of shown) {
      if (id !== summary && known.has(id)) continue;
      notification.close();
      shown.delete(id);
    }
    if (fresh.length === 0) return;
    if (!asked) askOnNextClick();
    asked = true;
    const { notifications, doNotDisturb } = useSettings.getState().settings;
    if (!notifications || doNotDisturb || !document.hidden || Notification.permission !== "granted") return;
    if (fresh.length > burst) show(summary, strings.app, strings.severalWait(pending.length));
    else for (const approval of fresh) show(approval.id, approval.threadTitle, aboutApproval(approval));
  };

  function show(id: string, title: string, body: string): void {
    const notification = new Notification(title, { body, tag: id });
    notification.onclick = () => {
      window.focus();
      showApproval(id === summary ? undefined : (id as ApprovalId));
    };
    shown.set(id, notification);
  }

  const stop = useApprovals.subscribe(update);
  return () => {
    stop();
    for (const notification of shown.values()) notification.close();
  };
}

const summary = "summary";

/** Browsers let a page ask only in answer to the person's own click, and asking before anything waits would be noise. */
function askOnNextClick(): void {
  if (Notification.permission !== "default") return;
  document.addEventListener("click", () => void Notification.requestPermission(), { once: true });
}
