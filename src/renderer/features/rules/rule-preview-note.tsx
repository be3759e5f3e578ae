/** What a rule would have decided so far, with examples. */
import type { Input, Output } from "../../../shared/contract/contract.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { strings } from "./strings.ts";

type RulePreviewNoteProps = { preview?: RulePreview; problem?: string; pending: boolean };

function Commands({ list }: { list: readonly string[] }) {
  return (
    <ul className="mt-1">
      {[...new Set(list)].map((command) => (
        <li key={command}>
          <ExactText text={command} oneLine />
        </li>
      ))}
    </ul>
  );
}

/** Those that would have passed had the rule been there: whoever saves it may think that they do now. */
function Waiting({ count, ids }: NonNullable<RulePreview["waiting"]>) {
  const byId = useApprovals((state) => state.byId);
  const shown = ids.flatMap((id) => byId.get(id) ?? []);
  return (
    <section aria-label={strings.waiting} className="mt-2">
      <p>{strings.waits(count)}</p>
      <ul className="mt-1">
        {shown.map((approval) => (
          <li key={approval.id}>
            <ExactText text={aboutApproval(approval)} oneLine />
          </li>
        ))}
      </ul>
      {count > shown.length && <p>{strings.moreWait(count - shown.length)}</p>}
    </section>
  );
}

export function RulePreviewNote({ preview, problem, pending }: RulePreviewNoteProps) {
  const others = preview?.samples.filter((sample) => !preview.rejected.includes(sample)) ?? [];
  return (
    <div role="status" className="min-h-6 text-ink-2">
      {pending && <p>{strings.previewing}</p>}
      {problem && (
        <p className="text-bad">
          {strings.previewFailed} <ForeignText text={problem} lines />
        </p>
      )}
      {preview?.ok && (
        <>
          <p className={preview.ofWhichRejected > 0 ? "font-medium text-warn" : undefined}>
            {strings.would(preview.wouldApprove, preview.ofWhichRejected)}
          </p>
          {preview.rejected.length > 0 && (
            <>
              <p className="mt-1">{strings.rejectedOnes(preview.rejected.length, preview.ofWhichRejected)}</p>
              <Commands list={preview.rejected} />
              {others.length > 0 && <p className="mt-1">{strings.others}</p>}
            </>
          )}
          <Commands list={others} />
          {preview.waiting && <Waiting {...preview.waiting} />}
        </>
      )}
    </div>
  );
}

type RulePreview = Output<"rules.preview">;

const pauseMs = 250;

/** @returns `pending` until the answer for exactly this rule is there; `problem` when there is none. */
export function useRulePreview(rule: Input<"rules.preview"> | undefined): {
  preview?: RulePreview;
  problem?: string;
  pending: boolean;
} {
  const { value, problem, busy } = useReading(
    rule && JSON.stringify(rule),
    async () => rule && client().call("rules.preview", rule),
    pauseMs,
  );
  return rule && !busy ? { preview: value, problem, pending: false } : { pending: rule !== undefined };
}
