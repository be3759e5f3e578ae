/** The LangGraph servers a person entered: how each answers, looked at now, changed, removed. */
import { MessageSquarePlus, Pencil, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ShownServer } from "../../../shared/contract/remote-servers.ts";
import { client } from "../../base/client.ts";
import { useAnswer, useReloadOnReturn } from "../../base/use-reading.ts";
import { formatClock } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { ListHead, RemoveDialog } from "./list-parts.tsx";
import { RemoteDialog } from "./remote-dialog.tsx";
import { RemoteStart } from "./remote-start.tsx";
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
