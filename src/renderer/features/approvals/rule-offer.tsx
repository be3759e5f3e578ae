/** Offers a rule on a card, in one line, after the person decided alike a few times; declined, it is gone for good. */
import { BookPlus } from "lucide-react";
import { useState } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { askAlways, mayBeRuled } from "./approve-always.ts";
import { pressed } from "./pressed.ts";
import { strings } from "./strings.ts";

const passingMs = 400;

export function RuleOfferLine({ approval }: { approval: Approval }) {
  const { id, digest } = approval;
  const ask = () => client().call("rules.offer", { id });
  const { value, busy } = useReading(mayBeRuled(approval) ? `${id}:${digest}` : undefined, ask, passingMs);
  const [declined, setDeclined] = useState<string>();
  // What is not offered can be made by hand.
  const offer = busy ? undefined : value?.offer;
  if (!offer || offer.text === declined) return null;
  const decline = async () => {
    try {
      await client().call("rules.declineOffer", { workspace: approval.workspace, text: offer.text });
      setDeclined(offer.text);
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
      {/* The dialog shows a rule of many lines whole; here its buttons stay on the card. */}
      <span className="line-clamp-3 min-w-0">
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
