/** Names what waits in the browser's own notifications while nobody looks at the page; the desktop app has the system's. */
import { aboutHalt, isHalted, type QueueEntry } from "../../shared/contract/threads.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import { useApprovals } from "../base/stores/approvals-store.ts";
import { useHost } from "../base/stores/host-store.ts";
import { useSettings } from "../base/stores/settings-store.ts";
import { useThreads } from "../base/stores/threads-store.ts";
import { strings } from "../base/strings.ts";
import { showEntry } from "../features/approvals/show-entry.ts";

/** More than this at once becomes one notification with the number. */
const burst = 3;
const summary = "summary";

/** @returns a function that ends it and withdraws what is shown. */
export function startNotifications(): () => void {
  if (typeof Notification === "undefined") return () => undefined;
  const shown = new Map<string, Notification>();
  let known = new Set<string>();
  let asked = false;

  const update = () => {
    if (useHost.getState().host?.mode !== "browser") return;
    const waiting = new Map([...waitingApprovals(), ...haltedThreads()].map((one) => [one.tag, one]));
    const fresh = [...waiting.values()].filter(({ tag }) => !known.has(tag));
    known = new Set(waiting.keys());
    for (const [tag, notification] of shown) {
      if (tag !== summary && known.has(tag)) continue;
      notification.close();
      shown.delete(tag);
    }
    if (fresh.length === 0) return;
    if (!asked) askOnNextClick();
    asked = true;
    const { notifications, doNotDisturb } = useSettings.getState().settings;
    if (!notifications || doNotDisturb || !document.hidden || Notification.permission !== "granted") return;
    if (fresh.length > burst) show(summary, strings.app, strings.severalWait(waiting.size));
    else for (const { tag, title, body, entry } of fresh) show(tag, title, body, entry);
  };

  function show(tag: string, title: string, body: string, entry?: QueueEntry): void {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      window.focus();
      showEntry(entry);
    };
    shown.set(tag, notification);
  }

  const stops = [useApprovals.subscribe(update), useThreads.subscribe(update)];
  return () => {
    for (const stop of stops) stop();
    for (const notification of shown.values()) notification.close();
  };
}

type Waiting = { tag: string; title: string; body: string; entry: QueueEntry };

function waitingApprovals(): Waiting[] {
  return useApprovals.getState().pending.map((approval) => ({
    tag: approval.id,
    title: approval.threadTitle,
    body: aboutApproval(approval),
    entry: { approvalId: approval.id },
  }));
}

/** Each change of a thread's status is another halt. */
function haltedThreads(): Waiting[] {
  return [...useThreads.getState().byId.values()].filter(isHalted).map((thread) => ({
    tag: `${thread.id} ${thread.updatedAt}`,
    title: thread.title,
    body: aboutHalt(thread),
    entry: { haltedId: thread.id },
  }));
}

/** Browsers let a page ask only in answer to the person's own click, and asking before anything waits would be noise. */
function askOnNextClick(): void {
  if (Notification.permission !== "default") return;
  document.addEventListener("click", () => void Notification.requestPermission(), { once: true });
}
