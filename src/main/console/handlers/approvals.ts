/** Answers the contract's calls about approvals and the ledger. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApprovalDetail } from "../../../shared/contract/approvals.ts";
import type { DecidedBy, Width } from "../../../shared/contract/decisions.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { type ConfinedWidth, type Grant, readWidth, writeWidth } from "../../../shared/width.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import type { ApprovalStore } from "../../approvals/approval-store.ts";
import { fitDetail, toWholeApproval } from "../../approvals/approval-view.ts";
import { createFatigueMeter, findChange } from "../../approvals/fatigue.ts";
import { isRehearsed } from "../../approvals/rehearsed-card.ts";
import { giveWayAfter } from "../../base/give-way.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";

/** @returns a handler for each call about approvals and the ledger. */
export function createApprovalHandlers(parts: ConsoleParts): HandlersOf<"approvals"> {
  const { approvals, decisions, ledger, options, rules, threads } = parts;
  // What is answered in a run that nobody watches is not a person's decision.
  const decidedBy: DecidedBy = options.unattended ? { kind: "unattended" } : { kind: "person" };
  const countDecisions = createFatigueMeter(parts.database, parts.now);
  const find = (id: ApprovalId) => findApproval(approvals, id);
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
    async "approvals.fatigue"() {
      const { together, ...figures } = countDecisions();
      const { rules: offered } = await rules.suggest(parts.ruleOffers.declinedIn);
      const change = findChange(
        together,
        offered.reduce((sum, { approved }) => sum + approved, 0),
      );
      return { ...figures, ...(change && { change }) };
    },
    "approvals.reach": ({ id }) => parts.reachOf(find(id)),
    async "approvals.decide"(input, { via }) {
      const by = via && decidedBy.kind === "person" ? { ...decidedBy, via } : decidedBy;
      const items = via ? input.items.map(({ seen: _claimed, ...shown }) => shown) : input.items;
      const isBulkApprove = input.items.length > 1 && input.decision.type === "approve";
      // A bulk approve never reaches what always asks; those are looked at one by one.
      const refuse = (row: ApprovalRow) => {
        if (!isBulkApprove) return undefined;
        if (isRehearsed(row)) return "What was rehearsed is decided one by one.";
        return row.risk === "high" ? "High risk is decided one by one." : undefined;
      };
      return { outcomes: await decisions.decide({ ...input, items, by, refuse }) };
    },
    "approvals.undo": ({ ids }) => ({ outcomes: decisions.undo(ids) }),
    async "approvals.confine"({ confined, grant, ...shown }) {
      if (!confined) return decisions.setWidth(shown, "outside");
      const row = find(shown.id);
      const { width: now = "outside" } = row;
      const width = now === "outside" ? await parts.confinedWidth(row) : now;
      if (width === "outside")
        throw new ContractError("conflict", "This cannot run confined here.", { field: "confined" });
      return decisions.setWidth(shown, withGrant(width, grant));
    },
    "approvals.rehearse": ({ rehearsed, ...shown }) =>
      rehearsed ? parts.rehearsals.rehearse(shown) : parts.rehearsals.forget(shown),
    async "approvals.rehearsedDiff"({ path, ...shown }) {
      return { diff: await parts.rehearsals.differenceOf(shown, path) };
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
        options.dataDir,
        `ledger-${new Date(parts.now()).toISOString().replaceAll(":", "-")}.jsonl`,
      );
      const lines = function* () {
        for (const entry of ledger.all()) yield `${JSON.stringify(entry)}\n`;
      };
      await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
      return { path };
    },
  };
}

/** One grant at a time; what only reads has to write in its folder for a grant to be of use. @param grant `null` takes it away */
function withGrant(width: ConfinedWidth, grant: Grant | null | undefined): Width {
  const { files, ...rest } = readWidth(width);
  if (grant === undefined) return width;
  const writing = files === "none" && grant !== null ? "workspace" : files;
  return writeWidth({ ...rest, files: writing, grant: grant ?? undefined });
}

/** @throws ContractError `not-found` */
export function findApproval(approvals: Pick<ApprovalStore, "get">, id: ApprovalId): ApprovalRow {
  const row = approvals.get(id);
  if (!row) throw new ContractError("not-found", "This approval does not exist any more.", { field: "id" });
  return row;
}
