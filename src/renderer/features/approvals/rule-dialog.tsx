/** Makes a rule from a card: the exact editable rule and what it would have decided in the past, before it is saved. */
import { useEffect, useState } from "react";
import type { Input } from "../../../shared/contract/contract.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ExtentChoice } from "../rules/extent-choice.tsx";
import { RulePreviewNote } from "../rules/rule-preview-note.tsx";
import { useRulePreview } from "../rules/use-rule-preview.ts";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

type NewRule = Input<"rules.add">;

export default function RuleDialog({ id }: { id: ApprovalId }) {
  const approval = useApprovals((state) => state.byId.get(id));
  const [text, setText] = useState<string>();
  const [effect, setEffect] = useState<NewRule["effect"]>("allow");
  const [exact, setExact] = useState<boolean>();
  const [scope, setScope] = useState<NewRule["scope"]>("workspace");
  const [problem, setProblem] = useState<string>();
  const [whyNone, setWhyNone] = useState<string>();
  const close = () => useQueue.setState({ ruleFor: undefined });

  useEffect(() => {
    client()
      .call("approvals.get", { id })
      .then(({ proposal }) => {
        setText((before) => before ?? proposal?.rule ?? "");
        setExact((before) => before ?? proposal?.exact);
        setWhyNone(proposal?.why);
      })
      .catch((error) => setProblem(describeError(error)));
  }, [id]);

  const rule: NewRule | undefined =
    approval && text?.trim()
      ? {
          text,
          ...(exact !== undefined && { exact }),
          effect,
          scope,
          target: approval.subject.kind === "file" ? "file" : "command",
          ...(scope === "thread" && { threadId: approval.threadId }),
          ...(scope !== "user" && { workspace: approval.workspace }),
        }
      : undefined;
  // The past is judged as it would be in this folder, wherever the rule is to hold.
  const {
    preview,
    problem: previewProblem,
    pending,
  } = useRulePreview(rule && approval && { ...rule, workspace: approval.workspace });

  async function save() {
    if (!rule) return;
    try {
      await client().call("rules.add", rule);
      showToast(strings.rule.saved, rule.text);
      close();
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <Dialog
      open
      onClose={close}
      title={strings.rule.title}
      description={strings.rule.textHint}
      actions={
        <>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button look="primary" disabled={!rule || preview?.ok === false} onClick={() => void save()}>
            {strings.rule.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 p-0.5">
        <TextField
          label={strings.rule.text}
          value={text ?? ""}
          problem={problem ?? (preview?.ok === false ? preview.message : undefined)}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
        <div className="flex gap-2">
          <Select
            label={strings.rule.effect}
            value={effect}
            onChange={(event) => setEffect(event.target.value as NewRule["effect"])}
          >
            {Object.entries(strings.rule.effects).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <Select
            label={strings.rule.scope}
            value={scope}
            onChange={(event) => setScope(event.target.value as NewRule["scope"])}
          >
            {Object.entries(strings.rule.scopes).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        {rule?.target === "command" && (
          <ExtentChoice exact={preview?.exact ?? exact ?? false} onChange={setExact} />
        )}
        {whyNone && <p className="text-ink-2">{strings.rule.noProposal(whyNone)}</p>}
        {rule?.target === "command" && (
          <RulePreviewNote preview={preview} problem={previewProblem} pending={pending} />
        )}
      </div>
    </Dialog>
  );
}
