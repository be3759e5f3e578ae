/** What an agent asks that acts itself: all that it says of the call, and what a yes to it means and does not mean. */
import { useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { type OuterCall, outerCallSchema } from "../../../shared/contract/outer-agents.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { wordsOfActing } from "../../base/acting-words.ts";
import { jsonText } from "../../base/json-text.ts";
import { useActing } from "../../base/stores/threads-store.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ReadText } from "./read-text.tsx";
import { splitText } from "./split-text.ts";
import { Described, FolderLine } from "./subject-lines.tsx";
import { Gauged, Loading, NoDetail, Piece } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

const words = subjectStrings.outer;

type OuterSubjectProps = { approval: Approval; subject: Extract<Subject, { kind: "outer" }> };

export function OuterSubject({ approval, subject }: OuterSubjectProps) {
  const { detail, problem, reload } = useApprovalDetail(approval, true);
  const acting = useActing(approval.threadId);
  const call = useMemo(() => detail && outerCallSchema.safeParse(detail.args).data, [detail]);
  return (
    <Gauged approval={approval} digest={detail?.approval.digest}>
      <Piece name="asker" className="[overflow-wrap:anywhere]">
        <span className="font-medium">
          <ForeignText text={subject.agent} /> {words.does[subject.does]}
        </span>
      </Piece>
      {subject.blank && (
        <Piece name="blank" className="rounded-md bg-warn-soft px-2 py-1 text-warn">
          {words.blank}
        </Piece>
      )}
      <Described approval={approval} />
      {problem && <NoDetail problem={problem} reload={reload} />}
      {!call && !problem && (
        <Loading approval={approval} className="text-ink-3">
          {subjectStrings.reading}
        </Loading>
      )}
      {detail && call && <OuterParts approval={approval} digest={detail.approval.digest} call={call} />}
      <FolderLine folder={approval.workspace} />
      <Piece name="level" className="text-sm text-ink-2">
        <ForeignText
          text={wordsOfActing({ version: acting?.version, mode: acting?.mode, level: "asking" })}
        />
      </Piece>
    </Gauged>
  );
}

type Part = { name: string; label: string; text: string };

/** Every word of the agent, each part under its name. */
function OuterParts({ approval, digest, call }: { approval: Approval; digest: string; call: OuterCall }) {
  const parts = useMemo(() => partsOf(call), [call]);
  return (
    <>
      {parts.map((part) => (
        <OuterPart key={part.name} approval={approval} digest={digest} part={part} />
      ))}
      {call.yes === undefined ? (
        <Piece name="no yes" className="text-sm text-warn">
          {words.noYes}
        </Piece>
      ) : (
        <Piece name="yes" className="text-sm text-ink-3">
          {words.yes} <ForeignText text={call.yes} />
        </Piece>
      )}
    </>
  );
}

function OuterPart({ approval, digest, part }: { approval: Approval; digest: string; part: Part }) {
  const { name, label, text } = part;
  const lines = useMemo(() => splitText(text), [text]);
  return (
    <>
      <Piece name={name} className="text-sm text-ink-3">
        <ForeignText text={label} />
      </Piece>
      <ReadText readKey={approval.id} digest={digest} lines={lines} name={`${name} `} />
    </>
  );
}

function partsOf({ title, input, places, changes, notes }: OuterCall): Part[] {
  const of = (name: string, label: string, text: string): Part[] =>
    text === "" ? [] : [{ name, label, text }];
  return [
    ...of("title", words.title, title),
    ...of("input", words.input, input === undefined ? "" : jsonText(input)),
    ...of("places", words.places, places.join("\n")),
    ...changes.map(({ path, before, after }, index) => ({
      name: `change ${index + 1}`,
      label: words.change(path),
      text: [...marked("-", before), ...marked("+", after)].join("\n") || words.nothingIn,
    })),
    ...of("notes", words.notes, notes.join("\n")),
  ];
}

/** With a mark before each line that goes or comes; an empty file has none. */
function marked(sign: string, text: string | null): string[] {
  if (text === null || text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign} ${line}`);
}
