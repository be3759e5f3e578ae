/** Offers to remove the rules that let commands run and answered nothing for long; none goes without a look at it. */
import { useState } from "react";
import type { Rule } from "../../../shared/contract/rules.ts";
import { client } from "../../base/client.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { RulePlace } from "./rule-place.tsx";
import { strings } from "./strings.ts";

/** Nothing where each rule does its work. */
export function UnusedRules({ onRemoved }: { onRemoved: () => void }) {
  const { value } = useAnswer("rules.unused");
  const [asked, setAsked] = useState(false);
  if (!value || value.rules.length === 0) return null;
  const { rules, days } = value;
  return (
    <section aria-label={strings.unused} className="flex flex-col gap-2">
      <h3 className="font-medium">{strings.unused}</h3>
      <p className="text-sm text-ink-2">{strings.unusedText(rules.length, days)}</p>
      <RowList>
        {rules.map((rule) => (
          <li key={rule.id} className="px-3 py-1.5">
            <Described rule={rule} />
          </li>
        ))}
      </RowList>
      <Button className="self-start" onClick={() => setAsked(true)}>
        {strings.unusedRemove(rules.length)}
      </Button>
      {asked && <RemoveAll rules={rules} onClose={() => setAsked(false)} onRemoved={onRemoved} />}
    </section>
  );
}

function Described({ rule }: { rule: Rule }) {
  return (
    <>
      <ExactText text={rule.text} />
      <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
        <RulePlace rule={rule} />
      </p>
    </>
  );
}

type RemoveAllProps = { rules: readonly Rule[]; onClose: () => void; onRemoved: () => void };

function RemoveAll({ rules, onClose, onRemoved }: RemoveAllProps) {
  const ids = rules.map(({ id }) => id);
  const digest = ids.join();
  const { read, onceRead } = useReadList(digest);
  async function remove() {
    onClose();
    await attempt(() => client().call("rules.removeUnused", { ids }));
    onRemoved();
  }
  return (
    <ConfirmDialog
      title={strings.unusedTitle(rules.length)}
      description={strings.unusedStay}
      confirm={strings.unusedGone(rules.length)}
      toRead={read ? undefined : strings.unreadList}
      onConfirm={() => onceRead(remove)}
      onClose={onClose}
    >
      <ReadList digest={digest}>
        <ul>
          {rules.map((rule) => (
            <li key={rule.id} data-piece={rule.id}>
              <Described rule={rule} />
            </li>
          ))}
        </ul>
      </ReadList>
    </ConfirmDialog>
  );
}
