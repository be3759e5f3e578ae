/** Feeds the domain stores from `console.watch`: a snapshot in pages, then changes, again after every lost connection. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ConsoleItem, HostInfo } from "../../../shared/contract/console.ts";
import type { QueueEntry, ThreadSummary } from "../../../shared/contract/threads.ts";
import type { Client } from "../client.ts";
import { followStream } from "../follow-stream.ts";
import { useApprovals } from "./approvals-store.ts";
import { createFrameBatch } from "./frame-batch.ts";
import { useConnection, useHost, useSpending } from "./host-store.ts";
import { useSettings } from "./settings-store.ts";
import { useThreads } from "./threads-store.ts";

type Snapshot = { threads: ThreadSummary[]; approvals: Approval[] };

/**
 * Runs until the signal aborts. What was shown stays shown while a new snapshot is on its way.
 * @param showEntry hears of each entry of the queue that a person asked for outside of the window.
 */
export function followConsole(
  client: Client,
  signal: AbortSignal,
  showEntry: (entry: QueueEntry) => void,
): void {
  let snapshot: Snapshot | undefined;

  function apply(item: ConsoleItem): void {
    switch (item.kind) {
      case "reset":
        snapshot = { threads: [], approvals: [] };
        useHost.setState({ host: item.host });
        useSettings.setState({ settings: item.settings });
        return;
      case "threads":
        snapshot?.threads.push(...item.threads);
        return;
      case "approvals":
        snapshot?.approvals.push(...item.approvals);
        return;
      case "ready":
        useThreads.getState().replace(snapshot?.threads ?? []);
        useApprovals.getState().replace(snapshot?.approvals ?? []);
        snapshot = undefined;
        useSpending.setState({ today: item.today });
        useConnection.setState({ ready: true });
    }
  }

  function applyAll(changes: Changes): void {
    applyChanges(changes);
    if (changes.show) showEntry(changes.show);
  }

  const batch = createFrameBatch<ConsoleItem>((items) => {
    let changes = emptyChanges();
    for (const item of items) {
      if (item.kind === "changes") {
        mergeChanges(changes, item);
        continue;
      }
      applyAll(changes);
      changes = emptyChanges();
      apply(item);
    }
    applyAll(changes);
  });

  const noteState = () => useConnection.setState({ state: client.state(), problem: client.problem() });
  noteState();
  const stopState = client.onState(noteState);
  signal.addEventListener("abort", stopState, { once: true });
  void followStream(client, "console.watch", () => ({}), batch.push, signal);
}

type Changes = Omit<Extract<ConsoleItem, { kind: "changes" }>, "kind" | "seq">;

function emptyChanges(): Changes {
  return { threads: [], removedThreads: [], approvals: [], removedApprovals: [] };
}

function mergeChanges(into: Changes, item: Changes): void {
  into.threads.push(...item.threads);
  into.removedThreads.push(...item.removedThreads);
  into.approvals.push(...item.approvals);
  into.removedApprovals.push(...item.removedApprovals);
  into.settings = item.settings ?? into.settings;
  into.today = item.today ?? into.today;
  into.host = item.host ?? into.host;
  into.show = item.show ?? into.show;
}

function applyChanges(changes: Changes): void {
  useThreads.getState().change(changes.threads, changes.removedThreads);
  useApprovals.getState().change(changes.approvals, changes.removedApprovals);
  useApprovals.getState().retitle(changes.threads);
  if (changes.today) useSpending.setState({ today: changes.today });
  if (changes.settings) useSettings.setState({ settings: changes.settings });
  if (changes.host) noteHost(changes.host);
}

function noteHost(host: HostInfo): void {
  const before = useHost.getState();
  // A warning that came up is shown, also to whoever dismissed those of the start.
  const isNews = host.warnings.some((warning) => !before.host?.warnings.includes(warning));
  useHost.setState({ host, dismissedWarnings: before.dismissedWarnings && !isNews });
}
