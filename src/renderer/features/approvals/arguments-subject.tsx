/** Calls that are shown by all their arguments: those of a server's tools, and of an agent in a terminal. */
import { useMemo } from "react";
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { jsonText } from "../../base/json-text.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { marksInJson } from "./mark-spans.tsx";
import { ReadText } from "./read-text.tsx";
import { ServerPiece } from "./server-piece.tsx";
import { splitText } from "./split-text.ts";
import { strings } from "./strings.ts";
import { FolderLine } from "./subject-lines.tsx";
import { Gauged, Loading, NoDetail, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

type TerminalSubjectProps = { approval: Approval; subject: Extract<Subject, { kind: "terminal" }> };

/** What an agent in a terminal does by itself: what a yes means there, and what nobody here promises about it. */
export function TerminalSubject({ approval, subject }: TerminalSubjectProps) {
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
      <FolderLine folder={cwd} />
      <AllArguments approval={approval} asked={asked} />
      <Piece name="promise" className="text-sm text-ink-2">
        {strings.terminal.promise(agent)}
      </Piece>
    </Gauged>
  );
}

/** Never folded: the arguments are all there is to see of the call. */
export function ArgumentsSubject({ approval }: { approval: Approval }) {
  const asked = useApprovalDetail(approval, true);
  return (
    <Gauged approval={approval} digest={asked.detail?.approval.digest}>
      <Piece name="tool" className="[overflow-wrap:anywhere]">
        <span className="font-medium">
          {subjectStrings.call} <ForeignText text={approval.tool} />
        </span>
        {approval.description && (
          <span className="text-ink-2">
            {" — "}
            <ForeignText text={approval.description} />
          </span>
        )}
      </Piece>
      <AllArguments approval={approval} asked={asked} />
      <ServerPiece approval={approval} />
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
        {subjectStrings.reading}
      </Loading>
    );
  return <ReadText readKey={approval.id} digest={detail.approval.digest} lines={lines} marks={marks} />;
}

/** What a card of arguments shows: what the graph asks with, or the arguments of the call. */
export function askedWith(approval: Approval, detail: ApprovalDetail): unknown {
  return approval.kind === "interrupt" ? (detail.value ?? detail.args) : detail.args;
}
