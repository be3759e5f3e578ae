/** The heart of a card: the exact command, file change, address, question or arguments that wait. */
import { Lock, LockOpen } from "lucide-react";
import { useMemo } from "react";
import type { Approval, ApprovalDetail, Subject } from "../../../shared/contract/approvals.ts";
import { writeDollars } from "../../../shared/dollars.ts";
import { jsonText } from "../../base/json-text.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { wordsOfWidth } from "../../base/width-words.ts";
import { shortenPath } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Choices } from "./choices.tsx";
import { drawNotes } from "./command-notes.tsx";
import { FirstRunChanges } from "./first-run-changes.tsx";
import { marksIn, marksInJson } from "./origin-marks.ts";
import { OuterSubject } from "./outer-subject.tsx";
import { placeReasons } from "./place-reasons.ts";
import { useQueue } from "./queue-store.ts";
import { quoted, ReadText } from "./read-text.tsx";
import { splitText } from "./split-text.ts";
import { strings } from "./strings.ts";
import { Difference, Gauged, Loading, NoDetail, Piece, Text } from "./subject-parts.tsx";
import { useApprovalDetail } from "./use-approval-detail.ts";

export function CardSubject({ approval }: { approval: Approval }) {
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
          <Text approval={approval} text={subject.question} prose />
          {subject.choices && <Choices approval={approval} choices={subject.choices} />}
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
  const home = useHost((store) => store.host?.home);
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
      <Piece name="folder" className="text-sm text-ink-3">
        {strings.inFolder} <ExactText text={shortenPath(subject.cwd, home)} oneLine className="text-ink-2" />
        {/* The same words mean something else there. */}
        {shell?.kind === "powershell" && strings.readBy(shell.title)}
      </Piece>
      <WidthLine approval={approval} />
      <Described approval={approval} />
    </Gauged>
  );
}

/** How far the command may reach: a yes starts it with this and nothing else. */
function WidthLine({ approval: { width, workspace } }: { approval: Approval }) {
  if (width === undefined) return null;
  const Icon = width === "outside" ? LockOpen : Lock;
  return (
    <Piece name="width" className="flex items-baseline gap-1.5 text-sm text-ink-2">
      <Icon aria-hidden className="size-3.5 shrink-0 translate-y-0.5" />
      <ForeignText text={wordsOfWidth(width, workspace)} />
    </Piece>
  );
}

/** What the agent's configuration or the host has to say about this one. */
function Described({ approval: { description } }: { approval: Approval }) {
  if (description === undefined) return null;
  return (
    <Piece name="described" className={cx(quoted, "text-sm text-ink-2")}>
      <ForeignText text={description} lines />
    </Piece>
  );
}

function FileSubject({ approval, subject }: Of<"file">) {
  const folded = useQueue((state) => state.folded.has(approval.id));
  const { detail, problem, reload } = useApprovalDetail(approval, !folded || subject.stale);
  return (
    <Gauged approval={approval} digest={detail?.approval.digest}>
      <Piece name="path" className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{strings.operations[subject.operation]}</span>
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
          {strings.stale}
          <Button small onClick={reload}>
            {strings.lookAgain}
          </Button>
        </p>
      )}
      {folded ? (
        <p data-unread className="text-sm text-ink-3">
          {strings.folded}
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
      {strings.askedAs} <ExactText text={path} oneLine />
    </Piece>
  );
}

/** Where a move brings the file; its content has no difference to show. */
function NewPlace({ subject, path }: { subject: Of<"file">["subject"]; path: string }) {
  return (
    <>
      <Piece name="new place" className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{strings.movedTo}</span>
        <ExactText text={path} oneLine />
      </Piece>
      {subject.movedToAskedAs !== undefined && (
        <AskedAs name="new place asked as" path={subject.movedToAskedAs} />
      )}
      {!subject.stale && (
        <Piece name="kept" className="text-sm text-ink-3">
          {strings.moveKeeps}
        </Piece>
      )}
    </>
  );
}

/** What it printed is its own words: nothing of it is taken for the console's. */
function EscalationSubject({ approval, subject }: Of<"escalation">) {
  const { command, refused, exitCode, output, changed } = subject;
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="refused" className="font-medium text-warn">
        {strings.refusedBySandbox(exitCode)}
      </Piece>
      <Text approval={approval} text={refused.join("\n")} name="refused lines " />
      {changed && <FirstRunChanges changed={changed} />}
      <Piece name="again" className="text-sm text-ink-2">
        {strings.runSecondTime}
      </Piece>
      <Text approval={approval} text={command} />
      <WidthLine approval={approval} />
      {output && (
        <>
          <Piece name="known" className="text-sm text-ink-3">
            {strings.known}
          </Piece>
          <Text approval={approval} text={output} name="output " />
        </>
      )}
    </Gauged>
  );
}

