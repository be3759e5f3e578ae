/** What a rule would have decided so far, with examples. */
import { ExactText } from "../../ui/exact-text.tsx";
import { strings } from "./strings.ts";
import type { RulePreview } from "./use-rule-preview.ts";

type RulePreviewNoteProps = { preview?: RulePreview; problem?: string; pending: boolean };

export function RulePreviewNote({ preview, problem, pending }: RulePreviewNoteProps) {
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
          <ul className="mt-1">
            {[...new Set(preview.samples)].map((sample) => (
              <li key={sample}>
                <ExactText text={sample} oneLine />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
