/** Every rule a person keeps, what is wrong in the file, and ways to add and remove one. */
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Rule } from "../../../shared/contract/rules.ts";
import { client } from "../../base/client.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { attempt } from "../../ui/attempt.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { exchangeStrings } from "./exchange-strings.ts";
import { ExportRulesDialog } from "./export-rules-dialog.tsx";
import { ImportRulesDialog } from "./import-rules-dialog.tsx";
import RuleDialog from "./rule-dialog.tsx";
import { RulePlace } from "./rule-place.tsx";
import { strings } from "./strings.ts";
import { SuggestedRules } from "./suggested-rules.tsx";
import { UnusedRules } from "./unused-rules.tsx";

type Answer = Output<"rules.list">;

export default function RulesPanel() {
  const { value, problem, reload } = useAnswer("rules.list");
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Rule>();
  const [exchanging, setExchanging] = useState<"import" | "export">();
  if (!value) {
    return (
      <Unanswered
        title={strings.loadFailed}
        problem={problem}
        onRetry={reload}
        loading={strings.loading}
        className="py-3 text-ink-2"
      />
    );
  }
  return (
    <div className="flex flex-col gap-3 py-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="max-w-[60ch] text-sm text-ink-2">
          <p>{strings.hint}</p>
          <p className="[overflow-wrap:anywhere]">{strings.file(spellOut(value.file))}</p>
        </div>
        <Button look="strong" onClick={() => setMaking(true)} className="[&_svg]:size-3.5">
          <Plus aria-hidden />
          {strings.make}
        </Button>
      </div>
      <FileProblems problems={value.problems} />
      <RuleList rules={value.rules} onRemove={setRemoving} />
      <SuggestedRules onAdded={reload} />
      <UnusedRules key={value.rules.map(({ id }) => id).join()} onRemoved={reload} />
      <section aria-label={exchangeStrings.exchange} className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto font-medium">{exchangeStrings.exchange}</h3>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setExchanging("import")}>{exchangeStrings.importRules}</Button>
          <Button onClick={() => setExchanging("export")}>{exchangeStrings.exportRules}</Button>
        </div>
      </section>
      {making && <RuleDialog onClose={() => setMaking(false)} onSaved={reload} />}
      {exchanging === "import" && (
        <ImportRulesDialog onClose={() => setExchanging(undefined)} onSaved={reload} />
      )}
      {exchanging === "export" && <ExportRulesDialog onClose={() => setExchanging(undefined)} />}
      {removing && <RemoveDialog rule={removing} onClose={() => setRemoving(undefined)} onRemoved={reload} />}
    </div>
  );
}

function FileProblems({ problems }: { problems: Answer["problems"] }) {
  if (problems.length === 0) return null;
  return (
    <section role="alert" className="rounded-md border border-warn bg-warn-soft px-3 py-2 text-warn">
      <p className="font-medium">{strings.problemsTitle(problems.length)}</p>
      <ul className="text-sm">
        {problems.map(({ line, column, field, message }) => (
          <li key={`${line} ${column} ${field} ${message}`} className="[overflow-wrap:anywhere]">
            {strings.at(line, column)}
            {field && (
              <>
                {", "}
                <ExactText text={field} oneLine />
              </>
            )}
            : <ForeignText text={message} lines />
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones: Record<Rule["effect"], Tone> = { allow: "info", ask: "warn", deny: "bad" };

function RuleList({ rules, onRemove }: { rules: readonly Rule[]; onRemove: (rule: Rule) => void }) {
  if (rules.length === 0) {
    return (
      <div className="rounded-md border border-line bg-surface p-4 text-center">
        <p className="font-medium">{strings.emptyTitle}</p>
        <p className="text-ink-2">{strings.emptyText}</p>
      </div>
    );
  }
  return (
    <RowList label={strings.list}>
      {rules.map((rule) => (
        <li key={rule.id} className="flex items-center gap-3 px-3 py-1.5">
          <Badge tone={tones[rule.effect]} className="w-12 justify-center">
            {strings.effectShort[rule.effect]}
          </Badge>
          <div className="min-w-0 flex-1">
            <ExactText text={rule.text} />
            <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
              <RulePlace rule={rule} />
            </p>
          </div>
          <IconButton label={strings.remove(rule.text)} onClick={() => onRemove(rule)}>
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </RowList>
  );
}

type RemoveDialogProps = { rule: Rule; onClose: () => void; onRemoved: () => void };

function RemoveDialog({ rule, onClose, onRemoved }: RemoveDialogProps) {
  const { read, onceRead } = useReadList(rule.id);
  async function remove() {
    onClose();
    await attempt(() => client().call("rules.remove", { id: rule.id }));
    onRemoved();
  }
  return (
    <ConfirmDialog
      title={strings.removeTitle}
      description={strings.removeText}
      confirm={strings.removeGo}
      toRead={read ? undefined : strings.unread}
      onConfirm={() => onceRead(remove)}
      onClose={onClose}
    >
      <ReadList digest={rule.id}>
        <div data-piece="rule">
          <ExactText text={rule.text} />
        </div>
      </ReadList>
    </ConfirmDialog>
  );
}
