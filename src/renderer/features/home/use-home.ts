/** What would be brought home, what a person chose and wrote, and doing it. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ConflictSide } from "../../../shared/contract/home.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Answers } from "./home-conflicts.tsx";
import { firstOpen, isOpenWay, type WayChoice } from "./home-ways.tsx";
import { strings } from "./strings.ts";

type Preview = Output<"home.preview">;

export function useHome(id: ThreadId, onClose: () => void) {
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
