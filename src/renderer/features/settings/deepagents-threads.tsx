/** Threads of the deepagents CLI on this computer: they are looked for when a person asks, and taken over one by one. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { showToast } from "../../ui/toast.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

const words = strings.deepagents;

type Found = Output<"deepagents.threads">["threads"][number];

export function DeepagentsThreads() {
  const [open, setOpen] = useState(false);
  return (
    <SettingRow {...otherEntries.deepagents}>
      <Button onClick={() => setOpen(true)}>{words.look}</Button>
      {open && <FoundDialog onClose={() => setOpen(false)} />}
    </SettingRow>
  );
}

function FoundDialog({ onClose }: { onClose: () => void }) {
  const { value, problem, reload } = useAnswer("deepagents.threads");
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      description={words.hint}
      actions={<Button onClick={onClose}>{common.close}</Button>}
    >
      {!value ? (
        <Unanswered title={words.failed} problem={problem} onRetry={reload} loading={words.looking} />
      ) : value.threads.length === 0 ? (
        <EmptyState title={words.none} />
      ) : (
        <FoundThreads threads={value.threads} />
      )}
    </Dialog>
  );
}

type Problem = { id?: string; text: string };

function FoundThreads({ threads }: { threads: readonly Found[] }) {
  const here = useHost((state) => state.host?.workspace ?? "");
  const [workspace, setWorkspace] = useState(here);
  const [taking, setTaking] = useState<string>();
  const [problem, setProblem] = useState<Problem>();

  async function take(id: string) {
    setTaking(id);
    setProblem(undefined);
    try {
      const thread = await client().call("deepagents.import", { id, workspace: workspace.trim() });
      useThreads.getState().change([thread], []);
      showToast(words.done(thread.title));
      go({ view: "thread", id: thread.id });
    } catch (error) {
      const isFolder = error instanceof ContractError && error.field === "workspace";
      setProblem({ ...(!isFolder && { id }), text: describeError(error) });
      setTaking(undefined);
    }
  }
  return (
    <div className="flex flex-col gap-3 p-0.5">
      <TextField
        label={strings.threadImport.folder}
        value={workspace}
        spellCheck={false}
        problem={problem && problem.id === undefined ? problem.text : undefined}
        onChange={(event) => setWorkspace(event.target.value)}
      />
      <RowList label={words.list}>
        {threads.map((thread) => (
          <li key={thread.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <FoundThread thread={thread} />
            <Button
              aria-label={words.take(nameOf(thread))}
              disabled={taking !== undefined || workspace.trim() === ""}
              onClick={() => void take(thread.id)}
            >
              {taking === thread.id ? words.taking : words.go}
            </Button>
            {problem?.id === thread.id && (
              <ProblemText className="basis-full text-sm" problem={problem.text} />
            )}
          </li>
        ))}
      </RowList>
      <p role="status" className="sr-only">
        {taking !== undefined && words.taking}
      </p>
    </div>
  );
}

const nameOf = ({ title, id }: Found) => title ?? id;

function FoundThread({ thread }: { thread: Found }) {
  const { agent, updatedAt, folder, waiting } = thread;
  const facts = [agent, dayOf(updatedAt), folder].filter((one) => one !== undefined);
  return (
    <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
      <h3 className="font-medium">
        <ForeignText text={nameOf(thread)} />
      </h3>
      <p className="text-sm text-ink-2">
        <ForeignText text={facts.join(" · ")} />
      </p>
      {waiting > 0 && <p className="text-sm text-warn">{words.waiting(waiting)}</p>}
    </div>
  );
}

/** What is no moment is not shown as one. */
function dayOf(at: string | undefined): string | undefined {
  const moment = new Date(at ?? "");
  if (Number.isNaN(moment.getTime())) return undefined;
  return moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
