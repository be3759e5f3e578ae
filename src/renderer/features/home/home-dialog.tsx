/** What a thread's worktree would bring home, the ways to do that, and doing it. Until then nothing moves. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { describeError, formatClock } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { TextArea } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { HomeFiles } from "./home-files.tsx";
import { firstOpen, HomeWays, isOpenWay, type WayChoice } from "./home-ways.tsx";
import { strings } from "./strings.ts";

type Preview = Output<"home.preview">;

export function HomeDialog({ id, onClose }: { id: ThreadId; onClose: () => void }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const {
    value,
    problem: unread,
    busy: reading,
    again,
  } = useReading(`home:${id}`, () => client().call("home.preview", { threadId: id }));
  const [chosen, setChosen] = useState<WayChoice>();
  const [written, setWritten] = useState<string>();
  const { busy, problem, act, lookAgain } = useAct(again);
  const way = chosen ?? (value && firstOpen(value));
  const message = written ?? value?.message ?? "";
  const needsMessage =
    value !== undefined && value.uncommitted > 0 && way !== "patch" && way !== "pullRequest";
  const canGo = value !== undefined && way !== undefined && isOpenWay(value, way);

  async function carryOut(preview: Preview, what: WayChoice) {
    if (what === "pullRequest") return askForPullRequest(preview);
    const input = { threadId: id, way: what, digest: preview.digest, message: message.trim() };
    const done = await act(() => client().call("home.bring", input));
    if (done === undefined) return;
    showToast(strings.done[what](done.files));
    onClose();
  }
  async function askForPullRequest({ pullRequest }: Preview) {
    if (!("command" in pullRequest)) return;
    const text = strings.pullRequest.message(pullRequest.command);
    const sent = await act(() =>
      client().call("threads.send", { commandId: newCommandId(), threadId: id, text }),
    );
    if (sent === undefined) return;
    showToast(strings.pullRequest.sent);
    onClose();
    go({ view: "thread", id });
  }
  async function undoLast(last: NonNullable<Preview["last"]>) {
    if (await act(() => client().call("undo.reverse", { threadId: id, id: last.id }))) {
      showToast(strings.lastUndone);
      again();
    }
  }

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
            <Button
              look="strong"
              disabled={busy || reading || !canGo || (needsMessage && message.trim() === "")}
              onClick={() => void carryOut(value, way)}
            >
              {way === "pullRequest" ? strings.pullRequest.go : strings.ways[way].go}
            </Button>
          )}
        </>
      }
    >
      {!value && !unread && <p role="status">{strings.looking}</p>}
      {value && (
        <div className="flex flex-col gap-4">
          {value.last && <Last last={value.last} busy={busy} onUndo={undoLast} />}
          <HomeFiles threadId={id} preview={value} onChanged={again} />
          <HomeWays preview={value} chosen={way} onChoose={setChosen} />
          {needsMessage && canGo && (
            <TextArea
              label={strings.message}
              value={message}
              maxLength={10_000}
              problem={message.trim() === "" ? strings.messageMissing : undefined}
              onChange={(event) => setWritten(event.target.value)}
            />
          )}
        </div>
      )}
      <Problem problem={problem} unread={unread} onLookAgain={lookAgain} />
    </Dialog>
  );
}

/** What is shown is what the next try is about, so it is read again after one that failed. */
function useAct(again: () => void) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function act<T>(deed: () => Promise<T>): Promise<T | undefined> {
    setBusy(true);
    setProblem(undefined);
    try {
      return await deed();
    } catch (error) {
      setProblem(describeError(error));
      again();
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  const lookAgain = () => {
    setProblem(undefined);
    again();
  };
  return { busy, problem, act, lookAgain };
}

type ProblemProps = { problem: string | undefined; unread: string | undefined; onLookAgain: () => void };

function Problem({ problem, unread, onLookAgain }: ProblemProps) {
  const text = problem ?? unread;
  if (text === undefined) return null;
  return (
    <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 text-bad">
      <span>
        {!problem && `${strings.failed} `}
        <ExactText text={text} />
      </span>
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
      {strings.from} <ExactText text={branch ?? strings.noBranch} /> {strings.to}{" "}
      <ExactText text={target ?? strings.noBranch} /> {strings.inFolder} <ExactText text={folder} />:{" "}
      {strings.apart(ahead, behind, uncommitted)}.
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
