/** Cards that ask to run something a second time: after the sandbox refused it, and after a crash in the middle. */
import { Fragment } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ChangedFiles, Subject } from "../../../shared/contract/subjects.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { WidthLine } from "./subject-lines.tsx";
import { Difference, Gauged, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

type Of<Kind> = { approval: Approval; subject: Extract<Subject, { kind: Kind }> };

/** What it printed is its own words: nothing of it is taken for the console's. */
export function EscalationSubject({ approval, subject }: Of<"escalation">) {
  const { command, refused, exitCode, output, changed } = subject;
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="refused" className="font-medium text-warn">
        {subjectStrings.refusedBySandbox(exitCode)}
      </Piece>
      <Text approval={approval} text={refused.join("\n")} name="refused lines " />
      {changed && <FirstRunChanges changed={changed} />}
      <Piece name="again" className="text-sm text-ink-2">
        {subjectStrings.runSecondTime}
      </Piece>
      <Text approval={approval} text={command} runs />
      <WidthLine approval={approval} />
      {output && (
        <>
          <Piece name="known" className="text-sm text-ink-3">
            {subjectStrings.known}
          </Piece>
          <Text approval={approval} text={output} name="output " />
        </>
      )}
    </Gauged>
  );
}

export function RecoverySubject({ approval, subject }: Of<"recovery">) {
  const { change } = subject;
  const { detail, problem, reload } = useApprovalDetail(approval, change !== undefined);
  return (
    <Gauged approval={approval} digest={change ? detail?.approval.digest : approval.digest}>
      <Piece name="outcome" className="font-medium text-warn">
        {subjectStrings.unknownOutcome}
      </Piece>
      <Text approval={approval} text={subject.what} runs />
      <WidthLine approval={approval} />
      <Piece name="known" className="text-sm text-ink-3">
        {subject.output ? subjectStrings.known : subjectStrings.noOutput}
      </Piece>
      {subject.output && <Text approval={approval} text={subject.output} name="output " />}
      {change && (
        <>
          <Piece name="change" className="text-sm text-ink-3">
            {change.movedTo === undefined ? subjectStrings.runAgainChanges : subjectStrings.runAgainMoves}
          </Piece>
          <Difference approval={approval} detail={detail} problem={problem} reload={reload} />
        </>
      )}
    </Gauged>
  );
}

/** What its first run changed: the command chose these names too. */
function FirstRunChanges({ changed: { count, paths, whole } }: { changed: ChangedFiles }) {
  const more = count - paths.length;
  return (
    <Piece name="changed" className="text-sm text-ink-2">
      {subjectStrings.firstRunChanged(count, whole, paths.length > 0)}
      {paths.map((path, at) => (
        <Fragment key={path}>
          {at > 0 ? ", " : " "}
          <ExactText text={path} oneLine />
        </Fragment>
      ))}
      {paths.length > 0 && more > 0 && ` ${subjectStrings.moreParts(more)}`}
    </Piece>
  );
}
