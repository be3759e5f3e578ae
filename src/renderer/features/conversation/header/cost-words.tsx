/** A cost in words, always as an estimate; says nothing where nothing is known. */
import type { Cost } from "../../../../shared/contract/costs.ts";
import { askForPrice } from "../../models/prices-store.ts";
import { strings } from "../strings.ts";
import { useThreadCost, useTurnCost } from "./cost-store.ts";

/** For the header: the estimate, and the way to a price that is missing. */
export function ThreadCost() {
  const cost = useThreadCost();
  if (!cost) return null;
  const missing = cost.unpriced[0];
  const without = cost.unpriced.map((one) => one.model);
  return (
    <>
      <Estimate cost={cost} name={strings.threadCost} />
      {missing && (
        <button
          type="button"
          title={strings.priceNotSetFor(without)}
          onClick={() => askForPrice(missing)}
          className="rounded-sm text-left text-sm text-ink-3 underline hover:text-ink"
        >
          {strings.priceNotSet}
          <span className="sr-only"> {strings.priceNotSetFor(without)}</span>
        </button>
      )}
    </>
  );
}

/** For the end of a turn. */
export function TurnCost({ turnId }: { turnId: string }) {
  const cost = useTurnCost(turnId);
  return cost ? <Estimate cost={cost} name={strings.turnCost} /> : null;
}

function Estimate({ cost, name }: { cost: Cost; name: string }) {
  if (cost.dollars === undefined) return null;
  const without = cost.unpriced.map((one) => one.model);
  return (
    <span title={strings.costTitle(without, cost.listedOn)} className="text-sm text-ink-3 tabular-nums">
      <span className="sr-only">{name}: </span>
      {strings.cost(cost.dollars)}
    </span>
  );
}
