/** The conditions under which a tool call asks: one test per argument, all of which must hold. */
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import type { CustomRule } from "./agent-draft.ts";
import { strings } from "./strings.ts";

type When = CustomRule["when"];
type Test = keyof typeof strings.tests;
type Row = { key: number; argument: string; test: Test; value: string };

/** Rows without an argument are kept on the screen and left out of the value. */
export function ConditionsField({ value, onChange }: { value: When; onChange: (value: When) => void }) {
  const [rows, setRows] = useState(() => toRows(value));
  const update = (next: Row[]) => {
    setRows(next);
    onChange(toWhen(next));
  };
  const change = (key: number, part: Partial<Row>) =>
    update(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  if (!fitsRows(value)) return <p className="text-sm text-ink-2">{strings.conditionsInFile}</p>;
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-sm font-medium text-ink-2">{strings.conditions}</h3>
      <p className="text-sm text-ink-2">{strings.conditionsHint}</p>
      {rows.map((row) => (
        <div key={row.key} className="flex flex-wrap items-center gap-1.5">
          <TextField
            label={strings.argument}
            hideLabel
            placeholder={strings.argument}
            spellCheck={false}
            value={row.argument}
            onChange={(event) => change(row.key, { argument: event.target.value })}
            className="w-32"
          />
          <Select
            label={strings.test}
            value={row.test}
            onChange={(event) => change(row.key, { test: event.target.value as Test })}
          >
            {(Object.keys(strings.tests) as Test[]).map((test) => (
              <option key={test} value={test}>
                {strings.tests[test]}
              </option>
            ))}
          </Select>
          <TextField
            label={strings.value}
            hideLabel
            placeholder={strings.value}
            spellCheck={false}
            value={row.value}
            onChange={(event) => change(row.key, { value: event.target.value })}
            className="min-w-32 flex-1"
          />
          <IconButton
            label={strings.removeCondition}
            onClick={() => update(rows.filter((one) => one.key !== row.key))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      <Button
        small
        className="self-start [&_svg]:size-3"
        onClick={() => setRows([...rows, { key: nextKey(rows), argument: "", test: "matches", value: "" }])}
      >
        <Plus aria-hidden />
        {strings.addCondition}
      </Button>
    </div>
  );
}

function nextKey(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map((row) => row.key)) + 1;
}

function toRows(when: When): Row[] {
  return Object.entries(when?.args ?? {}).map(([argument, { matches, equals, not }], key) => {
    if (matches !== undefined) return { key, argument, test: not ? "notMatches" : "matches", value: matches };
    return { key, argument, test: not ? "notEquals" : "equals", value: writeValue(equals) };
  });
}

/** One argument with both tests fits in no row; it is left to the file. */
function fitsRows(when: When): boolean {
  return Object.values(when?.args ?? {}).every(
    ({ matches, equals }) => matches === undefined || equals === undefined,
  );
}

function toWhen(rows: readonly Row[]): When {
  const named = rows.filter((row) => row.argument.trim() !== "");
  if (named.length === 0) return undefined;
  const args = named.map(({ argument, test, value }) => {
    const what =
      test === "matches" || test === "notMatches" ? { matches: value } : { equals: readValue(value) };
    return [argument.trim(), { ...what, ...(test.startsWith("not") && { not: true }) }] as const;
  });
  return { args: Object.fromEntries(args) };
}

/** Whatever is JSON is meant as that, all else as text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The shortest text that reads back as the same value. */
function writeValue(value: unknown): string {
  if (typeof value === "string" && readValue(value) === value) return value;
  return JSON.stringify(value) ?? "";
}
