/** The prices that estimates are made with: what each model costs, where the price is from, and the way to change it. */

import { useEffect } from "react";
import type { ModelPrice } from "../../../shared/contract/costs.ts";
import type { Provider } from "../../../shared/contract/models.ts";
import { common } from "../../base/common-strings.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { nameModel } from "./model-choice.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { loadPrices, savePrice, usePrices } from "./prices-store.ts";
import { strings } from "./strings.ts";

export function PriceList({ providers }: { providers: readonly Provider[] }) {
  const { prices, problem, setting } = usePrices();
  useEffect(() => void loadPrices(), []);
  if (!prices) {
    if (problem)
      return <ErrorState title={strings.pricesFailed} problem={problem} onRetry={() => void loadPrices()} />;
    return (
      <p role="status" className="text-ink-2">
        {strings.loadingPrices}
      </p>
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {prices.length > 0 && (
        <ul
          aria-label={strings.pricesTitle}
          className="w-full divide-y divide-line rounded-md border border-line bg-surface"
        >
          {prices.map((one) => (
            <PriceRow key={`${one.provider}/${one.model}`} known={one} providers={providers} />
          ))}
        </ul>
      )}
      <Button onClick={() => usePrices.setState({ setting: "new" })}>{strings.setPrice}</Button>
      {setting && (
        <PriceDialog
          setting={setting}
          prices={prices}
          providers={providers}
          onClose={() => usePrices.setState({ setting: undefined })}
        />
      )}
    </div>
  );
}

function PriceRow({ known, providers }: { known: ModelPrice; providers: readonly Provider[] }) {
  const { price, listedOn, ...id } = known;
  async function remove() {
    try {
      await savePrice(id, null);
    } catch (error) {
      showProblem(common.failed, describeError(error));
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium [overflow-wrap:anywhere]">{nameModel(id, providers)}</p>
        <p className="text-sm text-ink-2 tabular-nums">{strings.priceLine(price)}</p>
      </div>
      <span className="text-sm text-ink-3">{listedOn ? strings.listPrice(listedOn) : strings.ownPrice}</span>
      <span className="flex gap-1">
        <Button
          small
          aria-label={strings.changePriceOf(id.model)}
          onClick={() => usePrices.setState({ setting: id })}
        >
          {strings.changePrice}
        </Button>
        {!listedOn && (
          <Button small aria-label={strings.forgetPriceOf(id.model)} onClick={() => void remove()}>
            {strings.forgetPrice}
          </Button>
        )}
      </span>
    </li>
  );
}
