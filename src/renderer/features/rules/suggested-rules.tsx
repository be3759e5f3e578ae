/** Offers the few rules that would have answered most of what the person decided so far; each is looked at in the form before it holds. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { shortenPath } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import RuleDialog from "./rule-dialog.tsx";
import { strings } from "./strings.ts";

type Suggested = Output<"rules.suggest">["rules"][number];

/** Nothing where there is nothing to offer: the list of rules stands on its own. */
export function SuggestedRules({ onAdded }: { onAdded: () => void }) {
  const { value, reload } = useAnswer("rules.suggest");
  const [chosen, setChosen] = useState<Suggested>();
  const home = useHost((state) => state.host?.home);
  async function decline({ workspace, text }: Suggested) {
    await attempt(() => client().call("rules.declineOffer", { workspace, text }));
    reload();
  }
  if (!value || value.rules.length === 0) return null;
  const saved = () => {
    reload();
    onAdded();
  };
  return (
    <section aria-label={strings.suggested} className="flex flex-col gap-2">
      <h3 className="font-medium">{strings.suggested}</h3>
      <p className="text-sm text-ink-2">
        {strings.suggestedText(
          value.rules.reduce((sum, { approved }) => sum + approved, 0),
          value.decided,
        )}
      </p>
      <RowList>
        {value.rules.map((rule) => (
          <li
            key={`${rule.workspace} ${rule.text}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5"
          >
            <div className="min-w-0 flex-1">
              <ExactText text={rule.text} />
              <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
                {[
                  strings.answered(rule.approved),
                  rule.exact ? strings.extents.exact : undefined,
                  shortenPath(rule.workspace, home),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <Button onClick={() => setChosen(rule)} aria-label={strings.lookAt(rule.text)}>
              {strings.look}
            </Button>
            <Button onClick={() => void decline(rule)} aria-label={strings.neverSuggest(rule.text)}>
              {strings.never}
            </Button>
          </li>
        ))}
      </RowList>
      {chosen && (
        <RuleDialog
          start={{
            text: chosen.text,
            exact: chosen.exact,
            scope: "workspace",
            workspace: chosen.workspace,
          }}
          onClose={() => setChosen(undefined)}
          onSaved={saved}
        />
      )}
    </section>
  );
}
