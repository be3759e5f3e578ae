/** Adds or changes an MCP server; it can be tested before it is saved. */
import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { McpServer } from "../../../shared/contract/agents.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeAtField, problemOf } from "../../base/field-problems.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { useOnceRead } from "../seen/use-once-read.ts";
import { LineField, ProgramFields } from "./program-fields.tsx";
import { checkServer, type Pair, type ServerDraft, startServerDraft } from "./server-draft.ts";
import { ServerTestResult, useServerTest } from "./server-test.tsx";
import { strings } from "./strings.ts";

const words = strings.server;
const formId = "mcp-server";
/** What is started or called, under the names by which the gauge knows it. */
const keys = { command: "server command", args: "server arguments", url: "server address" };

type ServerDialogProps = {
  server: McpServer | undefined;
  /** It is not set up here yet, and its stored values are those of the program that it is taken over from. */
  isNew?: boolean;
  onClose: () => void;
  onSaved: () => void;
};

export function ServerDialog({ server, isNew, onClose, onSaved }: ServerDialogProps) {
  const [draft, setDraft] = useState(() => startServerDraft(server));
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [saving, setSaving] = useState(false);
  const test = useServerTest();
  const used = draft.transport === "stdio" ? (["command", "args"] as const) : (["url"] as const);
  const { read, onceRead } = useOnceRead(
    used.filter((one) => draft[one].trim() !== "").map((one) => ({ key: keys[one], digest: draft[one] })),
  );

  /** Hands on a complete server that was seen to its end, or shows what is missing. */
  function withServer(act: (server: McpServer) => Promise<void>) {
    const check = checkServer(draft);
    setProblems("problems" in check ? check.problems : []);
    if ("server" in check) void onceRead(() => act(check.server));
  }
  async function save(checked: McpServer) {
    setSaving(true);
    try {
      const { problem } = await client().call("mcp.save", checked);
      if (problem) showProblem(words.savedBad(checked.name), problem);
      else showToast(words.saved(checked.name));
      onSaved();
      onClose();
    } catch (error) {
      setProblems([describeAtField(error)]);
      setSaving(false);
    }
  }
  return (
    <Dialog
      wide
      open
      onClose={onClose}
      title={server && !isNew ? words.changeTitle(server.name) : words.addTitle}
      actions={
        <>
          <Button disabled={test.busy} locked={!read} onClick={() => withServer(test.run)}>
            {words.test}
          </Button>
          {read ? <span className="flex-1" /> : <UnreadNote>{words.unread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={formId} disabled={saving} locked={!read}>
            {common.save}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-3 p-0.5"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          withServer(save);
        }}
      >
        <ServerFields
          draft={draft}
          named={server !== undefined}
          problems={problems}
          onChange={(next) => {
            setDraft({ ...draft, ...next });
            setProblems([]);
          }}
        />
        <ServerTestResult name={draft.name} busy={test.busy} result={test.result} />
      </form>
    </Dialog>
  );
}

type ServerFieldsProps = {
  draft: ServerDraft;
  /** An existing server keeps its name; agents refer to it. */
  named: boolean;
  problems: readonly FieldProblem[];
  onChange: (next: Partial<ServerDraft>) => void;
};

const shownAtField = ["name", "command", "url"];

function ServerFields({ draft, named, problems, onChange }: ServerFieldsProps) {
  return (
    <>
      <TextField
        label={words.name}
        placeholder={words.nameHint}
        spellCheck={false}
        disabled={named}
        value={draft.name}
        problem={problemOf("name", problems)}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Select
        label={words.transport}
        value={draft.transport}
        onChange={(event) => onChange({ transport: event.target.value as ServerDraft["transport"] })}
        className="self-start"
      >
        <option value="stdio">{words.transports.stdio}</option>
        <option value="http">{words.transports.http}</option>
      </Select>
      {draft.transport === "stdio" ? (
        <>
          <ProgramFields
            program={draft}
            keys={keys}
            placeholder={words.commandHint}
            problems={problems}
            onChange={onChange}
          />
          <PairsField label={words.env} pairs={draft.env} onChange={(env) => onChange({ env })} />
        </>
      ) : (
        <>
          <LineField
            readKey={keys.url}
            label={words.url}
            placeholder={words.urlHint}
            value={draft.url}
            problem={problemOf("url", problems)}
            onText={(url) => onChange({ url })}
          />
          <PairsField
            label={words.headers}
            pairs={draft.headers}
            onChange={(headers) => onChange({ headers })}
          />
        </>
      )}
      <ProblemList
        title={strings.refused}
        problems={problems.filter((one) => !shownAtField.includes(one.field))}
      />
    </>
  );
}

type PairsFieldProps = { label: string; pairs: readonly Pair[]; onChange: (pairs: Pair[]) => void };

/** Names with values, such as environment variables; values may be secrets and are not shown while typed. */
function PairsField({ label, pairs, onChange }: PairsFieldProps) {
  const change = (key: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));
  const nextKey = Math.max(0, ...pairs.map((pair) => pair.key)) + 1;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium text-ink-2">{label}</legend>
      {pairs.map((pair) => (
        <div key={pair.key} className="flex items-center gap-1.5">
          <TextField
            hideLabel
            label={words.pairName}
            placeholder={words.pairName}
            spellCheck={false}
            value={pair.name}
            onChange={(event) => change(pair.key, { name: event.target.value })}
            className="w-56"
          />
          <TextField
            hideLabel
            label={words.pairValue}
            placeholder={words.pairValue}
            type="password"
            autoComplete="off"
            value={pair.value}
            onChange={(event) => change(pair.key, { value: event.target.value })}
            className="flex-1"
          />
          <IconButton
            label={words.removePair(pair.name)}
            onClick={() => onChange(pairs.filter((one) => one.key !== pair.key))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {pairs.length > 0 && <p className="text-sm text-ink-2">{words.pairHint}</p>}
      <Button
        small
        className="self-start [&_svg]:size-3"
        onClick={() => onChange([...pairs, { key: nextKey, name: "", value: "" }])}
      >
        <Plus aria-hidden />
        {words.addPair}
      </Button>
    </fieldset>
  );
}
