/** Who let a call through when nobody was asked: the transcript does not say, the record of decisions does; read in batches. */
import { useEffect } from "react";
import { create } from "zustand";
import type { DecidedBy, Verdict } from "../../../../shared/contract/decisions.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";

export type AllowedBy = { by: DecidedBy; verdict?: Verdict };

const gatherMs = 150;
const readAtOnce = 200;
/** By execution id; `null` once it was looked for and not found. */
const useAllowedBy = create<{ byExecution: ReadonlyMap<string, AllowedBy | null> }>(() => ({
  byExecution: new Map(),
}));

export function useAllowance(item: ToolCallItem, threadId: ThreadId): AllowedBy | undefined {
  const { executionId, decidedBy, verdict } = item;
  const wanted = decidedBy === undefined ? executionId : undefined;
  const found = useAllowedBy((state) => (wanted ? state.byExecution.get(wanted) : undefined));
  useEffect(() => {
    if (wanted && !useAllowedBy.getState().byExecution.has(wanted)) look(threadId, wanted);
  }, [wanted, threadId]);
  if (decidedBy) return { by: decidedBy, verdict };
  return found ?? undefined;
}

const wantedIds = new Map<ThreadId, Set<string>>();

function look(threadId: ThreadId, executionId: string): void {
  const waiting = wantedIds.get(threadId);
  if (waiting) {
    waiting.add(executionId);
    return;
  }
  wantedIds.set(threadId, new Set([executionId]));
  setTimeout(() => void read(threadId), gatherMs);
}

async function read(threadId: ThreadId): Promise<void> {
  const ids = wantedIds.get(threadId) ?? new Set<string>();
  wantedIds.delete(threadId);
  try {
    const { entries } = await client().call("approvals.ledger", { threadId, limit: readAtOnce });
    const byExecution = new Map(useAllowedBy.getState().byExecution);
    for (const id of ids) byExecution.set(id, null);
    for (const { executionId, by, verdict } of entries)
      if (executionId) byExecution.set(executionId, { by, verdict });
    useAllowedBy.setState({ byExecution });
  } catch {
    // Only a remark is missing; the record itself is one click away in the ledger.
  }
}
