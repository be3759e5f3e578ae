/** How one setting stands on the page: its name and what it does at the left, the control at the right or below; and code to copy. */
import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { common } from "../../base/common-strings.ts";
import { IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/hand-text.ts";

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

/** @param label of the button, where several stand together. */
export function CopiedCode({ text, label = common.copy }: { text: string; label?: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <code className="code-text [overflow-wrap:anywhere] select-all">{text}</code>
      <IconButton label={label} onClick={() => void copyText(text)}>
        <Copy />
      </IconButton>
    </span>
  );
}
