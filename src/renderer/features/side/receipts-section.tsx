/** What ran in this thread without a person being asked at that moment: on auto-approve, on a rule, unattended. */
import type { LedgerEntry } from "../../../shared/contract/ledger.ts";
import { client } from "../../base/client.ts";
import { useNow } from "../../base/clock.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { formatAge } from "../../base/words.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { useConversation, useTranscript } from "../conversation/conversation-context.ts";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { Nothing, Section, SectionProblem } from "./section.tsx";
import { strings } from "./strings.ts";

const readAtOnce = 200;
const settleMs = 400;

export function ReceiptsSection() {
  const { threadId } = useConversation();
  const used = useThreads((state) => state.byId.get(threadId)?.autoApprove?.used ?? 0);
  const executions = useTranscript(countExecutions);
  const notices = useTranscript(lastReceiptNotice);
  const { value, problem, reload } = useReading(
    `${used}:${executions}`,
    () => client().call("approvals.ledger", { threadId, limit: readAtOnce }),
    settleMs,
  );
  const entries = value?.entries.filter((entry) => entry.by.kind in strings.by);
  return (
    <Section name="receipts" title={strings.receipts} remark={entries?.length || undefined} initially={false}>
      {notices && <p className="mb-2 text-sm text-ink-2">{notices}</p>}
      {problem && <SectionProblem lead={strings.receiptsFailed} problem={problem} onAgain={reload} />}
      {!problem && !entries && <Nothing>{strings.reading}</Nothing>}
      {entries?.length === 0 && <Nothing>{strings.receiptsEmpty}</Nothing>}
      {entries && entries.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {entries.map((entry) => (
            <Receipt key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Receipt({ entry }: { entry: LedgerEntry }) {
  const now = useNow(30_000);
  const args = entry.finalArgs ?? entry.originalArgs;
  const what = [args.command, args.file_path, args.path, args.url].find((one) => typeof one === "string");
  const rule = entry.verdict.units.find((unit) => unit.rule)?.reason;
  const code = entry.receipt?.exitCode;
  const words = [
    entry.by.kind in strings.by ? strings.by[entry.by.kind as keyof typeof strings.by] : "",
    entry.by.kind === "rule" && rule,
    entry.imported && strings.imported,
    typeof code === "number" && strings.exit(code),
    formatAge(entry.at, now),
  ];
  return (
    <li className="text-sm">
      <ExactText text={typeof what === "string" ? what : entry.tool} />
      <p className={code ? "text-xs text-bad" : "text-xs text-ink-3"}>{words.filter(Boolean).join(" · ")}</p>
    </li>
  );
}

function countExecutions({ items }: Transcript): number {
  let count = 0;
  for (const item of items.values()) if (item.kind === "toolCall" && item.executionId) count += 1;
  return count;
}

/** The last summing-up of the switch, such as "approved 23 for you". */
function lastReceiptNotice({ order, items }: Transcript): string | undefined {
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const item = items.get(order[index] ?? "");
    if (item?.kind === "notice" && item.approvals) return item.text;
  }
  return undefined;
}
