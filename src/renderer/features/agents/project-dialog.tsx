/** Exports an agent as a project for LangGraph servers: what it loses is said before anything is written. */
import { type FormEvent, useState } from "react";
import type { Agent } from "../../../shared/contract/agents.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { strings } from "./strings.ts";

const words = strings.project;
const formId = "langgraph-project";

export function ProjectDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const home = useHost((state) => state.host?.home ?? "");
  const [folder, setFolder] = useState(`${home}/${agent.id}-langgraph`);
  const { value, problem: unread } = useReading(`project:${agent.id}`, () =>
    client().call("agents.project", { id: agent.id }),
  );
  const lost = value?.lost ?? [];
  const { problem, setProblem, act } = useAct();
  const [written, setWritten] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    return act(async () => {
      await client().call("agents.project", { id: agent.id, folder });
      setWritten(folder);
    });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(agent.name)}
      actions={
        <>
          <span className="flex-1" />
          <Button onClick={onClose}>{written === undefined ? common.cancel : common.close}</Button>
          {written === undefined && (
            <Button look="strong" type="submit" form={formId} disabled={lost.length === 0}>
              {words.go}
            </Button>
          )}
        </>
      }
    >
      {written === undefined ? (
        <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={(event) => void submit(event)}>
          <p className="text-ink-2">{words.hint}</p>
          <ul className="list-disc pl-5">
            {lost.map((one) => (
              <li key={one}>
                <ForeignText text={one} />
              </li>
            ))}
          </ul>
          <TextField
            label={words.folder}
            value={folder}
            spellCheck={false}
            problem={problem ?? unread}
            onChange={(event) => {
              setFolder(event.target.value);
              setProblem(undefined);
            }}
          />
        </form>
      ) : (
        <div role="status" className="flex flex-col gap-3 [overflow-wrap:anywhere]">
          <p>{words.written(written)}</p>
          <p className="text-ink-2">{words.next}</p>
          <pre className="code-text">{words.commands}</pre>
        </div>
      )}
    </Dialog>
  );
}
