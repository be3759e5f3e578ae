/** How a thread looks in the list: its row, with what waits in it and what the engine knows of it. */
import type { Spent } from "../../shared/contract/costs.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { shortenText } from "../../shared/wire/shorten.ts";
import { abilitiesOf } from "../agents/source.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import type { Spending } from "../models/spending.ts";
import type { Glance, GlanceStore } from "../threads/glances.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { ThreadActivity } from "./thread-activity.ts";

/** A model's server may answer at any length; the list says how it begins. */
const problemBytes = 8_000;

export type SummaryParts = {
  stores: Pick<Stores, "threads" | "approvals">;
  engine: Pick<Engine, "slots" | "autoApprove" | "sources" | "worktrees">;
  activity: Pick<ThreadActivity, "of">;
  glances: Pick<GlanceStore, "of" | "ofEachThread">;
  spending: Pick<Spending, "ofThread" | "ofEachThread">;
};

/** What is known of a thread outside of its row. */
type Facts = { waiting: number; mailbox: number; glance: Glance; cost: Spent | undefined };

export type Summaries = {
  /** A thread as it stands now. */
  of(row: ThreadRow): ThreadSummary;
  /** All threads at once, with one look at each table rather than one for each thread. */
  all(): ThreadSummary[];
};

/** @returns one that reads at each call: it keeps nothing. */
export function createSummaries(parts: SummaryParts): Summaries {
  const { stores, engine, activity, glances, spending } = parts;

  function toSummary(row: ThreadRow, { waiting, mailbox, glance, cost }: Facts): ThreadSummary {
    const { titled: _titled, source: _source, ...shown } = row;
    const inLine = row.status === "running" && engine.slots.waiting().has(row.id);
    const status = row.status === "running" && waiting > 0 ? "waiting" : inLine ? "queued" : row.status;
    const problem = shown.problem === undefined ? undefined : shortenText(shown.problem, problemBytes);
    const source = engine.sources.of(row);
    const works = row.status === "running" && !inLine;
    return {
      ...shown,
      problem,
      status,
      waiting,
      mailbox,
      can: abilitiesOf(source),
      actsItself: source.actsItself?.(row),
      autoApprove: engine.autoApprove.state(row.id),
      activity: works ? activity.of(row.id) : undefined,
      ...glance,
      cost,
      worktree: engine.worktrees.of(row),
    };
  }

  return {
    of: (row) =>
      toSummary(row, {
        waiting: stores.approvals.pendingCount(row.id),
        mailbox: stores.threads.queued(row.id).length,
        glance: glances.of(row.id),
        cost: spending.ofThread(row.id),
      }),
    all() {
      const waiting = stores.approvals.pendingCounts();
      const mailbox = stores.threads.queuedCounts();
      const glance = glances.ofEachThread();
      const cost = spending.ofEachThread();
      return stores.threads.list().map((row) =>
        toSummary(row, {
          waiting: waiting.get(row.id) ?? 0,
          mailbox: mailbox.get(row.id) ?? 0,
          glance: glance.get(row.id) ?? {},
          cost: cost.get(row.id),
        }),
      );
    },
  };
}
