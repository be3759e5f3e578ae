/** What undo would do to files and conversation from a message or a call on, before anything moves; and the way forth again. */
import type { Output } from "../../../../shared/contract/contract.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { useAct } from "../../../base/use-act.ts";
import { useReading } from "../../../base/use-reading.ts";
import { formatClock } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ExactText } from "../../../ui/exact-text.tsx";
import { ProblemText } from "../../../ui/problem-text.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";

type Preview = Output<"undo.preview">;
const words = strings.undo;

type Done = Output<"undo.carryOut">;
type UndoPart = keyof typeof words.go;

type UndoDialogProps = {
  threadId: ThreadId;
  turnId: TurnId;
  /** Files from this call on; without it from the turn's message on. */
  executionId?: ExecutionId;
  onClose: () => void;
  onTakenBack?: (done: Done) => void;
};

export function UndoDialog({ threadId, turnId, executionId, onClose, onTakenBack }: UndoDialogProps) {
  const place = { threadId, turnId, ...(executionId && { executionId }) };
  const {
    value,
    problem: unread,
    reload,
  } = useReading(`undo:${threadId}:${turnId}:${executionId ?? ""}`, () =>
    client().call("undo.preview", place),
  );
  // What is shown is what the next try is about, so it is read again after one that failed.
  const { busy, problem, act } = useAct(reload);
  const failure = problem ?? unread;

  async function doAndClose(deed: () => Promise<Done>, say: typeof words.done): Promise<Done | undefined> {
    const done = await act(deed);
    if (done === undefined) return undefined;
    showToast(say(done.messages, done.files));
    onClose();
    return done;
  }
  async function carryOut(part: UndoPart, digest: string) {
    const input = { ...place, part, digest };
    const done = await doAndClose(() => client().call("undo.carryOut", input), words.done);
    if (done) onTakenBack?.(done);
  }
  const reverse = (id: string) =>
    void doAndClose(() => client().call("undo.reverse", { threadId, id }), words.reversed);

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      description={executionId ? words.textCall : words.text}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          {value &&
            partsOf(value).map((part, index, all) => (
              <Button
                key={part}
                look={index === all.length - 1 ? "danger" : undefined}
                disabled={busy}
                onClick={() => void carryOut(part, value.digest)}
              >
                {words.go[part](value.backCount, messagesOf(value) ?? 0)}
              </Button>
            ))}
        </>
      }
    >
      {value && <WhatHappens preview={value} isCall={executionId !== undefined} />}
      {!value && !unread && <p>{words.looking}</p>}
      {value?.last && <Last last={value.last} busy={busy} onReverse={reverse} />}
      {failure && <ProblemText problem={failure} />}
    </Dialog>
  );
}

type LastProps = { last: NonNullable<Preview["last"]>; busy: boolean; onReverse: (id: string) => void };

function Last({ last, busy, onReverse }: LastProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      {words.last(last.messages, last.files, formatClock(last.at))}
      {last.wentOn ? (
        <span className="text-ink-2">{words.wentOn}</span>
      ) : (
        <Button small disabled={busy} onClick={() => onReverse(last.id)}>
          {words.reverse}
        </Button>
      )}
    </p>
  );
}

function messagesOf({ conversation }: Preview): number | undefined {
  return "messages" in conversation ? conversation.messages : undefined;
}

/** What can be undone; the most stands last. */
function partsOf(preview: Preview): UndoPart[] {
  const files = preview.backCount > 0;
  const conversation = messagesOf(preview) !== undefined;
  if (files && conversation) return ["files", "conversation", "both"];
  return files ? ["files"] : conversation ? ["conversation"] : [];
}

function WhatHappens({ preview, isCall }: { preview: Preview; isCall: boolean }) {
  const { back, backCount, stays, staysCount, partlyKnown, conversation } = preview;
  return (
    <>
      {backCount + staysCount === 0 && <p className="mb-3">{words.nothing}</p>}
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
      {partlyKnown > 0 && <p className="mb-3 text-sm text-warn">{words.partlyKnown(partlyKnown)}</p>}
      <p className="mb-3 text-sm text-ink-3">{words.unseen}</p>
      <section aria-label={words.conversation} className="mb-3">
        <h3 className="font-medium">{words.conversation}</h3>
        <p className="text-sm">
          {"messages" in conversation ? words.forgets(conversation.messages) : words.keeps[conversation.why]}
          {isCall && "messages" in conversation && ` ${words.forgetsTurn}`}
        </p>
      </section>
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
