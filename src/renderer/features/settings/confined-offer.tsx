/** Offers to let commands that no rule covers run confined, with the person's own figures; it is turned on only where all of these stand. */
import { ShieldCheck } from "lucide-react";
import { client } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useAnswer } from "../../base/use-answer.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { strings } from "./strings.ts";

/** Nothing where it is not offered. */
export function ConfinedOffer() {
  const { value, reload } = useAnswer("rules.offerConfined");
  if (!value?.offer) return null;
  const { wouldRun, decided, rejected } = value.offer;
  const decline = async () => {
    await attempt(() => client().call("rules.declineConfined", {}));
    reload();
  };
  return (
    <section
      aria-label={strings.confinedOffer.name}
      className="flex flex-col gap-2 rounded-md border border-line bg-surface p-3 text-left text-sm text-ink-2"
    >
      <p className="flex items-start gap-2">
        <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {strings.uncovered.would(wouldRun, decided)} {strings.confinedOffer.rejected(rejected.length)}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={() => go({ view: "settings", id: "deciding" })}>
          {strings.confinedOffer.look}
        </Button>
        <Button small look="quiet" onClick={() => void decline()}>
          {strings.confinedOffer.decline}
        </Button>
      </div>
    </section>
  );
}
