/** What one of many does, told whole in a list: no call that is decided among others is known by its name alone. */
import { type ReactNode, useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { jsonText } from "../../base/json-text.ts";
import { wordsOfWidth } from "../../base/width-words.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { manyKey } from "../seen/read-list.tsx";
import { askedWith } from "./arguments-subject.tsx";
import { OriginLines } from "./origin-lines.tsx";
import { quoted, ReadText } from "./read-text.tsx";
import { splitText } from "./split-text.ts";
import { NoDetail } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

type ListedCallProps = {
  approval: Approval;
  /** Of the list, where this is one of those that are decided: it has to be seen then. */
  listDigest?: string;
  /** What stands below it. */
  children?: ReactNode;
};

export function ListedCall({ approval, listDigest, children }: ListedCallProps) {
  const { subject, id } = approval;
  const isDecided = listDigest !== undefined;
  return (
    <li>
      <div data-piece={isDecided ? id : undefined}>
        <ExactText text={aboutApproval(approval)} runs={approval.subject.kind === "command"} />
        {subject.kind === "file" && subject.movedTo === undefined && (
          <span className="ml-2 text-sm text-ink-3">{`+${subject.added} −${subject.removed}`}</span>
        )}
        {children}
        {isDecided && <Besides approval={approval} />}
      </div>
      {isDecided && subject.kind === "arguments" && (
        <ListedArguments approval={approval} listDigest={listDigest} />
      )}
    </li>
  );
}

/** What the card of it says besides and a yes stands for as well: how far it reaches, what is said of it, what came from others. */
function Besides({ approval }: { approval: Approval }) {
  const { width, workspace, description } = approval;
  return (
    <div className="text-sm text-ink-2 empty:hidden">
      {width !== undefined && (
        <p>
          <ForeignText text={wordsOfWidth(width, workspace)} />
        </p>
      )}
      {description !== undefined && (
        <p className={quoted}>
          <ForeignText text={description} lines />
        </p>
      )}
      <OriginLines approval={approval} />
    </div>
  );
}

function ListedArguments({ approval, listDigest }: { approval: Approval; listDigest: string }) {
  const { detail, problem, reload } = useApprovalDetail(approval, true);
  const lines = useMemo(() => detail && splitText(jsonText(askedWith(approval, detail))), [approval, detail]);
  if (problem) return <NoDetail problem={problem} reload={reload} />;
  if (!lines)
    return (
      <p data-unread className="text-ink-3">
        {subjectStrings.reading}
      </p>
    );
  return <ReadText readKey={manyKey} digest={listDigest} name={`${approval.id} `} lines={lines} />;
}
