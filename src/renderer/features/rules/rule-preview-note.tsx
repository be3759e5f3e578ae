/** What a rule would have decided so far, with examples. */
import { ExactText } from "../../ui/exact-text.tsx";
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

export function RulePreviewNote({ preview, problem, pending }: RulePreviewNoteProps) {
  const others = preview?.samples.filter((sample) => !preview.rejected.includes(sample)) ?? [];
  return (
    <div role="status" className="min-h-6 text-ink-2">
      {pending && <p>{strings.previewing}</p>}
      {problem && (
        <p className="text-bad">
          {strings.previewFailed} {problem}
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
        </>
      )}
    </div>
  );
}
