/** A group of check boxes for choosing some of several names. */

import type { ReactNode } from "react";
import { ForeignText } from "../../ui/foreign-text.tsx";

type Entry<T extends string> = { id: T; label: string; hint?: ReactNode };
type CheckListProps<T extends string> = {
  label: string;
  entries: readonly Entry<T>[];
  value: readonly T[];
  onChange: (value: T[]) => void;
  /** One below the other with room for hints, or beside each other. */
  row?: boolean;
};

export function CheckList<T extends string>({ label, entries, value, onChange, row }: CheckListProps<T>) {
  if (entries.length === 0) return null;
  const toggle = (id: T, on: boolean) => onChange(on ? [...value, id] : value.filter((one) => one !== id));
  return (
    <fieldset aria-label={label} className={row ? "flex flex-wrap gap-x-4 gap-y-1" : "flex flex-col gap-1"}>
      {entries.map(({ id, label: name, hint }) => (
        <label key={id} className="flex items-baseline gap-2">
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={(event) => toggle(id, event.target.checked)}
            className="translate-y-0.5 accent-ink"
          />
          {/* One text: beside a long hint a name of its own would have the width of a letter. */}
          <span className="min-w-0">
            <ForeignText className="mr-2 font-medium" text={name} />
            {hint && <span className="text-sm text-ink-2">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
