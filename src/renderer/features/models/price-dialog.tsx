/** Asks for the price of a model, in the words a person typed, and of which one when that is still open. */
import { type FormEvent, useId, useState } from "react";
import { type ModelPrice, type Price, type PricedId, priceSchema } from "../../../shared/contract/costs.ts";
import { type Provider, type ProviderId, providerIdSchema } from "../../../shared/contract/models.ts";
import { common } from "../../base/common-strings.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { firstChoice } from "./model-choice.ts";
import { ModelField } from "./model-picker.tsx";
import { savePrice } from "./prices-store.ts";
import { strings } from "./strings.ts";

type PriceDialogProps = {
  setting: PricedId | "new";
  prices: readonly ModelPrice[];
  providers: readonly Provider[];
  onClose: () => void;
};

type Problems = Partial<Record<PriceField | "model" | "all", string>>;

export function PriceDialog({ setting, prices, providers, onClose }: PriceDialogProps) {
  const billed = providers.filter((one) => one.id !== "demo");
  const isNew = setting === "new";
  const [id, setId] = useState<PricedId>(isNew ? { ...firstOf(billed), model: "" } : setting);
  const known = prices.find((one) => one.provider === id.provider && one.model === id.model);
  const [choice, setChoice] = useState<PriceChoice>(toChoice(isNew ? undefined : known?.price));
  const [problems, setProblems] = useState<Problems>({});
  const form = useId();

  async function save(event: FormEvent) {
    event.preventDefault();
    const model = id.model.trim();
    const read = readPrice(choice);
    if (model === "" || "problems" in read)
      return setProblems({
        ...("problems" in read && read.problems),
        ...(model === "" && { model: strings.noModel }),
      });
    try {
      await savePrice({ ...id, model }, read.price);
      onClose();
    } catch (error) {
      setProblems({ all: describeError(error) });
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? strings.setPrice : strings.priceOf(id.model)}
      description={strings.priceText}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={form} look="strong">
            {common.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
        {isNew && <PricedModel id={id} providers={billed} problem={problems.model} onChange={setId} />}
        <PriceFields
          choice={choice}
          problems={problems}
          onChange={(field, text) => {
            setChoice({ ...choice, [field]: text });
            setProblems({ ...problems, [field]: undefined });
          }}
        />
        {problems.all && <ProblemText problem={problems.all} />}
      </form>
    </Dialog>
  );
}

type PriceFieldsProps = {
  choice: PriceChoice;
  problems: Problems;
  onChange: (field: PriceField, text: string) => void;
};

function PriceFields({ choice, problems, onChange }: PriceFieldsProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 gap-y-2">
      {priceFields.map((field) => (
        <TextField
          key={field}
          label={strings.priceFields[field]}
          inputMode="decimal"
          autoComplete="off"
          value={choice[field]}
          problem={problems[field]}
          onChange={(event) => onChange(field, event.target.value)}
        />
      ))}
    </div>
  );
}

function firstOf(providers: readonly Provider[]): { provider: ProviderId } {
  return { provider: (providers.find((one) => one.hasKey) ?? providers[0])?.id ?? "anthropic" };
}

type PricedModelProps = {
  id: PricedId;
  providers: readonly Provider[];
  problem: string | undefined;
  onChange: (id: PricedId) => void;
};

function PricedModel({ id, providers, problem, onChange }: PricedModelProps) {
  const current = providers.find((one) => one.id === id.provider);
  function chooseProvider(value: string) {
    const provider = providers.find((one) => one.id === providerIdSchema.parse(value));
    if (provider) onChange({ provider: provider.id, model: firstChoice(provider).model });
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        label={strings.provider}
        value={id.provider}
        onChange={(event) => chooseProvider(event.target.value)}
      >
        {providers.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </Select>
      <ModelField
        key={id.provider}
        label={strings.model}
        value={id.model}
        suggestions={current?.suggestedModels ?? []}
        problem={problem}
        onChange={(model) => onChange({ ...id, model })}
      />
    </div>
  );
}

const priceFields = ["input", "output", "cacheRead", "cacheWrite"] as const;
type PriceField = (typeof priceFields)[number];

const optional: readonly PriceField[] = ["cacheRead", "cacheWrite"];

type PriceChoice = Record<PriceField, string>;

function toChoice(price: Price | undefined): PriceChoice {
  const text = (field: PriceField) => price?.[field]?.toString() ?? "";
  return {
    input: text("input"),
    output: text("output"),
    cacheRead: text("cacheRead"),
    cacheWrite: text("cacheWrite"),
  };
}

/** @returns the price when every amount is one, or what is wrong in which field. */
function readPrice(
  choice: PriceChoice,
): { price: Price } | { problems: Partial<Record<PriceField, string>> } {
  const amounts: Partial<Record<PriceField, number>> = {};
  const problems: Partial<Record<PriceField, string>> = {};
  for (const field of priceFields) {
    const text = choice[field]
      .trim()
      .replace(/^\$\s*/, "")
      .replace(",", ".");
    if (text === "" && optional.includes(field)) continue;
    const amount = /^\d+(\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : undefined;
    if (amount === undefined || !priceSchema.shape.input.safeParse(amount).success)
      problems[field] = strings.badAmount;
    else amounts[field] = amount;
  }
  const price = priceSchema.safeParse(amounts);
  return price.success && Object.keys(problems).length === 0 ? { price: price.data } : { problems };
}
