/** Says what turning on auto-approve will do to what already waits, before it does it, and does exactly that. */
import { type ReactNode, useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { bulkStrings } from "../approvals/bulk-strings.ts";
import { digestOfMany, mayDecideAmongMany } from "../approvals/decision-gate.ts";
import { ListedCall } from "../approvals/listed-call.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { setAutoApprove, useAutoApproveQuestion } from "../threads/auto-approve.ts";
import { strings } from "../threads/strings.ts";

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
        {!preview && (
          <p role="status">
            {problem ? <ForeignText text={`${auto.noPreview} ${problem}`} /> : auto.previewing}
          </p>
        )}
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

type Preview = Output<"threads.previewAutoApprove">;

type AutoApprovePreview = {
  /** What would be approved at once, as it is shown; only these may be confirmed. */
  passes: readonly Approval[];
  stays: readonly { approval: Approval; why: string }[];
  /** Approvals came, went or changed since the host was asked. */
  outdated: boolean;
};

/** Asks the host what turning auto-approve on would do to what waits, and notices when that is not so any more. */
function useAutoApprovePreview(threadId: ThreadId): {
  preview?: AutoApprovePreview;
  problem?: string;
  reload: () => void;
} {
  const byId = useApprovals((state) => state.byId);
  const { value, problem, reload } = useReading(threadId, () =>
    client().call("threads.previewAutoApprove", { threadId }),
  );
  const preview = useMemo(() => value && joinPreview(value, threadId, byId), [value, threadId, byId]);
  return { preview, problem, reload };
}

/**
 * Joins the host's answer with the approvals as this window shows them. One that differs is not offered, and of what one
 * line does not tell in full only what was on the screen to its end is, as in every decision about many.
 */
function joinPreview(
  answer: Preview,
  threadId: ThreadId,
  byId: ReadonlyMap<string, Approval>,
): AutoApprovePreview {
  const passes: Approval[] = [];
  const stays: { approval: Approval; why: string }[] = [];
  for (const { id, digest } of answer.passes) {
    const approval = byId.get(id);
    // A shortened card has a digest of its own: it differs because it is not whole.
    if (!approval || (approval.digest !== digest && approval.leftOut === undefined)) continue;
    const why = mayDecideAmongMany(approval, "approve");
    if (why) stays.push({ approval, why: bulkStrings.whyStays[why] });
    else passes.push(approval);
  }
  const asked = stays.length + passes.length;
  for (const { id, why } of answer.stays) {
    const approval = byId.get(id);
    if (approval) stays.push({ approval, why });
  }
  const known = new Set([...passes, ...stays.map(({ approval }) => approval)].map(({ id }) => id));
  const unknown = [...byId.values()].some((one) => one.threadId === threadId && !known.has(one.id));
  const fewer = asked < answer.passes.length || stays.length + passes.length < asked + answer.stays.length;
  return { passes, stays, outdated: unknown || fewer };
}
