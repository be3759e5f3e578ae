/** The prices that estimates are made with: what each model costs, where the price is from, and the way to change it. */

import { useEffect } from "react";
import type { ModelPrice } from "../../../shared/contract/costs.ts";
import type { Provider } from "../../../shared/contract/models.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Unanswered } from "../../ui/unanswered.tsx";
import { nameModel } from "./model-choice.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { loadPrices, savePrice, usePrices } from "./prices-store.ts";
import { strings } from "./strings.ts";

export function PriceList({ providers }: { providers: readonly Provider[] }) {
  const { prices, problem, setting } = usePrices();
  useEffect(() => void loadPrices(), []);
  if (!prices) {
    return (
      <Unanswered
        title={strings.pricesFailed}
        problem={problem}
        onRetry={() => void loadPrices()}
        loading={strings.loadingPrices}
        className="text-ink-2"
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {prices.length > 0 && (
        <RowList label={strings.pricesTitle} className="w-full">
          {prices.map((one) => (
            <PriceRow key={`${one.provider}/${one.model}`} known={one} providers={providers} />
          ))}
        </RowList>
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
    await attempt(() => savePrice(id, null));
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
