/** The files that the thread changed, each with what happened to it, its difference and its way back. */
import { Suspense, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { client } from "../../base/client.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useReading } from "../../base/use-reading.ts";
import { attempt } from "../../ui/attempt.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useConversation, useTranscript } from "../conversation/conversation-context.ts";
import { useOpen } from "../conversation/transcript/open-state.ts";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { openInEditor, showInFolder } from "../threads/open-outside.ts";
import { strings as threadStrings } from "../threads/strings.ts";
import { Nothing, Section, SectionProblem } from "./section.tsx";
import { strings } from "./strings.ts";

const settleMs = 300;

export function FilesSection() {
  const { threadId } = useConversation();
  const effects = useTranscript(countEffects);
  const [reverts, setReverts] = useState(0);
  const key = `${effects}:${reverts}`;
  const { value, problem, reload } = useReading(
    key,
    () => client().call("files.changed", { threadId }),
    settleMs,
  );
  return (
    <Section name="files" title={strings.files} remark={value ? value.files.length : undefined}>
      {problem ? (
        <SectionProblem lead={strings.filesFailed} problem={problem} onAgain={reload} />
      ) : (
        <Files found={value} version={key} onReverted={() => setReverts((count) => count + 1)} />
      )}
    </Section>
  );
}

type FilesProps = { found: Output<"files.changed"> | undefined; version: string; onReverted: () => void };

function Files({ found, version, onReverted }: FilesProps) {
  if (!found) return <Nothing>{strings.reading}</Nothing>;
  const { files, incomplete } = found;
  return (
    <div className="flex flex-col gap-1">
      {incomplete && <Nothing>{strings.filesIncomplete}</Nothing>}
      {files.length === 0 && !incomplete && <Nothing>{strings.filesEmpty}</Nothing>}
      <ul className="flex flex-col gap-1">
        {files.map((file) => (
          <FileRow key={file.path} file={file} version={version} onReverted={onReverted} />
        ))}
      </ul>
    </div>
  );
}

/** Grows with every call that ended and may have changed a file. */
function countEffects({ items }: Transcript): number {
  let count = 0;
  for (const item of items.values()) {
    if (item.kind !== "toolCall" || item.state !== "finished") continue;
    const kind = kindOf(item.tool);
    if (kind === "command" || kind === "change" || item.receipt) count += 1;
  }
  return count;
}

export type ChangedFile = Output<"files.changed">["files"][number];

const DiffView = lazyPart(() => import("../../ui/diff-view.tsx"));
const tones = { added: "info", changed: "neutral", deleted: "bad", moved: "info" } as const;

type FileRowProps = { file: ChangedFile; version: string; onReverted: () => void };

function FileRow({ file, version, onReverted }: FileRowProps) {
  const { threadId } = useConversation();
  const [open, setOpen] = useOpen(`file:${threadId}:${file.path}`, false);
  const [asking, setAsking] = useState(false);
  const isSame = file.state === "moved" && file.added + file.removed === 0;
  return (
    <li className="rounded-md border border-line bg-raised">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="cursor-pointer px-2 py-1 text-sm">
          <ExactText text={file.path} /> <Badge tone={tones[file.state]}>{strings.states[file.state]}</Badge>{" "}
          {file.movedFrom !== undefined && (
            <span className="text-xs text-ink-3">
              {strings.movedFrom} <ExactText text={file.movedFrom} />{" "}
            </span>
          )}
          {file.putBack !== "not-kept" && !isSame && (
            <span className="text-xs whitespace-nowrap text-ink-3">
              {strings.lines(file.added, file.removed)}
            </span>
          )}
          {file.byCommand && (
            <span className="text-xs text-ink-3" title={strings.byCommandHint}>
              {file.putBack === "not-kept" ? " " : " · "}
              {strings.byCommand}
            </span>
          )}
        </summary>
        {open && (
          <div className="flex flex-col gap-2 px-2 pb-2">
            {file.putBack !== "not-kept" && !isSame && <FileDiff path={file.path} version={version} />}
            <div className="flex flex-wrap gap-1">
              {file.putBack === "possible" && (
                <Button small onClick={() => setAsking(true)}>
                  {strings.revert}
                </Button>
              )}
              {file.state !== "deleted" && (
                <>
                  <Button small look="quiet" onClick={() => void openInEditor(threadId, file.path)}>
                    {threadStrings.openInEditor}
                  </Button>
                  <Button small look="quiet" onClick={() => void showInFolder(threadId, file.path)}>
                    {threadStrings.showInFolder}
                  </Button>
                </>
              )}
            </div>
            {file.putBack !== "possible" && <Nothing>{whyNot(file)}</Nothing>}
          </div>
        )}
      </details>
      {asking && <RevertDialog file={file} onClose={() => setAsking(false)} onReverted={onReverted} />}
    </li>
  );
}

function whyNot({ putBack, byCommand }: ChangedFile): string {
  if (putBack === "not-kept") return byCommand ? strings.notKeptByCommand : strings.notKept;
  return putBack === "unreadable" ? strings.unreadable : strings.changedSince;
}

function FileDiff({ path, version }: { path: string; version: string }) {
  const { threadId } = useConversation();
  const { value, problem } = useReading(`${path}:${version}`, () =>
    client().call("files.diff", { threadId, path }),
  );
  if (problem) return <ProblemText className="text-sm" lead={strings.diffFailed} problem={problem} />;
  if (!value) return <Nothing>{strings.reading}</Nothing>;
  return (
    <Suspense fallback={<Nothing>{strings.reading}</Nothing>}>
      <DiffView diff={value} tooLarge={strings.tooLarge} />
    </Suspense>
  );
}

type RevertDialogProps = { file: ChangedFile; onClose: () => void; onReverted: () => void };

function RevertDialog({ file, onClose, onReverted }: RevertDialogProps) {
  const { threadId } = useConversation();
  async function revert() {
    onClose();
    await attempt(async () => {
      await client().call("files.revert", { threadId, path: file.path });
      showToast(strings.reverted(file.path));
    }, strings.revertFailed);
    onReverted();
  }
  return (
    <ConfirmDialog
      title={strings.revertTitle(file.path)}
      description={
        file.byCommand
          ? `${strings.revertText[file.state]} ${strings.revertByCommand}`
          : strings.revertText[file.state]
      }
      confirm={strings.revertGo}
      onConfirm={revert}
      onClose={onClose}
    />
  );
}
