/** Adds or changes an agent of another program; what would be started has to be seen to its end before it is saved. */
import { type FormEvent, useState } from "react";
import { ContractError } from "../../../shared/contract/errors.ts";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import { type OuterAgent, outerAgentSchema } from "../../../shared/contract/outer-agents.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { ReadField, sendOnEnter } from "../seen/read-field.tsx";
import { useOnceRead } from "../seen/use-once-read.ts";
import { strings } from "./strings.ts";

const words = strings.outer;
const formId = "outer-agent";
/** What is started, under the names by which the gauge knows it. */
const keys = { command: "agent command", args: "agent arguments" };

type OuterDialogProps = { agent?: OuterAgent; isNew: boolean; onClose: () => void; onSaved: () => void };

/** One argument a line. */
type Draft = { name: string; command: string; args: string };

export function OuterDialog({ agent, isNew, onClose, onSaved }: OuterDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    name: agent?.name ?? "",
    command: agent?.command ?? "",
    args: agent?.args.join("\n") ?? "",
  });
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [saving, setSaving] = useState(false);
  const { read, onceRead } = useOnceRead(
    (["command", "args"] as const)
      .filter((one) => draft[one].trim() !== "")
      .map((one) => ({ key: keys[one], digest: draft[one] })),
  );
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    setProblems([]);
  };

  async function save(checked: OuterAgent) {
    setSaving(true);
    try {
      await client().call("outerAgents.save", checked);
      showToast(strings.saved(checked.name));
      onSaved();
      onClose();
    } catch (error) {
      const field = error instanceof ContractError ? (error.field ?? "") : "";
      setProblems([{ field, message: describeError(error) }]);
      setSaving(false);
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const parsed = outerAgentSchema.safeParse({
      id: agent?.id ?? idOf(draft.name),
      name: draft.name,
      command: draft.command,
      args: draft.args.split("\n").filter((line) => line !== ""),
    });
    setProblems(parsed.success ? [] : nameProblems(parsed.error));
    if (parsed.success) void onceRead(() => save(parsed.data));
  }
  return (
    <Dialog
      wide
      open
      onClose={onClose}
      title={isNew ? words.addTitle : words.change(agent?.name ?? "")}
      actions={
        <>
          {read ? <span className="flex-1" /> : <UnreadNote>{strings.server.unread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={formId} disabled={saving} locked={!read}>
            {common.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={submit}>
        <p className="text-ink-2">{words.formHint}</p>
        <Fields draft={draft} problems={problems} onChange={change} />
        <ProblemList
          title={strings.refused}
          problems={problems.filter(({ field }) => field !== "name" && field !== "command")}
        />
      </form>
    </Dialog>
  );
}

type FieldsProps = {
  draft: Draft;
  problems: readonly FieldProblem[];
  onChange: (next: Partial<Draft>) => void;
};

function Fields({ draft, problems, onChange }: FieldsProps) {
  const problemOf = (field: string) => problems.find((one) => one.field === field)?.message;
  return (
    <>
      <TextField
        label={strings.name}
        value={draft.name}
        problem={problemOf("name")}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <ReadField
        readKey={keys.command}
        mono
        low
        spellCheck={false}
        label={strings.server.command}
        value={draft.command}
        problem={problemOf("command")}
        onChange={(event) => onChange({ command: event.target.value.replace(/[\r\n]+/g, "") })}
        onKeyDown={sendOnEnter}
      />
      <ReadField
        readKey={keys.args}
        mono
        spellCheck={false}
        label={strings.server.args}
        value={draft.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
    </>
  );
}

/** The host says so when another agent has it. */
function idOf(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return words.replaceAll(/^-+|-+$/g, "").slice(0, 40) || "agent";
}
