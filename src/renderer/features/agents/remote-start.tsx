/** Begins a thread on a LangGraph server: whom it is for, and its first message. */
import { type FormEvent, useState } from "react";
import type { ShownAssistant, ShownServer } from "../../../shared/contract/remote-servers.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { strings } from "./strings.ts";

const words = strings.remote;
const formId = "remote-start";

export function RemoteStart({ server, onClose }: { server: ShownServer; onClose: () => void }) {
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
