/** The MCP servers that were set up: added, changed, tested, switched off, removed. */
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { McpServer } from "../../../shared/contract/agents.ts";
import { client } from "../../app/client.ts";
import { describeError } from "../../app/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { useAnswer } from "../settings/use-answer.ts";
import { ServerDialog } from "./server-dialog.tsx";
import { ServerTestResult, useServerTest } from "./server-test.tsx";
import { strings } from "./strings.ts";

const words = strings.server;

export function ServersPanel() {
  const { value, problem, reload } = useAnswer("mcp.list");
  const [editing, setEditing] = useState<McpServer | "new">();
  const [removing, setRemoving] = useState<McpServer>();
  if (!value) {
    if (problem) return <ErrorState title={words.listFailed} problem={problem} onRetry={reload} />;
    return (
      <p role="status" className="text-ink-3">
        {strings.loading}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <p className="max-w-[60ch] text-ink-2">{words.hint}</p>
        <Button look="primary" onClick={() => setEditing("new")} className="[&_svg]:size-3.5">
          <Plus aria-hidden />
          {words.add}
        </Button>
      </div>
      {value.servers.length === 0 ? (
        <EmptyState title={words.emptyTitle}>{words.emptyText}</EmptyState>
      ) : (
        <ul aria-label={words.list} className="divide-y divide-line rounded-md border border-line bg-surface">
          {value.servers.map((server) => (
            <ServerRow
              key={server.name}
              server={server}
              onChange={() => setEditing(server)}
              onRemove={() => setRemoving(server)}
              onSaved={reload}
            />
          ))}
        </ul>
      )}
      {editing && (
        <ServerDialog
          server={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSaved={reload}
        />
      )}
      {removing && (
        <RemoveDialog name={removing.name} onClose={() => setRemoving(undefined)} onRemoved={reload} />
      )}
    </div>
  );
}

type ServerRowProps = { server: McpServer; onChange: () => void; onRemove: () => void; onSaved: () => void };

function ServerRow({ server, onChange, onRemove, onSaved }: ServerRowProps) {
  const { name } = server;
  const test = useServerTest();
  const [wanted, setWanted] = useState<boolean>();
  async function enable(enabled: boolean) {
    setWanted(enabled);
    try {
      await client().call("mcp.save", { ...server, enabled });
      onSaved();
    } catch (error) {
      setWanted(undefined);
      showProblem(strings.failed, describeError(error));
    }
  }
  const where = server.transport === "stdio" ? [server.command, ...server.args].join(" ") : server.url;
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">{name}</h3>
          <code className="code-text text-ink-2">{where}</code>
        </div>
        <Switch
          label={words.enabled(name)}
          checked={wanted ?? server.enabled}
          onChange={(on) => void enable(on)}
        />
        <Button
          small
          aria-label={words.testNamed(name)}
          disabled={test.busy}
          onClick={() => void test.run(server)}
        >
          {words.test}
        </Button>
        <IconButton label={words.change(name)} onClick={onChange}>
          <Pencil />
        </IconButton>
        <IconButton label={words.remove(name)} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      <ServerTestResult name={name} busy={test.busy} result={test.result} />
    </li>
  );
}

type RemoveDialogProps = { name: string; onClose: () => void; onRemoved: () => void };

function RemoveDialog({ name, onClose, onRemoved }: RemoveDialogProps) {
  async function remove() {
    onClose();
    try {
      await client().call("mcp.remove", { name });
    } catch (error) {
      showProblem(strings.failed, describeError(error));
    }
    onRemoved();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.removeTitle(name)}
      description={words.removeText}
      actions={
        <>
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button look="danger" onClick={() => void remove()}>
            {words.removeGo}
          </Button>
        </>
      }
    />
  );
}
