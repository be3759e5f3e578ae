/** What the subjects of all cards are drawn from: each part is known to the gauge, and what is missing says so. */
import { type ReactNode, Suspense, useLayoutEffect, useMemo, useRef } from "react";
import type { Approval, ApprovalDetail, FileDiff } from "../../../shared/contract/approvals.ts";
import { lazyPart } from "../../base/load-code.ts";
import { formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { useReadGauge } from "../seen/use-read-gauge.ts";
import type { Span } from "./mark-spans.tsx";
import type { LineNote } from "./numbered-line.tsx";
import { toggled, useQueue } from "./queue-store.ts";
import { ReadText } from "./read-text.tsx";
import { splitText } from "./split-text.ts";
import { subjectStrings } from "./subject-strings.ts";

const FileDifference = lazyPart(() => import("./file-difference.tsx"));

/** What stands in here has to be on the screen before it is approved. @param digest of what is drawn. */
export function Gauged({
  approval,
  digest,
  children,
}: {
  approval: Approval;
  digest?: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  useReadGauge(approval.id, digest, element);
  return (
    <div ref={element} data-subject className="flex min-w-0 flex-col gap-1.5">
      {children}
      {approval.leftOut !== undefined && (
        <p data-unread className="text-sm text-warn">
          {subjectStrings.missingBytes(formatBytes(approval.leftOut))}
        </p>
      )}
    </div>
  );
}

/** Stands in for what is on its way from the host; until it is there nothing can be approved. */
export function Loading({ approval: { id }, className, children }: LoadingProps) {
  // Before it is painted, so that nothing below it is drawn at a place where it does not stay.
  useLayoutEffect(() => {
    useQueue.setState(({ loading }) => ({ loading: toggled(loading, id, true) }));
    return () => useQueue.setState(({ loading }) => ({ loading: toggled(loading, id, false) }));
  }, [id]);
  return (
    <div data-unread className={className}>
      {children}
    </div>
  );
}

type LoadingProps = { approval: Approval; className: string; children?: ReactNode };

/** A line of a subject that is always drawn whole. */
export function Piece({
  name,
  children,
  className,
}: {
  name: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div data-piece={name} className={className}>
      {children}
    </div>
  );
}

type TextProps = {
  approval: Approval;
  text: string;
  prose?: boolean;
  runs?: boolean;
  lead?: boolean;
  name?: string;
  notes?: ReadonlyMap<number, LineNote>;
  marks?: readonly Span[];
};

export function Text({ approval, text, ...rest }: TextProps) {
  const lines = useMemo(() => splitText(text), [text]);
  return <ReadText readKey={approval.id} digest={approval.digest} lines={lines} {...rest} />;
}

/** What could not be fetched was not seen, and can be asked for again. */
export function NoDetail({ problem, reload }: { problem: string; reload: () => void }) {
  return (
    <p data-unread className="flex flex-wrap items-center gap-2 text-bad">
      <ForeignText text={`${subjectStrings.noDetail} ${problem}`} />
      <Button small onClick={reload}>
        {subjectStrings.lookAgain}
      </Button>
    </p>
  );
}

type DifferenceProps = { approval: Approval; detail?: ApprovalDetail; problem?: string; reload: () => void };

/** What a file would lose and gain; locked until the host told it. */
export function Difference({ approval, detail, problem, reload }: DifferenceProps) {
  if (problem) return <NoDetail problem={problem} reload={reload} />;
  if (!detail) return <Loading approval={approval} className="h-16" />;
  if (!detail.diff) return null;
  return <DrawnDifference approval={detail.approval} diff={detail.diff} />;
}

/** @param name tells it from the difference of another file on the same card. */
export function DrawnDifference({
  approval,
  diff,
  name,
}: {
  approval: Approval;
  diff: FileDiff;
  name?: string;
}) {
  return (
    <Suspense fallback={<Loading approval={approval} className="h-16" />}>
      <FileDifference readKey={approval.id} digest={approval.digest} diff={diff} name={name} />
    </Suspense>
  );
}
