/**
 * A queue that lives as the host's does, for tests: it tells a change to everybody before it answers who made it, refuses
 * what was drawn anew or is gone, and takes decisions back.
 */
import type { Approval, ApprovalDetail, DecideOutcome, Reach } from "../../shared/contract/approvals.ts";
import type { FakeHost } from "./fake-host.ts";
import { openConsole } from "./open-console.ts";
import { sampleThread } from "./samples.ts";

export type LiveCard = { approval: Approval; detail?: Omit<ApprovalDetail, "approval"> };
/** A decision that counted, and the card as the host had it. */
export type Decided = { approval: Approval; type: string };

export type LiveQueue = {
  host: FakeHost;
  decided: Decided[];
  pending(): Approval[];
  /** Adds a card, or draws one anew. */
  put(card: LiveCard): void;
  withdraw(id: string): void;
};

type Options = {
  /** Longer than any test where none is given: no Undo may go away under it. */
  graceMs?: number;
  /** What the host says that every one of them reaches. */
  reach?: Reach;
  hash?: string;
  onDecide?: (approval: Approval, type: string) => void;
  /** What the answer to a decision waits for; the decision counts before. */
  answer?: Promise<void>;
};

export function openLiveQueue(
  cards: readonly LiveCard[],
  {
    graceMs = 600_000,
    reach = { facts: [], unknown: [], unknownAll: false },
    hash,
    onDecide,
    answer,
  }: Options = {},
): LiveQueue {
  const all = new Map(cards.map((card) => [card.approval.id as string, card]));
  const decided: Decided[] = [];
  let seq = 1;
  const pending = () =>
    [...all.values()].map((card) => card.approval).filter((one) => one.status === "pending");
  const tell = (approval: Approval) => {
    seq += 1;
    const none = { threads: [], removedThreads: [], removedApprovals: [] };
    host.push("console.watch", { kind: "changes", seq, ...none, approvals: [approval] });
  };
  const change = (id: string, change: Partial<Approval>): Approval => {
    const card = all.get(id);
    if (!card) throw new Error(`There is no approval ${id}.`);
    const approval = { ...card.approval, ...change };
    all.set(id, { ...card, approval });
    tell(approval);
    return approval;
  };
  const decide = (id: string, digest: string, type: string, grace: number): DecideOutcome => {
    const approval = all.get(id)?.approval;
    if (approval?.status !== "pending" || approval.digest !== digest)
      return { ok: false, reason: "It is not what was shown.", approval };
    onDecide?.(approval, type);
    decided.push({ approval, type });
    const effectiveAt = grace > 0 ? { effectiveAt: Date.now() + grace } : {};
    return { ok: true, approval: change(id, { status: "decided", ...effectiveAt }) };
  };
  const undo = (id: string): DecideOutcome => ({
    ok: true,
    approval: change(id, { status: "pending", effectiveAt: undefined }),
  });
  const host = openConsole(
    {
      threads: [sampleThread("t1", { waiting: cards.length }), sampleThread("t2")],
      approvals: pending(),
      settings: { undoGraceMs: graceMs },
    },
    {
      "approvals.get": ({ id }) => {
        const card = all.get(id);
        if (!card) throw new Error("It does not wait any more.");
        return { args: {}, ...card.detail, approval: card.approval };
      },
      "approvals.reach": () => reach,
      "approvals.decide": async ({ items, decision, graceMs: grace = 0 }) => {
        const outcomes = items.map(({ id, digest }) => decide(id, digest, decision.type, grace));
        await answer;
        return late({ outcomes });
      },
      "approvals.undo": ({ ids }) => late({ outcomes: ids.map(undo) }),
      "approvals.snooze": ({ id, until }) => {
        change(id, { snoozedUntil: until ?? undefined });
        return late({});
      },
    },
    hash,
  );
  return {
    host,
    decided,
    pending,
    put(card) {
      all.set(card.approval.id, card);
      tell(card.approval);
    },
    withdraw: (id) => void change(id, { status: "cancelled" }),
  };
}

/** The answer comes after the events of it were drawn, as over a real line. */
async function late<T>(answer: T): Promise<T> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return answer;
}
