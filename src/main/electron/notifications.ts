/** System notifications that name what waits, and that go away by themselves once it is decided. */
import { Notification } from "electron";
import { entryId, type QueueEntry } from "../../shared/contract/threads.ts";
import type { ApprovalId } from "../../shared/ids.ts";
import type { Attention, Newest } from "../console/attention-feed.ts";
import { oneLine } from "./one-line.ts";

/** More than this at once become one notification that says how many. */
const maxShownAtOnce = 3;

export type NotifierParts = {
  /** Keeps quiet while the person looks at the queue anyway. */
  isInView: () => boolean;
  /** Opens what was clicked, or the queue. */
  open: (entry?: QueueEntry) => void;
  /** Decides exactly what was shown. */
  decide: (shown: { id: ApprovalId; digest: string }, type: "approve" | "reject") => void;
  /** Called once, when the system shows no notifications of this app. */
  onFailed: () => void;
};

const actions = [
  { text: "Approve", type: "approve" },
  { text: "Reject", type: "reject" },
] as const;

/** @returns the receiver for each change. */
export function createNotifier(parts: NotifierParts): (attention: Attention) => void {
  // A notification that nobody holds takes no clicks, and cannot be withdrawn.
  const shown = new Map<string, Notification>();
  let hasFailed = false;

  function show(id: string, title: string, body: string, newest?: Newest): void {
    shown.get(id)?.close();
    const digest = newest?.decidable?.digest;
    const notification = new Notification({
      title: oneLine(title),
      body: oneLine(body),
      actions: digest === undefined ? [] : actions.map(({ text }) => ({ type: "button", text })),
    });
    notification.on("click", () => parts.open(newest?.entry));
    notification.on("action", ({ actionIndex }) => {
      const action = actions[actionIndex];
      if (action && newest && "approvalId" in newest.entry && digest !== undefined)
        parts.decide({ id: newest.entry.approvalId, digest }, action.type);
    });
    notification.on("close", ({ reason }) => {
      // Out of sight it waits on in the system's list, from where it must be withdrawn like any other.
      if (reason !== "timedOut" && shown.get(id) === notification) shown.delete(id);
    });
    notification.on("failed", () => {
      if (!hasFailed) parts.onFailed();
      hasFailed = true;
    });
    shown.set(id, notification);
    notification.show();
  }

  function withdraw(id: string): void {
    shown.get(id)?.close();
    shown.delete(id);
  }

  return ({ waiting, newest, withdrawn }) => {
    for (const id of withdrawn) withdraw(id);
    if (waiting === 0) for (const id of [...shown.keys()]) withdraw(id);
    if (newest.length === 0 || parts.isInView() || !Notification.isSupported()) return;
    if (newest.length > maxShownAtOnce) show("many", "Countersign", `${waiting} things wait for you`);
    else for (const one of newest) show(entryId(one.entry), one.title, one.text, one);
  };
}
