/** Answers the contract's calls about the person's rules. */
import type { ApprovalId } from "../../../shared/ids.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import type { WaitingCommand } from "../../rules/preview-past.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { findApproval } from "./approvals.ts";

/** What waits is drawn anew when a rule comes or goes. */
export function createRuleHandlers(parts: ConsoleParts): HandlersOf<"rules"> {
  const { decisions, rules, ruleOffers, unusedRules, confinedSwitch, threads } = parts;
  return {
    async "rules.import"(asked) {
      const imported = rules.import(asked);
      if (imported.added !== undefined && imported.added > 0) {
        unusedRules.note();
        await decisions.refreshAll("tool");
      }
      return imported;
    },
    "rules.export": (asked) => rules.export(asked),
    "rules.list": () => rules.list(),
    "rules.preview": (rule) => rules.preview(rule, waitingCommands(parts, rule.except)),
    "rules.suggest": () => rules.suggest(ruleOffers.declinedIn),
    "rules.previewConfined": ({ workspace }) => confinedSwitch.preview(workspace),
    "rules.offerConfined": confinedSwitch.offer,
    async "rules.declineConfined"() {
      await confinedSwitch.decline();
      return {};
    },
    async "rules.offer"({ id }) {
      const row = findApproval(parts.approvals, id);
      return { offer: await ruleOffers.find(row, threads.get(row.threadId)) };
    },
    "rules.declineOffer"({ workspace, text }) {
      ruleOffers.decline(workspace, text);
      return {};
    },
    "rules.unused": unusedRules.find,
    async "rules.removeUnused"({ ids }) {
      const removed = await unusedRules.remove(ids);
      if (removed > 0) await decisions.refreshAll("tool");
      return { removed };
    },
    async "rules.add"(rule) {
      const added = await rules.add(rule);
      unusedRules.note();
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

function waitingCommands(
  { approvals, threads }: ConsoleParts,
  except: ApprovalId | undefined,
): WaitingCommand[] {
  return approvals.pending().flatMap(({ id, kind, tool, args, threadId }) => {
    const { command } = args;
    if (id === except || kind !== "tool" || kindOf(tool) !== "command" || typeof command !== "string")
      return [];
    return [{ id, command, threadId, workspace: threads.get(threadId).workspace }];
  });
}
