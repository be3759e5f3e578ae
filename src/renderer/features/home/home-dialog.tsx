/** What a thread's worktree would bring home and the ways to do that. Until one is chosen nothing moves. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ConflictSide } from "../../../shared/contract/home.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { formatClock } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { type Answers, HomeConflicts } from "./home-conflicts.tsx";
import { HomeFiles } from "./home-files.tsx";
import { firstOpen, HomeWays, isOpenWay, type WayChoice } from "./home-ways.tsx";
import { strings } from "./strings.ts";

type Preview = Output<"home.preview">;

export function HomeDialog({ id, onClose }: { id: ThreadId; onClose: () => void }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const home = useHome(id, onClose);
  const { value, way, message } = home;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={strings.title(title || strings.untitled)}
      description={value && <Sides preview={value} />}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          {value && way && (
            <Button look="strong" disabled={home.isStuck} onClick={() => void home.carryOut(value, way)}>
              {way === "pullRequest" ? strings.pullRequest.go : strings.ways[way].go}
            </Button>
          )}
        </>
      }
    >
      {!value && !home.unread && <p role="status">{strings.looking}</p>}
      {value && (
        <div className="flex flex-col gap-4">
          {value.last && <Last last={value.last} busy={home.busy} onUndo={home.undoLast} />}
          <HomeFiles threadId={id} preview={value} onChanged={home.reload} />
          <HomeConflicts
            threadId={id}
            conflicts={value.conflicts}
            answers={home.answers}
            digest={value.digest}
            onAnswer={home.answer}
          />
          <HomeWays preview={value} chosen={way} onChoose={home.choose} />
          {home.needsMessage && (
            <div className="flex flex-col gap-1">
              <TextArea
                label={strings.message}
                value={message}
                maxLength={10_000}
                problem={message.trim() === "" ? strings.messageMissing : undefined}
                onChange={(event) => home.write(event.target.value)}
              />
              <p className="text-sm text-ink-2">{strings.unsigned}</p>
            </div>
          )}
        </div>
      )}
      <Problem problem={home.problem} unread={home.unread} onLookAgain={home.lookAgain} />
    </Dialog>
  );
}

type ProblemProps = { problem: string | undefined; unread: string | undefined; onLookAgain: () => void };

function Problem({ problem, unread, onLookAgain }: ProblemProps) {
  const text = problem ?? unread;
  if (text === undefined) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <ProblemText lead={problem ? undefined : strings.failed} problem={text} />
      <Button small onClick={onLookAgain}>
        {strings.again}
      </Button>
    </div>
  );
}

function Sides({ preview }: { preview: Preview }) {
  const { branch, target, folder, ahead, behind, uncommitted } = preview;
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      {strings.from} <ExactText text={branch ?? strings.noBranch} oneLine /> {strings.to}{" "}
      <ExactText text={target ?? strings.noBranch} oneLine /> {strings.inFolder}{" "}
      <ExactText text={folder} oneLine />: {strings.apart(ahead, behind, uncommitted)}.
    </p>
  );
}

type LastProps = {
  last: NonNullable<Preview["last"]>;
  busy: boolean;
  onUndo: (last: NonNullable<Preview["last"]>) => void;
};

function Last({ last, busy, onUndo }: LastProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      {strings.last(last.way, last.files, formatClock(last.at))}
      <Button small disabled={busy} onClick={() => void onUndo(last)}>
        {strings.undoLast}
      </Button>
    </p>
  );
}

/** What would be brought home, what a person chose and wrote, and doing it. */
function useHome(id: ThreadId, onClose: () => void) {
  const [answers, setAnswers] = useState<Answers>(new Map());
  const given = [...answers].map(([path, side]) => ({ path, side }));
  // What was answered before stays on the screen while the next answer is on its way.
  const reading = useReading(`home:${id}:${JSON.stringify(given)}`, () =>
    client().call("home.preview", { threadId: id, answers: given }),
  );
  const { value, reload } = reading;
  const answer = (path: string, side: ConflictSide) => setAnswers(new Map(answers).set(path, side));
  const [chosen, choose] = useState<WayChoice>();
  const [written, write] = useState<string>();
  // What is shown is what the next try is about, so it is read again after one that failed.
  const { busy, problem, setProblem, act } = useAct(reload);
  const lookAgain = () => {
    setProblem(undefined);
    reload();
  };
  const way = chosen ?? (value && firstOpen(value));
  const message = written ?? value?.message ?? "";
  const isOpen = value !== undefined && way !== undefined && isOpenWay(value, way);
  const needsMessage = isOpen && value.uncommitted > 0 && way !== "patch" && way !== "pullRequest";

  async function carryOut({ digest, pullRequest }: Preview, what: WayChoice) {
    if (what === "pullRequest") {
      if ("command" in pullRequest) await askForPullRequest(pullRequest.command);
      return;
    }
    const input = { threadId: id, way: what, digest, message: message.trim(), answers: given };
    const done = await act(() => client().call("home.bring", input));
    if (done === undefined) return;
    showToast(strings.done[what](done.files));
    onClose();
  }
  async function askForPullRequest(command: string) {
    const text = strings.pullRequest.message(command);
    const input = { commandId: newCommandId(), threadId: id, text };
    if ((await act(() => client().call("threads.send", input))) === undefined) return;
    showToast(strings.pullRequest.sent);
    onClose();
    go({ view: "thread", id });
  }
  async function undoLast(last: NonNullable<Preview["last"]>) {
    const undone = await act(() => client().call("undo.reverse", { threadId: id, id: last.id }));
    if (undone === undefined) return;
    showToast(strings.lastUndone);
    reload();
  }

  const isStuck = busy || reading.busy || !isOpen || (needsMessage && message.trim() === "");
  return {
    ...{ value, unread: reading.problem, reload, busy, problem, lookAgain },
    ...{ answers, answer },
    ...{ way, choose, message, write, needsMessage, isStuck, carryOut, undoLast },
  };
}
