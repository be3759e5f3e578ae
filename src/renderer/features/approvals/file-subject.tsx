/** A file change on a card: its path, where a link or a move leads, and what the file would lose and gain. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { useQueue } from "./queue-store.ts";
import { Described } from "./subject-lines.tsx";
import { Difference, Gauged, Piece } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

type FileChange = Extract<Subject, { kind: "file" }>;

export function FileSubject({ approval, subject }: { approval: Approval; subject: FileChange }) {
  const folded = useQueue((state) => state.folded.has(approval.id));
  const { detail, problem, reload } = useApprovalDetail(approval, !folded || subject.stale);
  return (
    <Gauged approval={approval} digest={detail?.approval.digest}>
      <Piece name="path" className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{subjectStrings.operations[subject.operation]}</span>
        <ExactText text={subject.path} oneLine />
        {subject.movedTo === undefined && (
          <span className="text-sm">
            {subject.added > 0 && <span className="text-ok">+{subject.added}</span>}{" "}
            {subject.removed > 0 && <span className="text-bad">−{subject.removed}</span>}
          </span>
        )}
      </Piece>
      {subject.askedAs !== undefined && <AskedAs name="asked as" path={subject.askedAs} />}
      {subject.movedTo !== undefined && <NewPlace subject={subject} path={subject.movedTo} />}
      <Described approval={approval} />
      {subject.stale && (
        <p
          role="status"
          className="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-2 py-1 text-warn"
        >
          {subjectStrings.stale}
          <Button small onClick={reload}>
            {subjectStrings.lookAgain}
          </Button>
        </p>
      )}
      {folded ? (
        <p data-unread className="text-sm text-ink-3">
          {subjectStrings.folded}
        </p>
      ) : (
        <Difference approval={approval} detail={detail} problem={problem} reload={reload} />
      )}
    </Gauged>
  );
}

/** A link leads from there to what is shown. */
function AskedAs({ name, path }: { name: string; path: string }) {
  return (
    <Piece name={name} className="text-sm text-ink-2">
      {subjectStrings.askedAs} <ExactText text={path} oneLine />
    </Piece>
  );
}

/** Where a move brings the file; its content has no difference to show. */
function NewPlace({ subject, path }: { subject: FileChange; path: string }) {
  return (
    <>
      <Piece name="new place" className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{subjectStrings.movedTo}</span>
        <ExactText text={path} oneLine />
      </Piece>
      {subject.movedToAskedAs !== undefined && (
        <AskedAs name="new place asked as" path={subject.movedToAskedAs} />
      )}
      {!subject.stale && (
        <Piece name="kept" className="text-sm text-ink-3">
          {subjectStrings.moveKeeps}
        </Piece>
      )}
    </>
  );
}
