/** Adds or changes a LangGraph server: it is asked once, and kept when it answers. The key is typed and never shown again. */
import { type FormEvent, useState } from "react";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import {
  type ServerAuth,
  type ShownServer,
  serverAuthSchema,
} from "../../../shared/contract/remote-servers.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { idOf } from "./id-of.ts";
import { strings } from "./strings.ts";

const words = strings.remote;
const formId = "remote-server";

type RemoteDialogProps = {
  server?: ShownServer;
  taken: readonly string[];
  onClose: () => void;
  onSaved: () => void;
};

type Draft = Record<"name" | "url" | "header" | "key" | "authorityFile", string> & { auth: ServerAuth };

export function RemoteDialog({ server, taken, onClose, onSaved }: RemoteDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    name: server?.name ?? "",
    url: server?.url ?? "",
    auth: server?.auth ?? "x-api-key",
    header: server?.header ?? "",
    authorityFile: server?.authorityFile ?? "",
    key: "",
  });
  const [problem, setProblem] = useState<FieldProblem>();
  const [saving, setSaving] = useState(false);
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    setProblem(undefined);
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { key, auth, header, authorityFile, ...said } = draft;
    setSaving(true);
    try {
      const saved = await client().call("remoteServers.save", {
        ...said,
        auth,
        id: server?.id ?? idOf(said.name, "server", taken),
        ...(auth === "header" && header.trim() !== "" && { header }),
        ...(authorityFile.trim() !== "" && { authorityFile }),
        ...(key !== "" && auth !== "none" && { key }),
      });
      if (!saved.ok) {
        setProblem(saved.problem);
        return;
      }
      showToast(strings.saved(saved.server.name));
      onSaved();
      onClose();
    } catch (error) {
      const field = error instanceof ContractError ? (error.field ?? "") : "";
      setProblem({ field, message: describeError(error) });
    } finally {
      setSaving(false);
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={server ? words.change(server.name) : words.addTitle}
      actions={
        <>
          <span className="flex-1" />
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={formId} disabled={saving}>
            {saving ? words.asking : words.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-3 p-0.5" onSubmit={(event) => void submit(event)}>
        <p className="text-ink-2">{words.formHint}</p>
        <Fields draft={draft} problem={problem} hasKey={server?.keyStorage !== undefined} onChange={change} />
        {problem && !["name", "url", "header", "key", "authorityFile"].includes(problem.field) && (
          <ProblemText problem={problem.message} />
        )}
      </form>
    </Dialog>
  );
}

type FieldsProps = {
  draft: Draft;
  problem: FieldProblem | undefined;
  hasKey: boolean;
  onChange: (next: Partial<Draft>) => void;
};

function Fields({ draft, problem, hasKey, onChange }: FieldsProps) {
  const problemOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  return (
    <>
      <TextField
        label={strings.name}
        value={draft.name}
        problem={problemOf("name")}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label={words.url}
        value={draft.url}
        placeholder="https://"
        spellCheck={false}
        problem={problemOf("url")}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <Select
        label={words.auth}
        value={draft.auth}
        onChange={(event) => onChange({ auth: serverAuthSchema.parse(event.target.value) })}
      >
        {serverAuthSchema.options.map((auth) => (
          <option key={auth} value={auth}>
            {words.auths[auth]}
          </option>
        ))}
      </Select>
      {draft.auth === "header" && (
        <TextField
          label={words.header}
          value={draft.header}
          spellCheck={false}
          problem={problemOf("header")}
          onChange={(event) => onChange({ header: event.target.value })}
        />
      )}
      {draft.auth !== "none" && (
        <TextField
          label={words.key}
          type="password"
          autoComplete="off"
          value={draft.key}
          placeholder={hasKey ? words.keyKept : undefined}
          problem={problemOf("key")}
          onChange={(event) => onChange({ key: event.target.value.trim() })}
        />
      )}
      <TextField
        label={words.authority}
        value={draft.authorityFile}
        placeholder={words.authorityNone}
        spellCheck={false}
        problem={problemOf("authorityFile")}
        onChange={(event) => onChange({ authorityFile: event.target.value })}
      />
    </>
  );
}
