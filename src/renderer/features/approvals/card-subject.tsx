/** The heart of a card: the exact command, file change, address, question or arguments that wait. */
import { useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { writeDollars } from "../../../shared/dollars.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { ArgumentsSubject, TerminalSubject } from "./arguments-subject.tsx";
import { Choices } from "./choices.tsx";
import { drawNotes } from "./command-notes.tsx";
import { FileSubject } from "./file-subject.tsx";
import { marksIn } from "./origin-marks.ts";
import { OuterSubject } from "./outer-subject.tsx";
import { placeReasons } from "./place-reasons.ts";
import { RehearsedPart } from "./rehearsed-part.tsx";
import { EscalationSubject, RecoverySubject } from "./run-again-subjects.tsx";
import { ServerPiece } from "./server-piece.tsx";
import { Described, FolderLine, GovernedLine, WidthLine } from "./subject-lines.tsx";
import { Gauged, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

export function CardSubject({ approval }: { approval: Approval }) {
  return (
    <>
      <SubjectOfKind approval={approval} />
      <GovernedLine threadId={approval.threadId} />
    </>
  );
}

function SubjectOfKind({ approval }: { approval: Approval }) {
  const { subject } = approval;
  // The list gets the whole of a shortened one in place of what it had.
  useApprovalDetail(approval, approval.leftOut !== undefined);
  switch (subject.kind) {
    case "command":
      return <CommandSubject approval={approval} subject={subject} />;
    case "file":
      return <FileSubject approval={approval} subject={subject} />;
    case "url":
      return (
        <Gauged approval={approval} digest={approval.digest}>
          <Text approval={approval} text={subject.url} marks={marksIn(approval, subject.url)} />
        </Gauged>
      );
    case "question":
      return (
        <Gauged approval={approval} digest={approval.digest}>
          <Text approval={approval} text={subject.question} prose lead />
          {subject.choices && <Choices approval={approval} choices={subject.choices} />}
          <ServerPiece approval={approval} />
        </Gauged>
      );
    case "escalation":
      return <EscalationSubject approval={approval} subject={subject} />;
    case "recovery":
      return <RecoverySubject approval={approval} subject={subject} />;
    case "spending":
      return <SpendingSubject approval={approval} subject={subject} />;
    case "terminal":
      return <TerminalSubject approval={approval} subject={subject} />;
    case "outer":
      return <OuterSubject approval={approval} subject={subject} />;
    case "arguments":
      return <ArgumentsSubject approval={approval} />;
  }
}

type Of<Kind> = { approval: Approval; subject: Extract<Subject, { kind: Kind }> };

function CommandSubject({ approval, subject }: Of<"command">) {
  const shell = useHost((store) => store.host?.commandShell);
  const notes = useMemo(() => drawNotes(placeReasons(approval)), [approval]);
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Text
        approval={approval}
        text={subject.command}
        notes={notes}
        marks={marksIn(approval, subject.command)}
      />
      <FolderLine folder={subject.cwd}>
        {/* The same words mean something else there. */}
        {shell?.kind === "powershell" && subjectStrings.readBy(shell.title)}
      </FolderLine>
      {!subject.rehearsed?.could && <WidthLine approval={approval} />}
      {subject.rehearsed && <RehearsedPart approval={approval} rehearsed={subject.rehearsed} />}
      <Described approval={approval} />
    </Gauged>
  );
}

/** Money is told in the console's own words; nothing of it comes from an agent. */
function SpendingSubject({ approval, subject }: Of<"spending">) {
  const { dollars, more, limit, nextLimit } = subject;
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="spent" className="font-medium">
        {subjectStrings.spentSoFar(writeDollars(dollars), writeDollars(limit))}
      </Piece>
      {more && (
        <Piece name="unpriced" className="text-sm text-warn">
          {subjectStrings.spentMore}
        </Piece>
      )}
      <Piece name="next" className="text-sm text-ink-2">
        {subjectStrings.spendOn(writeDollars(nextLimit))}
      </Piece>
    </Gauged>
  );
}
