/** How a thread looks in the list: its row, with what waits in it and what the engine knows of it. */
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { shortenText } from "../../shared/wire/shorten.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

/** A model's server may answer at any length; the list says how it begins. */
const problemBytes = 8_000;

/** A thread as it stands now. */
export function summarize(row: ThreadRow, stores: Stores, engine: Engine): ThreadSummary {
  return toSummary(row, stores.approvals.pendingCount(row.id), stores.threads.queued(row.id).length, engine);
}

/** All threads at once, with one look at each table rather than one for each thread. */
export function summarizeAll(stores: Stores, engine: Engine): ThreadSummary[] {
  const waiting = stores.approvals.pendingCounts();
  const mailbox = stores.threads.queuedCounts();
  return stores.threads
    .list()
    .map((row) => toSummary(row, waiting.get(row.id) ?? 0, mailbox.get(row.id) ?? 0, engine));
}

function toSummary(row: ThreadRow, waiting: number, mailbox: number, engine: Engine): ThreadSummary {
  const { titled: _titled, ...shown } = row;
  const inLine = row.status === "running" && engine.slots.waiting().has(row.id);
  const status = row.status === "running" && waiting > 0 ? "waiting" : inLine ? "queued" : row.status;
  const problem = shown.problem === undefined ? undefined : shortenText(shown.problem, problemBytes);
  return { ...shown, problem, status, waiting, mailbox, autoApprove: engine.autoApprove.state(row.id) };
}
