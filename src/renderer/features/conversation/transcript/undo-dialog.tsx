/** What undo would do to the files of a turn, before anything moves; and the way forth again. */
import { useState } from "react";
import type { Output } from "../../../../shared/contract/contract.ts";
import type { ThreadId, TurnId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { useReading } from "../../../base/use-reading.ts";
import { describeError, formatClock } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ExactText } from "../../../ui/exact-text.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";

type Preview = Output<"undo.preview">;
const words = strings.undo;

type UndoDialogProps = { threadId: ThreadId; turnId: TurnId; onClose: () => void };

export function UndoDialog({ threadId, turnId, onClose }: UndoDialogProps) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const {
    value,
    problem: unread,
    again,
  } = useReading(`undo:${threadId}:${turnId}`, () => client().call("undo.preview", { threadId, turnId }));

  async function act(deed: () => Promise<{ count: number }>, done: (count: number) => string) {
    setBusy(true);
    setProblem(undefined);
    try {
      const { count } = await deed();
      showToast(done(count));
      onClose();
    } catch (error) {
      setProblem(describeError(error));
      // What is shown is what the next try is about.
      again();
    }
    setBusy(false);
  }

  const last = value?.last;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      description={words.text}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          {value && value.backCount > 0 && (
            <Button
              look="danger"
              disabled={busy}
              onClick={() =>
                void act(
                  () => client().call("undo.carryOut", { threadId, turnId, digest: value.digest }),
                  words.done,
                )
              }
            >
              {words.go(value.backCount)}
            </Button>
          )}
        </>
      }
    >
      {value ? <WhatHappens preview={value} /> : <p>{unread ? "" : words.looking}</p>}
      {last && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          {words.last(last.count, formatClock(last.at))}
          <Button
            small
            disabled={busy}
            onClick={() =>
              void act(() => client().call("undo.reverse", { threadId, id: last.id }), words.reversed)
            }
          >
            {words.reverse}
          </Button>
        </p>
      )}
      {(problem ?? unread) && (
        <p role="alert" className="text-bad">
          {problem ?? unread}
        </p>
      )}
    </Dialog>
  );
}

function WhatHappens({ preview }: { preview: Preview }) {
  const { back, backCount, stays, staysCount, partlyKnown } = preview;
  return (
    <>
      {backCount + staysCount === 0 && <p>{words.nothing}</p>}
      {backCount > 0 && (
        <FileList label={words.back} left={backCount - back.length}>
          {back.map(({ path, how }) => (
            <Line key={path} path={path} note={words.how[how]} />
          ))}
        </FileList>
      )}
      {staysCount > 0 && (
        <FileList label={words.stays} left={staysCount - stays.length}>
          {stays.map(({ path, why }) => (
            <Line key={path} path={path} note={words.why[why]} />
          ))}
        </FileList>
      )}
      {partlyKnown > 0 && <p className="text-sm text-warn">{words.partlyKnown(partlyKnown)}</p>}
    </>
  );
}

type FileListProps = { label: string; left: number; children: React.ReactNode };

function FileList({ label, left, children }: FileListProps) {
  return (
    <section className="mb-3">
      <h3 className="font-medium">{label}</h3>
      <ul aria-label={label} className="flex flex-col gap-1 text-sm">
        {children}
      </ul>
      {left > 0 && <p className="text-sm text-ink-3">{words.more(left)}</p>}
    </section>
  );
}

function Line({ path, note }: { path: string; note: string }) {
  return (
    <li>
      <ExactText text={path} /> <span className="text-ink-3">{note}</span>
    </li>
  );
}
