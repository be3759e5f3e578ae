/** The heart of a card: the exact command, file change, address, question or arguments that wait. */
import { Suspense, useEffect } from "react";
import type { Approval, Subject } from "../../../shared/contract/approvals.ts";
import { lazyPart } from "../../app/load-code.ts";
import { useHost } from "../../app/stores/host-store.ts";
import { shortenPath } from "../../app/words.ts";
import { Button } from "../../ui/button.tsx";
import { revealCharacters } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { ExactText } from "./exact-text.tsx";
import { markSeen } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { useApprovalDetail } from "./use-approval-detail.ts";

const DiffView = lazyPart(() => import("../../ui/diff-view.tsx"));
const box = "block max-h-72 overflow-y-auto rounded-md border border-line bg-sunken px-2.5 py-2";

export function CardSubject({ approval, expanded }: { approval: Approval; expanded: boolean }) {
  const { subject } = approval;
  switch (subject.kind) {
    case "command":
      return <CommandSubject subject={subject} />;
    case "file":
      return <FileSubject approval={approval} subject={subject} expanded={expanded} />;
    case "url":
      return <ExactText text={subject.url} className={box} />;
    case "question":
      return (
        <p className="text-base whitespace-pre-wrap [overflow-wrap:anywhere]">
          <RevealedText parts={revealCharacters(subject.question)} inProse />
        </p>
      );
    case "recovery":
      return <RecoverySubject subject={subject} />;
    case "arguments":
      return <ArgumentsSubject approval={approval} />;
  }
}

function CommandSubject({ subject }: { subject: Extract<Subject, { kind: "command" }> }) {
  const home = useHost((store) => store.host?.home);
  return (
    <div className="flex flex-col gap-1">
      <pre className={box} tabIndex={subject.command.length > 1_200 ? 0 : undefined}>
        <ExactText text={subject.command} />
      </pre>
      <p className="text-sm text-ink-3">
        {strings.inFolder} <ExactText text={shortenPath(subject.cwd, home)} className="text-ink-2" />
      </p>
    </div>
  );
}

type FileProps = { approval: Approval; subject: Extract<Subject, { kind: "file" }>; expanded: boolean };

function FileSubject({ approval, subject, expanded }: FileProps) {
  const { detail, problem, reload } = useApprovalDetail(approval, expanded || subject.stale);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{strings.operations[subject.operation]}</span>
        <ExactText text={subject.path} />
        <span className="text-sm">
          <span className="text-ok">+{subject.added}</span>{" "}
          <span className="text-bad">−{subject.removed}</span>
        </span>
      </p>
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
      {problem && <p className="text-bad">{`${strings.noDetail} ${problem}`}</p>}
      {expanded && detail?.diff && (
        <Suspense fallback={<div className="h-16" />}>
          <DiffView diff={detail.diff} tooLarge={strings.tooLarge} />
        </Suspense>
      )}
    </div>
  );
}

function RecoverySubject({ subject }: { subject: Extract<Subject, { kind: "recovery" }> }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-warn">{strings.unknownOutcome}</p>
      <pre className={box}>
        <ExactText text={subject.what} />
      </pre>
      <p className="text-sm text-ink-3">{subject.output ? strings.known : strings.noOutput}</p>
      {subject.output && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: output scrolls and must be reachable by keyboard
        <pre className={`${box} max-h-40`} tabIndex={0}>
          <ExactText text={subject.output} />
        </pre>
      )}
    </div>
  );
}

/** Never folded: the arguments are all there is to see of the call. */
function ArgumentsSubject({ approval }: { approval: Approval }) {
  const { detail, problem, reload } = useApprovalDetail(approval, true);
  const shown = detail && (approval.kind === "interrupt" ? (detail.value ?? detail.args) : detail.args);
  const { id } = approval;
  const digest = detail?.approval.digest;
  useEffect(() => {
    if (digest !== undefined) markSeen(id, digest);
  }, [id, digest]);
  return (
    <div className="flex flex-col gap-1">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{strings.call(approval.tool)}</span>
        {approval.description && (
          <span className="text-ink-2">
            {" — "}
            <RevealedText parts={revealCharacters(approval.description)} inProse />
          </span>
        )}
      </p>
      {problem && (
        <p className="flex flex-wrap items-center gap-2 text-bad">
          {`${strings.noDetail} ${problem}`}
          <Button small onClick={reload}>
            {strings.lookAgain}
          </Button>
        </p>
      )}
      {!detail && !problem && <p className="text-ink-3">{strings.reading}</p>}
      {detail && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long arguments scroll and must be reachable by keyboard
        <pre className={box} tabIndex={0}>
          <ExactText text={JSON.stringify(shown, null, 2)} />
        </pre>
      )}
    </div>
  );
}
