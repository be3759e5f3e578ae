/** Names with values, such as environment variables; values may be secrets and are not shown while typed. */
import { Plus, X } from "lucide-react";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Pair } from "./server-draft.ts";
import { strings } from "./strings.ts";

const words = strings.server;

type PairsFieldProps = { label: string; pairs: readonly Pair[]; onChange: (pairs: Pair[]) => void };

export function PairsField({ label, pairs, onChange }: PairsFieldProps) {
  const change = (key: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));
  const nextKey = Math.max(0, ...pairs.map((pair) => pair.key)) + 1;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium text-ink-2">{label}</legend>
      {pairs.map((pair) => (
        <div key={pair.key} className="flex items-center gap-1.5">
          <TextField
            hideLabel
            label={words.pairName}
            placeholder={words.pairName}
            spellCheck={false}
            value={pair.name}
            onChange={(event) => change(pair.key, { name: event.target.value })}
            className="w-56"
          />
          <TextField
            hideLabel
            label={words.pairValue}
            placeholder={words.pairValue}
            type="password"
            autoComplete="off"
            value={pair.value}
            onChange={(event) => change(pair.key, { value: event.target.value })}
            className="flex-1"
          />
          <IconButton
            label={words.removePair(pair.name)}
            onClick={() => onChange(pairs.filter((one) => one.key !== pair.key))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {pairs.length > 0 && <p className="text-sm text-ink-2">{words.pairHint}</p>}
      <Button
        small
        className="self-start [&_svg]:size-3"
        onClick={() => onChange([...pairs, { key: nextKey, name: "", value: "" }])}
      >
        <Plus aria-hidden />
        {words.addPair}
      </Button>
    </fieldset>
  );
}