function RecoverySubject({ approval, subject }: Of<"recovery">) {
  const { change } = subject;
  const { detail, problem, reload } = useApprovalDetail(approval, change !== undefined);
  return (
    <Gauged approval={approval} digest={change ? detail?.approval.digest : approval.digest}>
      <Piece name="outcome" className="font-medium text-warn">
        {strings.unknownOutcome}
      </Piece>
      <Text approval={approval} text={subject.what} />
      <WidthLine approval={approval} />
      <Piece name="known" className="text-sm text-ink-3">
        {subject.output ? strings.known : strings.noOutput}
      </Piece>
      {subject.output && <Text approval={approval} text={subject.output} name="output " />}
      {change && (
        <>
          <Piece name="change" className="text-sm text-ink-3">
            {change.movedTo === undefined ? strings.runAgainChanges : strings.runAgainMoves}
          </Piece>
          <Difference approval={approval} detail={detail} problem={problem} reload={reload} />
        </>
      )}
    </Gauged>
  );
}

/** Money is told in the console's own words; nothing of it comes from an agent. */
function SpendingSubject({ approval, subject }: Of<"spending">) {
  const { dollars, more, limit, nextLimit } = subject;
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="spent" className="font-medium">
        {strings.spentSoFar(writeDollars(dollars), writeDollars(limit))}
      </Piece>
      {more && (
        <Piece name="unpriced" className="text-sm text-warn">
          {strings.spentMore}
        </Piece>
      )}
      <Piece name="next" className="text-sm text-ink-2">
        {strings.spendOn(writeDollars(nextLimit))}
      </Piece>
    </Gauged>
  );
}

/** What an agent in a terminal does by itself: what a yes means there, and what nobody here promises about it. */
function TerminalSubject({ approval, subject }: Of<"terminal">) {
  const home = useHost((store) => store.host?.home);
  const asked = useApprovalDetail(approval, true);
  const { agent, cwd, about, gone } = subject;
  return (
    <Gauged approval={approval} digest={asked.detail?.approval.digest}>
      {gone && (
        <Piece name="gone" className="rounded-md bg-warn-soft px-2 py-1 text-warn">
          {strings.terminal.gone(agent)}
        </Piece>
      )}
      <Piece name="tool" className="[overflow-wrap:anywhere]">
        <span className="font-medium">
          <ForeignText text={approval.tool} />
        </span>
      </Piece>
      {about !== undefined && <Text approval={approval} text={about} name="about " />}
      <Piece name="folder" className="text-sm text-ink-3">
        {strings.inFolder} <ExactText text={shortenPath(cwd, home)} oneLine className="text-ink-2" />
      </Piece>
      <AllArguments approval={approval} asked={asked} />
      <Piece name="promise" className="text-sm text-ink-2">
        {strings.terminal.promise(agent)}
      </Piece>
    </Gauged>
  );
}

/** Never folded: the arguments are all there is to see of the call. */
function ArgumentsSubject({ approval }: { approval: Approval }) {
  const asked = useApprovalDetail(approval, true);
  return (
    <Gauged approval={approval} digest={asked.detail?.approval.digest}>
      <Piece name="tool" className="[overflow-wrap:anywhere]">
        <span className="font-medium">
          {strings.call} <ForeignText text={approval.tool} />
        </span>
        {approval.description && (
          <span className="text-ink-2">
            {" — "}
            <ForeignText text={approval.description} />
          </span>
        )}
      </Piece>
      <AllArguments approval={approval} asked={asked} />
    </Gauged>
  );
}

type Asked = ReturnType<typeof useApprovalDetail>;

function AllArguments({ approval, asked }: { approval: Approval; asked: Asked }) {
  const { detail, problem, reload } = asked;
  const text = useMemo(() => detail && jsonText(askedWith(approval, detail)), [approval, detail]);
  const lines = useMemo(() => (text === undefined ? undefined : splitText(text)), [text]);
  const marks = useMemo(() => marksInJson(approval, text ?? ""), [approval, text]);
  if (problem) return <NoDetail problem={problem} reload={reload} />;
  if (!detail || !lines)
    return (
      <Loading approval={approval} className="text-ink-3">
        {strings.reading}
      </Loading>
    );
  return <ReadText readKey={approval.id} digest={detail.approval.digest} lines={lines} marks={marks} />;
}

function askedWith(approval: Approval, detail: ApprovalDetail): unknown {
  return approval.kind === "interrupt" ? (detail.value ?? detail.args) : detail.args;
}
