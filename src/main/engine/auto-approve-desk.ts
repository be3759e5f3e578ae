/** What a person does with a thread's auto-approve switch: sees what it would do to what waits, and turns it on for exactly that. */
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import type { ApprovalId } from "../../shared/ids.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import type { Decisions } from "../approvals/decisions.ts";
import { isRehearsed } from "../approvals/rehearsed-card.ts";
import type { RouteStore } from "../gate/route-store.ts";
import type { ThreadStore } from "../threads/thread-store.ts";

export type AutoApproveDeskParts = {
  threads: Pick<ThreadStore, "get">;
  approvals: ApprovalStore;
  autoApprove: AutoApproveSwitch;
  decisions: Pick<Decisions, "decide" | "refresh">;
  heldBySandbox(row: ApprovalRow): Promise<string | undefined>;
  routes: Pick<RouteStore, "asksAlways">;
};

export type AutoApproveDesk = {
  /** Draws file cards anew first, so that what is shown is what would be approved. */
  preview(input: ParsedInput<"threads.previewAutoApprove">): Promise<Output<"threads.previewAutoApprove">>;
  /** Approves what was confirmed, as it was shown, within the budget; whatever else waits goes on waiting. */
  set(input: ParsedInput<"threads.setAutoApprove">): Promise<Output<"threads.setAutoApprove">>;
};

/** Decides in the person's name, as a card would. */
export function createAutoApproveDesk(parts: AutoApproveDeskParts): AutoApproveDesk {
  const { threads, approvals, autoApprove, decisions } = parts;
  const whyItStays = (row: ApprovalRow) =>
    whyOfItself(row) ??
    (parts.routes.asksAlways(row.callKey) ? "its agent always asks about this" : undefined);
  return {
    async preview({ threadId, maxActions }) {
      threads.get(threadId);
      const answer: Output<"threads.previewAutoApprove"> = { passes: [], stays: [] };
      for (const pending of approvals.pending(threadId)) {
        const row = await decisions.refresh(pending);
        const full = answer.passes.length >= maxActions;
        const why =
          whyItStays(row) ??
          (await parts.heldBySandbox(row)) ??
          (full ? `auto-approve ends after ${maxActions} actions` : undefined);
        if (why) answer.stays.push({ id: row.id, why });
        else answer.passes.push({ id: row.id, digest: row.digest });
      }
      return answer;
    },

    async set({ threadId, on, minutes, maxActions, approve }) {
      threads.get(threadId);
      if (!on) {
        autoApprove.turnOff(threadId, "you turned it off");
        return { autoApprove: null, approved: [], left: [] };
      }
      const held = new Map<ApprovalId, string | undefined>();
      for (const { id } of approve) {
        const row = approvals.get(id);
        if (row) held.set(id, await parts.heldBySandbox(row));
      }
      autoApprove.turnOn(threadId, minutes, maxActions);
      const outcomes = await decisions.decide({
        items: approve,
        decision: { type: "approve" },
        graceMs: 0,
        by: { kind: "auto-approve" },
        refuse: (row) => {
          if (row.threadId !== threadId) return "It belongs to another thread.";
          const why = whyItStays(row) ?? held.get(row.id);
          if (why) return `It stays: ${why}.`;
          return autoApprove.spend(threadId, row.itemId, row.id) ? undefined : "Auto-approve is used up.";
        },
      });
      return {
        autoApprove: autoApprove.state(threadId),
        approved: approve.flatMap(({ id }, index) => (outcomes[index]?.ok ? id : [])),
        left: approve.flatMap(({ id }, index) => {
          const outcome = outcomes[index];
          return outcome && !outcome.ok ? { id, why: outcome.reason } : [];
        }),
      };
    },
  };
}

/** Only what a rule could cover passes. @returns why this goes on waiting, as the end of a sentence. */
function whyOfItself(row: ApprovalRow): string | undefined {
  if (row.status !== "pending") return "it waits no more";
  if (isRehearsed(row)) return "it was rehearsed, and a yes means what that found";
  if (row.kind === "interrupt") return "it asks for an answer";
  if (row.kind === "recovery") return "nobody knows whether it ran already";
  if (row.kind === "escalation") return "it would run a second time, and reach further";
  if (row.verdict.verdict === "ask" || row.verdict.verdict === "deny" || row.kind !== "tool") {
    const reasons = row.verdict.units.filter((unit) => unit.verdict === "ask").map((unit) => unit.reason);
    return reasons.length > 0 ? [...new Set(reasons)].join("; ") : "this kind is always asked";
  }
  if (row.origins === undefined) return "nobody looked where its parts come from";
  const [origin] = row.origins;
  if (origin)
    return origin.from === undefined
      ? "you did not write all of where it goes, and texts of others were read"
      : `a part of it comes from ${origin.from}, not from you`;
  if (!row.allowed.includes("approve")) return "it cannot simply be approved";
  if (row.subject.kind === "file" && row.subject.stale) return "the change no longer fits the file";
  return undefined;
}
