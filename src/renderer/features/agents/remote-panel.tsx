/** The LangGraph servers a person entered: how each answers, looked at now, changed, removed. */
import { MessageSquarePlus, Pencil, RotateCw, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ShownAssistant, ShownServer } from "../../../shared/contract/remote-servers.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useAct } from "../../base/use-act.ts";
import { useAnswer, useReading, useReloadOnReturn } from "../../base/use-reading.ts";
import { formatClock } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList, ProblemText } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { ListHead, RemoveDialog } from "./list-parts.tsx";
import { RemoteDialog } from "./remote-dialog.tsx";
import { strings } from "./strings.ts";

const words = strings.remote;

export function RemotePanel() {
  const { value, problem, reload } = useAnswer("remoteServers.list");
  useReloadOnReturn(reload);
  const [editing, setEditing] = useState<{ server?: ShownServer }>();
  const [removing, setRemoving] = useState<ShownServer>();
  const [starting, setStarting] = useState<ShownServer>();
  if (!value) return <Unanswered title={words.listFailed} problem={problem} onRetry={reload} />;
  async function look(id: string) {
    await attempt(() => client().call("remoteServers.look", { id }));
    reload();
  }
  return (
    <div className="flex flex-col gap-3">
      <ListHead hint={words.hint} add={words.add} onAdd={() => setEditing({})} />
      <ProblemList title={words.refused} problems={value.problems} hint={strings.refusedHint} />
      {value.servers.length === 0 ? (
        <EmptyState title={words.emptyTitle}>{words.emptyText}</EmptyState>
      ) : (
        <RowList label={words.list}>
          {value.servers.map((server) => (
            <li key={server.id} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
              <Standing server={server} />
              <IconButton label={words.start(server.name)} onClick={() => setStarting(server)}>
                <MessageSquarePlus />
              </IconButton>
              <IconButton label={words.look(server.name)} onClick={() => void look(server.id)}>
                <RotateCw />
              </IconButton>
              <IconButton label={words.change(server.name)} onClick={() => setEditing({ server })}>
                <Pencil />
              </IconButton>
              <IconButton label={strings.remove(server.name)} onClick={() => setRemoving(server)}>
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </RowList>
      )}
      {editing && (
        <RemoteDialog
          {...editing}
          taken={value.servers.map(({ id }) => id)}
          onClose={() => setEditing(undefined)}
          onSaved={reload}
        />
      )}
      {starting && <RemoteStart server={starting} onClose={() => setStarting(undefined)} />}
      {removing && (
        <RemoveDialog
          title={strings.removeTitle(removing.name)}
          text={words.removeText}
          confirm={strings.removeGo}
          remove={() => client().call("remoteServers.remove", { id: removing.id })}
          onClose={() => setRemoving(undefined)}
          onRemoved={reload}
        />
      )}
    </div>
  );
}

function Standing({ server: { name, url, auth, state } }: { server: ShownServer }) {
  const { kind, since, waiting, problem } = state;
  const at = formatClock(since);
  return (
    <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
      <h2 className="font-medium">
        <ForeignText text={name} />
      </h2>
      <code className="code-text text-ink-2">
        <ForeignText text={url} />
      </code>
      <p className={kind === "answers" || kind === "new" ? "text-sm text-ink-2" : "text-sm text-warn"}>
        {kind === "answers" ? words.answers(waiting) : kind === "new" ? words.isNew : words.silent(at)}
      </p>
      {problem !== undefined && (
        <p className="text-sm text-warn">
          <ForeignText text={problem} />
        </p>
      )}
      {auth === "none" && <p className="text-sm text-ink-3">{words.open}</p>}
    </div>
  );
}

const formId = "remote-start";

function RemoteStart({ server, onClose }: { server: ShownServer; onClose: () => void }) {
  const { value, problem: unread } = useReading(`assistants:${server.id}`, () =>
    client().call("remoteServers.assistants", { id: server.id }),
  );
  const [picked, setPicked] = useState<string>();
  const chosen = picked ?? value?.assistants[0]?.id ?? "";
  const [text, setText] = useState("");
  const { busy, problem, act } = useAct();
  // A second press, or one after a broken line, is the same thread.
  const [commandId] = useState(newCommandId);

  function submit(event: FormEvent) {
    event.preventDefault();
    return act(async () => {
      const input = { commandId, id: server.id, assistant: chosen, text };
      const { threadId } = await client().call("remoteServers.start", input);
      onClose();
      go({ view: "thread", id: threadId });
    });
  }
  const shownProblem = problem ?? unread;
  const isReady = chosen !== "" && text.trim() !== "" && !busy;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.start(server.name)}
      actions={
        <>
          <span className="flex-1" />
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={formId} disabled={!isReady}>
            {words.startGo}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={(event) => void submit(event)}>
        <p className="text-ink-2">{words.startHint}</p>
        <Whom assistants={value?.assistants} chosen={chosen} onChoose={setPicked} />
        <TextArea label={words.message} value={text} onChange={(event) => setText(event.target.value)} />
        {shownProblem !== undefined && <ProblemText problem={shownProblem} />}
      </form>
    </Dialog>
  );
}

type WhomProps = {
  /** Absent until the server has answered. */
  assistants: readonly ShownAssistant[] | undefined;
  chosen: string;
  onChoose: (id: string) => void;
};

function Whom({ assistants, chosen, onChoose }: WhomProps) {
  if (assistants?.length === 0) return <p role="status">{words.noAssistants}</p>;
  return (
    <Select
      label={words.assistant}
      value={chosen}
      disabled={assistants === undefined}
      onChange={(event) => onChoose(event.target.value)}
    >
      {assistants?.map(({ id, name, graph }) => (
        <option key={id} value={id}>
          {name || graph || id}
        </option>
      ))}
    </Select>
  );
}
