/** The MCP servers that were set up: added, changed, tested, switched off, removed. */
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { McpServer, McpState } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useAnswer, useReloadOnReturn } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { ListHead, RemoveDialog } from "./list-parts.tsx";
import { ServerDialog } from "./server-dialog.tsx";
import { ServerStateLine } from "./server-state.tsx";
import { ServerTestResult, useServerTest } from "./server-test.tsx";
import { strings } from "./strings.ts";

const words = strings.server;

export function ServersPanel() {
  const { value, problem, reload } = useAnswer("mcp.list");
  useReloadOnReturn(reload);
  const [editing, setEditing] = useState<McpServer | "new">();
  const [taking, setTaking] = useState<McpServer>();
  const [removing, setRemoving] = useState<McpServer>();
  if (!value) return <Unanswered title={words.listFailed} problem={problem} onRetry={reload} />;
  return (
    <div className="flex flex-col gap-3">
      <ListHead hint={words.hint} add={words.add} onAdd={() => setEditing("new")} />
      <ProblemList title={words.refused} problems={value.problems} hint={strings.refusedHint} />
      {value.servers.length === 0 ? (
        <EmptyState title={words.emptyTitle}>{words.emptyText}</EmptyState>
      ) : (
        <RowList label={words.list}>
          {value.servers.map((state) => (
            <ServerRow
              key={state.server.name}
              state={state}
              onChange={() => setEditing(state.server)}
              onRemove={() => setRemoving(state.server)}
              onChanged={reload}
            />
          ))}
        </RowList>
      )}
      <OtherServers others={value.others} onTake={setTaking} />
      {taking && <ServerDialog isNew server={taking} onClose={() => setTaking(undefined)} onSaved={reload} />}
      {editing && (
        <ServerDialog
          server={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSaved={reload}
        />
      )}
      {removing && (
        <RemoveDialog
          title={words.removeTitle(removing.name)}
          text={words.removeText}
          confirm={words.removeGo}
          remove={() => client().call("mcp.remove", { name: removing.name })}
          onClose={() => setRemoving(undefined)}
          onRemoved={reload}
        />
      )}
    </div>
  );
}

const whereOf = (server: McpServer) =>
  server.transport === "stdio" ? [server.command, ...server.args].join(" ") : server.url;

type OtherServersProps = { others: Output<"mcp.list">["others"]; onTake: (server: McpServer) => void };

/** What another program on this computer has, to be looked at in the form and saved from there. */
function OtherServers({ others, onTake }: OtherServersProps) {
  if (!others || others.servers.length + others.problems.length === 0) return null;
  return (
    <section className="flex flex-col gap-2" aria-labelledby="other-servers">
      <h2 id="other-servers" className="font-medium">
        {words.others}
      </h2>
      <ProblemList title={words.othersRefused} problems={others.problems} hint={words.othersHint} />
      {others.servers.length > 0 && (
        <RowList label={words.others}>
          {others.servers.map((server) => (
            <li key={server.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
                <h3 className="font-medium">
                  <ForeignText text={server.name} />
                </h3>
                <ForeignText className="code-text text-ink-2" text={whereOf(server)} />
              </div>
              <Button small aria-label={words.takeNamed(server.name)} onClick={() => onTake(server)}>
                {words.take}
              </Button>
            </li>
          ))}
        </RowList>
      )}
    </section>
  );
}

type ServerRowProps = { state: McpState; onChange: () => void; onRemove: () => void; onChanged: () => void };

function ServerRow({ state, onChange, onRemove, onChanged }: ServerRowProps) {
  const { server } = state;
  const { name } = server;
  const test = useServerTest();
  const [wanted, setWanted] = useState<boolean>();
  async function enable(enabled: boolean) {
    setWanted(enabled);
    try {
      await client().call("mcp.save", { ...server, enabled });
    } catch (error) {
      setWanted(undefined);
      showProblem(common.failed, describeError(error));
    }
    onChanged();
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the server was switched, the switch shows its state again
  useEffect(() => setWanted(undefined), [server.enabled]);
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
          <h2 className="font-medium">
            <ForeignText text={name} />
          </h2>
          <ForeignText className="code-text text-ink-2" text={whereOf(server)} />
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
          onClick={() => void test.run(server).then(onChanged)}
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
      <ServerTestResult busy={test.busy} result={test.result} />
      <ServerStateLine state={state} problemShown={test.result?.problem !== undefined} />
    </li>
  );
}
