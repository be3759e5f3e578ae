/** The heart of a card: the exact command, file change, address, question with its answers, or arguments that wait. */
import { useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { describeField, type FormField } from "../../../shared/contract/form-fields.ts";
import type { Choice, Subject } from "../../../shared/contract/subjects.ts";
import { writeDollars } from "../../../shared/dollars.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { useIsRead } from "../seen/use-read-gauge.ts";
import { ArgumentsSubject, TerminalSubject } from "./arguments-subject.tsx";
import { choicesOf } from "./card-form.tsx";
import { FileSubject } from "./file-subject.tsx";
import { pressed } from "./last-press.ts";
import { marksIn } from "./mark-spans.tsx";
import type { LineNote } from "./numbered-line.tsx";
import { OuterSubject } from "./outer-subject.tsx";
import { type Note, placeReasons } from "./place-reasons.ts";
import { useQueue } from "./queue-store.ts";
import { RehearsedPart } from "./rehearsed-part.tsx";
import { ResponseFirst, ResponseSubject } from "./response-subject.tsx";
import { EscalationSubject, RecoverySubject } from "./run-again-subjects.tsx";
import { ServerPiece } from "./server-piece.tsx";
import { SetAsideSubject } from "./set-aside-subject.tsx";
import { strings } from "./strings.ts";
import { Described, FolderLine, GovernedLine, WidthLine } from "./subject-lines.tsx";
import { Gauged, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { submitChoice } from "./submit-form.ts";
import { lookOf, ReasonRow } from "./unit-chips.tsx";
import { useApprovalDetail } from "./use-approval-detail.ts";

export function CardSubject({ approval }: { approval: Approval }) {
  return (
    <>
      <SubjectOfKind approval={approval} />
      <ResponseFirst approval={approval} />
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
          {choicesOf(approval).length > 0 && <Choices approval={approval} choices={choicesOf(approval)} />}
          {subject.fields && <FormFields fields={subject.fields} />}
          <Described approval={approval} />
          <ServerPiece approval={approval} />
        </Gauged>
      );
    case "escalation":
      return <EscalationSubject approval={approval} subject={subject} />;
    case "setAside":
      return <SetAsideSubject approval={approval} subject={subject} />;
    case "response":
      return <ResponseSubject approval={approval} subject={subject} />;
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
        runs
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

/** @returns what stands beside each part of the text, by its number. */
function drawNotes(notes: readonly Note[]): ReadonlyMap<number, LineNote> {
  const beside = Map.groupBy(notes, ({ part }) => part);
  return new Map([...beside].map(([part, [worst, ...others]]) => [part, drawNote(worst as Note, others)]));
}

/** Not selected with the command, which is copied as it runs. */
function drawNote(worst: Note, others: readonly Note[]): LineNote {
  const { icon: Icon, tone, tint } = lookOf(worst.reason);
  return {
    sign: <Icon className={`size-3.5 shrink-0 ${tone}`} />,
    tone,
    tint,
    words: (
      <div
        role="note"
        aria-label={subjectStrings.whyLineAsks(worst.line)}
        className="flex flex-col gap-1 font-sans text-sm select-none"
      >
        {[worst, ...others].map(({ reason, rank, alsoOn }) => (
          <div key={rank}>
            <ReasonRow reason={reason} alone whole={false} shape={rank !== worst.rank} />
            {alsoOn.length > 0 && <p className="text-ink-3">{subjectStrings.alsoOnLines(alsoOn)}</p>}
          </div>
        ))}
      </div>
    ),
  };
}

/** What the answer has a value for, each with what may stand in it. */
function FormFields({ fields }: { fields: readonly FormField[] }) {
  return (
    <dl aria-label={subjectStrings.formFields} className="flex flex-col gap-1.5">
      {fields.map((field) => (
        <Piece key={field.name} name={`field ${field.name}`}>
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <ForeignText text={field.name} className="font-medium" />
            {field.title !== undefined && <ForeignText text={field.title} />}
          </dt>
          <dd className="text-sm text-ink-2">
            <ForeignText text={describeField(field)} />
            {field.about !== undefined && (
              <>
                {" — "}
                <ForeignText text={field.about} lines />
              </>
            )}
          </dd>
        </Piece>
      ))}
    </dl>
  );
}

type ChoicesProps = { approval: Approval; choices: readonly Choice[] };

/** The answers a question offers, as buttons: a press sends that one, as a decision of the card. */
function Choices({ approval, choices }: ChoicesProps) {
  const read = useIsRead(approval.id, approval.digest);
  const busy = useQueue((state) => state.busy.has(approval.id));
  const current = useQueue((state) => state.currentId === approval.id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are commands
    <div role="group" aria-label={strings.choices} className="flex flex-col gap-1.5">
      {choices.map(({ answer, about }, index) => (
        <button
          key={answer}
          type="button"
          data-choice
          data-piece={`choice ${index}`}
          data-locked={!read || undefined}
          disabled={busy}
          title={read ? undefined : strings.notes.unread}
          onClick={pressed((press) => void submitChoice(approval, answer, press))}
          className="flex min-h-8 min-w-0 items-baseline gap-2.5 rounded-md border border-line bg-raised px-2.5 py-1.5 text-left hover:bg-hover disabled:opacity-55 data-locked:border-dashed"
        >
          <span aria-hidden className={cx(!current && "invisible")}>
            <Kbd keys={String(index + 1)} />
          </span>
          <span className="flex min-w-0 flex-col">
            <ForeignText text={answer} className="font-medium" />
            {about !== undefined && <ForeignText text={about} className="text-sm text-ink-2" />}
          </span>
        </button>
      ))}
    </div>
  );
}
