/** How one setting stands on the page: its name and what it does at the left, the control at the right or below. */
import type { ReactNode } from "react";

type SettingRowProps = { label: string; hint: string; children: ReactNode; below?: boolean };

/** @param below for controls that need the whole width. */
export function SettingRow({ label, hint, children, below = false }: SettingRowProps) {
  return (
    <div
      className={
        below
          ? "flex flex-col gap-3 py-3"
          : "flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3 last:border-b-0"
      }
    >
      <div className={below ? "max-w-[60ch]" : "max-w-[52ch] min-w-0 flex-1 basis-64"}>
        <h3 className="font-medium">{label}</h3>
        <p className="text-sm text-ink-2">{hint}</p>
      </div>
      {children}
    </div>
  );
}
