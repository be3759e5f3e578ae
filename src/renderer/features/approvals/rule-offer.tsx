/** Offers a rule on a card, in one line, after the person decided alike a few times; declined, it is gone for good. */
import { BookPlus } from "lucide-react";
import { useEffect, useState } from "react";
import type { Approval, RuleOffer } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { askAlways, mayBeRuled } from "./approve-always.ts";
import { pressed } from "./pressed.ts";
import { strings } from "./strings.ts";

/** A card that is gone sooner asks nothing. */
const passingMs = 400;

export function RuleOfferLine({ approval }: { approval: Approval }) {
  const [offer, forget] = useOffer(approval);
  if (!offer) return null;
  const decline = async () => {
    try {
      await client().call("rules.declineOffer", { workspace: approval.workspace, text: offer.text });
      forget();
    } catch (error) {
      showProblem(strings.offer.stays, describeError(error));
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are remarks
    <div
      role="group"
      aria-label={strings.offer.name}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2"
    >
      <BookPlus aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0">
        {strings.offer.before(offer.approved)} <ExactText text={offer.text} oneLine />
        {strings.offer.after}
      </span>
      <Button small onClick={pressed((press) => void askAlways(approval, press))}>
        {strings.offer.take}
      </Button>
      <Button small look="quiet" onClick={() => void decline()}>
        {strings.offer.decline}
      </Button>
    </div>
  );
}

/** Nothing where it could not be found out: what is not offered can be made by hand. */
function useOffer(approval: Approval): [RuleOffer | undefined, () => void] {
  const { id, digest } = approval;
  const wanted = mayBeRuled(approval);
  const [state, setState] = useState<{ digest: string; offer?: RuleOffer }>();
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const timer = setTimeout(() => {
      client()
        .call("rules.offer", { id })
        .then(({ offer }) => !gone && setState({ digest, offer }))
        .catch(() => {});
    }, passingMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, id, digest]);
  return [state?.digest === digest ? state.offer : undefined, () => setState(undefined)];
}
