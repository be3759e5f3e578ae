/** Adds a rule after showing what it would have decided. */
import { type FormEvent, useState } from "react";
import type { Input } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAnswer } from "../../base/use-answer.ts";
import { describeError, shortenPath } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ExtentChoice } from "./extent-choice.tsx";
import { RulePreviewNote } from "./rule-preview-note.tsx";
import { strings } from "./strings.ts";
import { useRulePreview } from "./use-rule-preview.ts";

type NewRule = Input<"rules.add">;
const form = "add-rule";
const blank: NewRule = { text: "", effect: "allow", scope: "user", target: "command" };

export function AddRuleDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const folders = useAnswer("workspaces.list").value?.workspaces ?? [];
  const [draft, setDraft] = useState(blank);
  const [problem, setProblem] = useState<string>();
  // The folder also says against which past commands a rule for everywhere is looked at.
  const workspace = draft.workspace ?? folders[0]?.path;
  const rule = draft.text.trim() ? { ...draft, ...(workspace && { workspace }) } : undefined;
  const { preview, problem: previewProblem, pending } = useRulePreview(rule);
  const change = (next: Partial<NewRule>) => {
    setDraft({ ...draft, ...next });
    setProblem(undefined);
  };

  async function add(event: FormEvent) {
    event.preventDefault();
    if (!rule) return;
    try {
      await client().call("rules.add", rule);
      showToast(strings.added, rule.text);
      onAdded();
      onClose();
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  const isFile = draft.target === "file";
  return (
    <Dialog
      open
      onClose={onClose}
      title={strings.addTitle}
      description={strings.addText}
      actions={
        <>
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            form={form}
            disabled={!rule || preview?.ok === false || (draft.scope === "workspace" && !workspace)}
          >
            {strings.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void add(event)} className="flex flex-col gap-3 p-0.5">
        <div className="flex flex-wrap gap-2">
          <Choice
            label={strings.target}
            value={draft.target}
            words={strings.targets}
            onChange={(target) => change({ target })}
          />
          <Choice
            label={strings.effect}
            value={draft.effect}
            words={strings.effects}
            onChange={(effect) => change({ effect })}
          />
          <Choice
            label={strings.scope}
            value={draft.scope}
            words={{ user: strings.scopes.user, workspace: strings.scopes.workspace }}
            onChange={(scope) => change({ scope })}
          />
        </div>
        {draft.scope === "workspace" && (
          <FolderChoice
            folders={folders.map((one) => one.path)}
            value={workspace}
            onChange={(path) => change({ workspace: path })}
          />
        )}
        <TextField
          label={isFile ? strings.fileText : strings.commandText}
          placeholder={isFile ? strings.fileHint : strings.commandHint}
          spellCheck={false}
          value={draft.text}
          problem={problem ?? (preview?.ok === false ? preview.message : undefined)}
          onChange={(event) => change({ text: event.target.value })}
        />
        {!isFile && rule && (
          <ExtentChoice
            exact={preview?.exact ?? draft.exact ?? false}
            onChange={(exact) => change({ exact })}
          />
        )}
        {!isFile && <RulePreviewNote preview={preview} problem={previewProblem} pending={pending} />}
      </form>
    </Dialog>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T | undefined;
  words: Partial<Record<T, string>>;
  onChange: (value: T) => void;
};

function Choice<T extends string>({ label, value, words, onChange }: ChoiceProps<T>) {
  return (
    <Select label={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
      {(Object.entries(words) as [T, string][]).map(([one, word]) => (
        <option key={one} value={one}>
          {word}
        </option>
      ))}
    </Select>
  );
}

type FolderChoiceProps = { folders: readonly string[]; value?: string; onChange: (path: string) => void };

function FolderChoice({ folders, value, onChange }: FolderChoiceProps) {
  const home = useHost((state) => state.host?.home);
  return (
    <Select label={strings.folder} value={value} onChange={(event) => onChange(event.target.value)}>
      {folders.map((path) => (
        <option key={path} value={path}>
          {shortenPath(path, home)}
        </option>
      ))}
    </Select>
  );
}
