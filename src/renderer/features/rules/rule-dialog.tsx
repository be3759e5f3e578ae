/** Makes a rule, from nothing or from a waiting card, after showing what it would have decided in the past. */
import { type FormEvent, useEffect, useState } from "react";
import type { Approval, ApprovalDetail } from "../../../shared/contract/approvals.ts";
import type { Input } from "../../../shared/contract/contract.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { describeError, shortenPath } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { ReadField, sendOnEnter } from "../seen/read-field.tsx";
import { useOnceRead } from "../seen/use-once-read.ts";
import { RulePreviewNote, useRulePreview } from "./rule-preview-note.tsx";
import { strings } from "./strings.ts";

export type NewRule = Input<"rules.add">;
type Proposal = NonNullable<ApprovalDetail["proposal"]>;

type RuleDialogProps = {
  /** The card the rule is made from; it says what the rule is about, and where it can hold. */
  card?: Approval;
  /** What the form begins with where there is no card. */
  start?: Partial<NewRule>;
  onClose: () => void;
  onSaved?: () => void;
  /** Also approves the card: what keeps the rule then, in place of the dialog. */
  approveAndSave?: (rule: NewRule) => Promise<void>;
};

const form = "rule";
const textKey = "rule text";
const blank: NewRule = { text: "", effect: "allow", scope: "user", target: "command" };

export default function RuleDialog(props: RuleDialogProps) {
  const { onClose, onSaved, approveAndSave } = props;
  const draft = useRuleDraft(props);
  const { rule, preview, setProblem } = draft;
  const { read, onceRead } = useOnceRead([{ key: textKey, digest: draft.fields.text }]);

  async function save() {
    if (!rule) return;
    if (approveAndSave) return approveAndSave(rule);
    try {
      await client().call("rules.add", rule);
      showToast(strings.saved, rule.text);
      onSaved?.();
      onClose();
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={approveAndSave ? strings.always : strings.makeTitle}
      description={approveAndSave ? `${strings.alwaysText} ${strings.makeText}` : strings.makeText}
      actions={
        <>
          {rule && !read && <UnreadNote>{strings.unread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="strong"
            type="submit"
            form={form}
            disabled={!rule || preview?.ok === false || (rule.scope === "workspace" && !rule.workspace)}
            locked={!read}
          >
            {approveAndSave ? strings.saveAndApprove : strings.save}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void onceRead(save);
        }}
        className="flex flex-col gap-3 p-0.5"
      >
        <WhereItHolds {...props} draft={draft} />
        <WhatItSays draft={draft} />
      </form>
    </Dialog>
  );
}

type RuleDraft = ReturnType<typeof useRuleDraft>;

/** The rule as it is written, and what it would have decided in the past. `rule` is absent while it says nothing. */
function useRuleDraft({ card, start, approveAndSave }: RuleDialogProps) {
  const folders = useAnswer("workspaces.list").value?.workspaces.map((one) => one.path) ?? [];
  const [fields, setFields] = useState(() => (card ? startFrom(card) : { ...blank, ...start }));
  const [problem, setProblem] = useState<string>();
  const [whyNone, setWhyNone] = useState<string>();
  // The folder also says against which past commands a rule for everywhere is looked at.
  const workspace = fields.workspace ?? folders[0];
  const threadId = fields.scope === "thread" ? card?.threadId : undefined;
  const rule = fields.text.trim()
    ? { ...fields, ...(threadId && { threadId }), ...(workspace && { workspace }) }
    : undefined;
  const past = useRulePreview(rule && { ...rule, ...(approveAndSave && { except: card?.id }) });
  const change = (next: Partial<NewRule>) => {
    setFields({ ...fields, ...next });
    setProblem(undefined);
  };
  const propose = ({ rule: text, exact, why }: Proposal) => {
    setFields((now) => (now.text ? now : { ...now, text: text ?? "", exact: now.exact ?? exact }));
    setWhyNone(why);
  };
  useProposal(card?.id, propose, setProblem);
  return {
    fields,
    change,
    folders,
    workspace,
    rule,
    past,
    preview: past.preview,
    problem,
    setProblem,
    whyNone,
  };
}

/** For what, with which effect and where; a card has said some of it. */
function WhereItHolds({ card, approveAndSave, draft }: RuleDialogProps & { draft: RuleDraft }) {
  const { fields, change, folders, workspace } = draft;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {!card && (
          <Choice
            label={strings.target}
            value={fields.target}
            words={strings.targets}
            onChange={(target) => change({ target })}
          />
        )}
        {!approveAndSave && (
          <Choice
            label={strings.effect}
            value={fields.effect}
            words={strings.effects}
            onChange={(effect) => change({ effect })}
          />
        )}
        <Choice
          label={strings.scope}
          value={fields.scope}
          words={card ? strings.scopesOfCard : strings.scopesOfAll}
          onChange={(scope) => change({ scope })}
        />
      </div>
      {!card && fields.scope === "workspace" && (
        <FolderChoice folders={folders} value={workspace} onChange={(path) => change({ workspace: path })} />
      )}
    </>
  );
}

/** The text of the rule, how much of a command it stands for, and what it would have decided. */
function WhatItSays({ draft }: { draft: RuleDraft }) {
  const { fields, change, rule, past, preview, problem, whyNone } = draft;
  const isFile = fields.target === "file";
  return (
    <>
      <ReadField
        readKey={textKey}
        mono
        label={isFile ? strings.fileText : strings.commandText}
        placeholder={isFile ? strings.fileHint : strings.commandHint}
        spellCheck={false}
        value={fields.text}
        problem={problem ?? (preview?.ok === false ? preview.message : undefined)}
        onChange={(event) => change({ text: event.target.value })}
        // A rule is one line; line ends come with a proposal or what is pasted only.
        onKeyDown={sendOnEnter}
      />
      {!isFile && rule && (
        <Choice
          label={strings.extent}
          value={(preview?.exact ?? fields.exact) ? "exact" : "prefix"}
          words={strings.extents}
          onChange={(extent) => change({ exact: extent === "exact" })}
        />
      )}
      {whyNone && (
        <p className="text-ink-2">
          <ForeignText text={strings.noProposal(whyNone)} />
        </p>
      )}
      {!isFile && <RulePreviewNote {...past} />}
    </>
  );
}

function startFrom({ subject, workspace }: Approval): NewRule {
  const target = subject.kind === "file" ? "file" : "command";
  return { ...blank, scope: "workspace", target, workspace };
}

/** Asks once for the rule that would fit the card. */
function useProposal(
  id: ApprovalId | undefined,
  take: (proposal: Proposal) => void,
  onProblem: (problem: string) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another card asks again
  useEffect(() => {
    if (id === undefined) return;
    client()
      .call("approvals.get", { id })
      .then(({ proposal }) => proposal && take(proposal))
      .catch((error) => onProblem(describeError(error)));
  }, [id]);
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
          {spellOut(shortenPath(path, home))}
        </option>
      ))}
    </Select>
  );
}
