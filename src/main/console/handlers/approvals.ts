/** Answers the contract's calls about approvals, the ledger and rules. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApprovalDetail, FileDiff, Reach } from "../../../shared/contract/approvals.ts";
import type { DecidedBy, Width } from "../../../shared/contract/decisions.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import type { ApprovalStore } from "../../approvals/approval-store.ts";
import { fitDetail, toWholeApproval } from "../../approvals/approval-view.ts";
import type { Decisions } from "../../approvals/decisions.ts";
import type { Ledger } from "../../approvals/ledger.ts";
import { giveWayAfter } from "../../base/give-way.ts";
import type { RuleBook } from "../../rules/rule-book.ts";
import type { RuleOffers } from "../../rules/rule-offers.ts";
import type { UncoveredCommands } from "../../rules/uncovered-commands.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";

export type ApprovalHandlerParts = {
  /** Who speaks through this contract: a person, or in a run without one nobody. */
  decidedBy: DecidedBy;
  dataDir: string;
  now: () => number;
  approvals: ApprovalStore;
  threads: ThreadStore;
  decisions: Decisions;
  ledger: Ledger;
  rules: RuleBook;
  ruleOffers: RuleOffers;
  uncovered: Pick<UncoveredCommands, "problem">;
  /** How far the command may reach at most where it is confined; `outside` where it cannot be. */
  confinedWidth(row: ApprovalRow): Promise<Width>;
  diffOf(row: ApprovalRow): Promise<FileDiff | undefined>;
  reachOf(row: ApprovalRow): Promise<Reach>;
};

type Names = Extract<keyof Handlers, `approvals.${string}` | `rules.${string}`>;

export function createApprovalHandlers(parts: ApprovalHandlerParts): Pick<Handlers, Names> {
  const { approvals, decidedBy, decisions, ledger, rules, ruleOffers, threads } = parts;

  function find(id: ApprovalId): ApprovalRow {
    const row = approvals.get(id);
    if (!row) throw new ContractError("not-found", "This approval does not exist any more.", { field: "id" });
    return row;
  }

  return {
    async "approvals.get"({ id }): Promise<ApprovalDetail> {
      const row = await decisions.refresh(find(id));
      const thread = threads.get(row.threadId);
      const diff = await parts.diffOf(row);
      const proposal = await rules.propose(row, thread);
      // The row was read and parsed, and will be counted and written.
      await giveWayAfter(row.args);
      const { args, argsSchema, value } = row;
      return fitDetail({ approval: toWholeApproval(row, thread), args, argsSchema, diff, value, proposal });
    },
    "approvals.reach": ({ id }) => parts.reachOf(find(id)),
    async "approvals.decide"(input) {
      const isBulkApprove = input.items.length > 1 && input.decision.type === "approve";
      // A bulk approve never reaches what always asks; those are looked at one by one.
      const refuse = (row: ApprovalRow) =>
        isBulkApprove && row.risk === "high" ? "High risk is decided one by one." : undefined;
      return { outcomes: await decisions.decide({ ...input, by: decidedBy, refuse }) };
    },
    "approvals.undo": ({ ids }) => ({ outcomes: decisions.undo(ids) }),
    async "approvals.confine"({ confined, ...shown }) {
      const width = confined ? await parts.confinedWidth(find(shown.id)) : "outside";
      if (width === "outside" && confined)
        throw new ContractError("conflict", "This cannot run confined here.", { field: "confined" });
      return decisions.setWidth(shown, width);
    },
    "approvals.snooze"({ id, until }) {
      approvals.snooze(find(id).id, until);
      return {};
    },
    "approvals.ledger": (filter) => ledger.list(filter),
    "approvals.ledgerEntry"({ id }) {
      const entry = ledger.get(id);
      if (!entry) throw new ContractError("not-found", "This line is not in the record.", { field: "id" });
      return entry;
    },
    "approvals.ledgerOfCalls": ({ threadId, itemIds }) => ({ entries: ledger.ofCalls(threadId, itemIds) }),
    async "approvals.exportLedger"() {
      const path = join(
        parts.dataDir,
        `ledger-${new Date(parts.now()).toISOString().replaceAll(":", "-")}.jsonl`,
      );
      const lines = function* () {
        for (const entry of ledger.all()) yield `${JSON.stringify(entry)}\n`;
      };
      await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
      return { path };
    },
    async "rules.import"(asked) {
      const imported = rules.import(asked);
      if (imported.added !== undefined && imported.added > 0) await decisions.refreshAll("tool");
      return imported;
    },
    "rules.export": (asked) => rules.export(asked),
    "rules.list": () => rules.list(),
    "rules.preview": (rule) => rules.preview(rule),
    "rules.suggest": () => rules.suggest(ruleOffers.declinedIn),
    "rules.previewConfined": async ({ workspace }) => ({
      ...(await rules.previewConfined(workspace)),
      unavailable: await parts.uncovered.problem(),
    }),
    async "rules.offer"({ id }) {
      const row = find(id);
      return { offer: await ruleOffers.find(row, threads.get(row.threadId)) };
    },
    "rules.declineOffer"({ workspace, text }) {
      ruleOffers.decline(workspace, text);
      return {};
    },
    async "rules.add"(rule) {
      const added = await rules.add(rule);
      await decisions.refreshAll("tool");
      return added;
    },
    async "rules.remove"({ id }) {
      rules.remove(id);
      await decisions.refreshAll("tool");
      return {};
    },
  };
}
