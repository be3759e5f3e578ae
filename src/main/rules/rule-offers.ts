/** Offers a rule for what a person decided alike a few times, from their decisions alone and never against one of them. */
import type Database from "better-sqlite3";
import type { RuleOffer } from "../../shared/contract/rules.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { RuleBook } from "./rule-book.ts";

export type RuleOffers = {
  /** @returns nothing where no rule may answer, where too little was decided, and where the person declined it. */
  find(row: ApprovalRow, thread: ThreadRow): Promise<RuleOffer | undefined>;
  /** For good. */
  decline(workspace: string, text: string): void;
  /** What was declined in a folder. */
  declinedIn(workspace: string): readonly string[];
};

/** One decision is none, two are chance. */
const enough = 3;

/** @param database holds what was decided, and what was declined. */
export function createRuleOffers(
  database: Database.Database,
  rules: Pick<RuleBook, "propose" | "preview">,
): RuleOffers {
  // Cheap, and enough to know that most cards get no offer; the rest is judged.
  const decidedAlike = database.prepare(
    `SELECT count(*) FILTER (WHERE decision ->> '$.type' = 'approve') AS approved,
       count(*) FILTER (WHERE decision ->> '$.type' <> 'approve') AS otherwise
     FROM approvals WHERE shape = ? AND shape <> '' AND cwd = ? AND kind = 'tool' AND status = 'decided' AND decided_by ->> '$.kind' = 'person'`,
  );
  const isDeclined = database
    .prepare("SELECT 1 FROM declined_offers WHERE workspace = ? AND text = ?")
    .pluck();
  const declined = database.prepare("SELECT text FROM declined_offers WHERE workspace = ?").pluck();
  const insert = database.prepare("INSERT OR IGNORE INTO declined_offers (workspace, text) VALUES (?, ?)");

  return {
    async find(row, thread) {
      if (!mayBeRuled(row)) return undefined;
      const alike = decidedAlike.get(row.shape, row.cwd) as { approved: number; otherwise: number };
      if (alike.approved < enough || alike.otherwise > 0) return undefined;
      const proposal = await rules.propose(row, thread);
      const text = proposal?.rule;
      const { workspace } = thread;
      if (text === undefined || isDeclined.get(workspace, text)) return undefined;
      const rule = {
        text,
        exact: proposal?.exact,
        effect: "allow",
        scope: "workspace",
        target: "command",
      } as const;
      const { ok, wouldApprove: approved, ofWhichRejected } = await rules.preview({ ...rule, workspace }, []);
      return ok && approved >= enough && ofWhichRejected === 0 ? { text, approved } : undefined;
    },
    declinedIn: (workspace) => declined.all(workspace) as string[],
    decline: (workspace, text) => void insert.run(workspace, text),
  };
}

/** Only what asks because nothing covers it yet; what leaves the machine or cannot be undone is never offered. */
function mayBeRuled({ status, kind, shape, risk, verdict: { verdict, units } }: ApprovalRow): boolean {
  if (status !== "pending" || kind !== "tool" || shape === "" || risk === "high") return false;
  return verdict === "new" && units.every((unit) => unit.class === undefined);
}
