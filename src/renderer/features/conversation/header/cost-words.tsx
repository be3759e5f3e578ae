/** What threads and turns cost, asked of the host when it is shown and said in words, always as an estimate; says nothing where nothing is known. */

import { useEffect } from "react";
import { create } from "zustand";
import type { Cost } from "../../../../shared/contract/costs.ts";
import { type ThreadId, type TurnId, turnIdSchema } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { askForPrice } from "../../models/prices-store.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";

/** For the header: the estimate, and the way to a price that is missing. */
export function ThreadCost() {
  const cost = useThreadCost();
  if (!cost) return null;
  const missing = cost.unpriced[0];
  const without = cost.unpriced.map((one) => one.model);
  return (
    <>
      <Estimate cost={cost} name={strings.threadCost} />
      {missing && (
        <button
          type="button"
          title={strings.priceNotSetFor(without)}
          onClick={() => askForPrice(missing)}
          className="rounded-sm text-left text-sm text-ink-3 underline hover:text-ink"
        >
          {strings.priceNotSet}
          <span className="sr-only"> {strings.priceNotSetFor(without)}</span>
        </button>
      )}
    </>
  );
}

/** For the end of a turn. */
export function TurnCost({ turnId }: { turnId: string }) {
  const cost = useTurnCost(turnId);
  return cost ? <Estimate cost={cost} name={strings.turnCost} /> : null;
}

function Estimate({ cost, name }: { cost: Cost; name: string }) {
  if (cost.dollars === undefined) return null;
  const without = cost.unpriced.map((one) => one.model);
  return (
    <span title={strings.costTitle(without, cost.listedOn)} className="text-sm text-ink-3 tabular-nums">
      <span className="sr-only">{name}: </span>
      {strings.cost(cost.dollars)}
    </span>
  );
}

type Costs = { threadId?: ThreadId; thread?: Cost; turns: ReadonlyMap<string, Cost> };

/** Of the thread that was open last. */
export const useCosts = create<Costs>(() => ({ turns: new Map() }));

/** Turns that come into view together are asked about in one call, and a busy thread once in a while. */
const gatherMs = 50;
const restMs = 1_000;
const turnsPerCall = 200;

const wanted = new Set<TurnId>();
let scheduled = false;
let askedAt = Number.NEGATIVE_INFINITY;

/** The estimate for the whole thread; `undefined` while nothing is known or nothing is to be said. */
export function useThreadCost(): Cost | undefined {
  const { threadId } = useConversation();
  const seq = useTranscript((state) => state.seq);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new event may have brought tokens
  useEffect(() => askSoon(threadId), [threadId, seq]);
  return useCosts((state) => (state.threadId === threadId ? state.thread : undefined));
}

/** The estimate for one turn that ended, its sub-agents included. */
export function useTurnCost(turnId: string): Cost | undefined {
  const { threadId } = useConversation();
  useEffect(() => askSoon(threadId, turnIdSchema.parse(turnId)), [threadId, turnId]);
  return useCosts((state) => (state.threadId === threadId ? state.turns.get(turnId) : undefined));
}

function askSoon(threadId: ThreadId, turnId?: TurnId): void {
  if (useCosts.getState().threadId !== threadId) {
    wanted.clear();
    useCosts.setState({ threadId, thread: undefined, turns: new Map() });
  }
  if (turnId) wanted.add(turnId);
  if (scheduled) return;
  scheduled = true;
  setTimeout(
    () => {
      scheduled = false;
      askedAt = performance.now();
      void ask();
    },
    Math.max(gatherMs, askedAt + restMs - performance.now()),
  );
}

async function ask(): Promise<void> {
  const { threadId } = useCosts.getState();
  if (!threadId) return;
  const turnIds = [...wanted].slice(0, turnsPerCall);
  for (const turnId of turnIds) wanted.delete(turnId);
  try {
    const found = await client().call("costs.ofThread", { threadId, turnIds });
    if (useCosts.getState().threadId !== threadId) return;
    const turns = new Map(useCosts.getState().turns);
    // A price that was forgotten since leaves no estimate behind.
    for (const turnId of turnIds) turns.delete(turnId);
    for (const [turnId, cost] of Object.entries(found.turns)) turns.set(turnId, cost);
    useCosts.setState({ thread: found.thread, turns });
  } catch {
    // Without an answer there is no estimate, as without a price; that the host is away is said elsewhere.
  }
  if (wanted.size > 0) askSoon(threadId);
}
