/** What a rule would have decided so far, with examples. */
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { strings } from "./strings.ts";
import type { RulePreview } from "./use-rule-preview.ts";

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
