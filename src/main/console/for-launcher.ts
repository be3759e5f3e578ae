/** What the desktop entry asks of the host and hears from it, besides wires and what waits. */
import { dirname } from "node:path";
import type { ShownApproval } from "../../shared/contract/approvals.ts";
import type { HostInfo, Settings } from "../../shared/contract/console.ts";
import type { QueueEntry } from "../../shared/contract/threads.ts";
import { messageOf } from "../../shared/message-of.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { isDecidableInPassing } from "../approvals/in-passing.ts";
import type { HostLog } from "../base/log-file.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import type { Changes } from "../threads/changes.ts";

/** A burst of changes becomes one report. */
const burstMs = 250;

type Parts = {
  info: HostInfo;
  stores: Stores;
  engine: Engine;
  changes: Changes;
  log: HostLog;
  /** Notes the folder as a known one. @returns its real path. */
  openWorkspace(path: string): Promise<string>;
};

/** What the desktop entry may ask. */
export type LauncherServices = {
  /** Command lines that run now, as their approvals showed them. */
  runningCommands(): string[];
  /** Brings it before the person in every open window. */
  showEntry(entry: QueueEntry): void;
  /** Decides what was shown as `decidable`. @returns false when it is not that any more: then it must be looked at. */
  decideShown(shown: ShownApproval, type: "approve" | "reject"): Promise<boolean>;
  /** The system shows no notifications of this app; the settings say so. */
  noteSilentSystem(): void;
  /** Takes a folder as the one for new threads; one that cannot be opened becomes a warning. */
  offerWorkspace(path: string): Promise<void>;
  /** @returns the id under which the error stands in the log, without its message. */
  logError(error: unknown): string;
};

/** What the desktop follows of the host. */
export type DesktopState = {
  /** Whether a turn runs that does not wait for a person. */
  isWorking: boolean;
  theme: Settings["theme"];
};

/** @param info is changed in place: the page reads of the same object that notifications fail. */
export function serveLauncher({
  info,
  stores,
  engine,
  changes,
  log,
  openWorkspace,
}: Parts): LauncherServices {
  return {
    runningCommands: () =>
      stores.executions
        .started()
        .filter(({ id, tool }) => kindOf(tool) === "command" && engine.journal.underway.has(id))
        .map(({ what }) => what),
    showEntry: (entry) => changes.tell({ kind: "show", entry }),
    async decideShown({ id, digest }, type) {
      const row = stores.approvals.get(id);
      if (!row || !isDecidableInPassing(row) || row.digest !== digest) return false;
      const [outcome] = await engine.decisions.decide({
        items: [{ id, digest }],
        decision: { type },
        graceMs: 0,
        by: { kind: "person" },
      });
      return outcome?.ok === true;
    },
    noteSilentSystem() {
      info.notificationsFail = true;
      changes.tell({ kind: "host" });
    },
    async offerWorkspace(path) {
      try {
        info.workspace = await openWorkspace(path);
      } catch (error) {
        log.error(error);
        info.warnings.push(`The workspace ${path} could not be opened: ${messageOf(error)}`);
      }
      changes.tell({ kind: "host" });
    },
    logError: log.error,
  };
}

/** Where a dialog for choosing a workspace begins: beside the one that was used last, else at home. */
export function nearWorkspaces(stores: Pick<Stores, "workspaces">, home: string): string {
  const [latest] = stores.workspaces.list();
  return latest ? dirname(latest.path) : home;
}

type StateParts = Pick<Parts, "stores" | "engine" | "changes">;

/** Tells at once and after each change. @returns a function that stops telling. */
export function reportState(
  { stores, engine, changes }: StateParts,
  listener: (state: DesktopState) => void,
) {
  const isWorking = () => {
    const waiting = stores.approvals.pendingCounts();
    // A turn that waits for a person needs no machine that is awake.
    return stores.threads
      .threadsWithStatus(["running"])
      .some((id) => engine.actors.isRunning(id) && !waiting.get(id));
  };
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    listener({ isWorking: isWorking(), theme: stores.settings.get().theme });
  };
  report();
  const stop = changes.listen(({ kind }) => {
    if (kind === "thread" || kind === "approval" || kind === "settings")
      timer ??= setTimeout(report, burstMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
