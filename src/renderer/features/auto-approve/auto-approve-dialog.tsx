/** Says what turning on auto-approve will do to what already waits, before it does it, and does exactly that. */

import type { ReactNode } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { common } from "../../base/common-strings.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { digestOfMany } from "../approvals/decision-gate.ts";
import { ListedCall } from "../approvals/listed-call.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { setAutoApprove, useAutoApproveQuestion } from "../threads/auto-approve.ts";
import { strings } from "../threads/strings.ts";
import { useAutoApprovePreview } from "./use-auto-approve-preview.ts";

export function AutoApproveDialog() {
  const threadId = useAutoApproveQuestion((state) => state.threadId);
  return threadId && <Question key={threadId} threadId={threadId} />;
}

function Question({ threadId }: { threadId: ThreadId }) {
  const { preview, problem, reload } = useAutoApprovePreview(threadId);
  const close = () => useAutoApproveQuestion.setState({ threadId: undefined });
  const { auto } = strings;
  const passes = preview?.passes ?? [];
  const { read, onceRead } = useReadList(digestOfMany(passes));
  const confirmed = passes.map(({ id, digest }) => ({ id, digest }));
  return (
    <Dialog
      open
      onClose={close}
      title={auto.title}
      description={auto.text}
      actions={
        <>
          {passes.length > 0 && !read && <UnreadNote>{auto.unread}</UnreadNote>}
          <Button onClick={close}>{common.cancel}</Button>
          <Button onClick={() => void setAutoApprove(threadId, true)}>{auto.fromNow}</Button>
          <Button
            look="primary"
            disabled={passes.length === 0}
            locked={!read}
            onClick={() => void onceRead(() => setAutoApprove(threadId, true, confirmed))}
          >
            {auto.all(passes.length)}
          </Button>
        </>
      }
    >
      <div className="flex min-h-24 flex-col gap-3">
        {!preview && <p role="status">{problem ? `${auto.noPreview} ${problem}` : auto.previewing}</p>}
        {preview?.outdated && (
          <p
            role="status"
            className="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-2 py-1 text-warn"
          >
            {auto.outdated}
            <Button small onClick={reload}>
              {auto.lookAgain}
            </Button>
          </p>
        )}
        {passes.length > 0 && (
          <ReadList digest={digestOfMany(passes)}>
            <Part title={auto.passes(passes.length)}>
              {passes.map((approval) => (
                <Row key={approval.id} approval={approval} listDigest={digestOfMany(passes)} />
              ))}
            </Part>
          </ReadList>
        )}
        {preview && preview.stays.length > 0 && (
          <Part title={auto.stays(preview.stays.length)}>
            {preview.stays.map(({ approval, why }) => (
              <Row key={approval.id} approval={approval} why={why} />
            ))}
          </Part>
        )}
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">{title}</h3>
      <ul className="flex flex-col gap-1 rounded-md border border-line bg-sunken px-2.5 py-1.5">
        {children}
      </ul>
    </section>
  );
}

type RowProps = { approval: Approval; why?: string; listDigest?: string };

function Row({ approval, why, listDigest }: RowProps) {
  const { agentPath } = approval;
  return (
    <ListedCall approval={approval} listDigest={listDigest}>
      {agentPath.length > 0 && (
        <span className="ml-2 text-sm text-ink-3">
          <AgentPath path={agentPath} />
        </span>
      )}
      {why && (
        <p className="text-sm text-ink-2">
          <ForeignText text={why} />
        </p>
      )}
    </ListedCall>
  );
}
