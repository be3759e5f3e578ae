/** An on/off switch with its label beside it; role switch. */
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { useId } from "react";
import { cx } from "./class-names.ts";
import { spellOut } from "./reveal-characters.ts";

type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
};

export function Switch({ label, checked, onChange, disabled = false, className }: SwitchProps) {
  const id = useId();
  return (
    <span className={cx("inline-flex items-center gap-2", className)}>
      <span id={id} className="text-sm text-ink-2 cramped:sr-only">
        {spellOut(label)}
      </span>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-labelledby={id}
        className="relative inline-flex h-[18px] after:absolute after:-inset-1 w-8 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors data-[checked]:border-ink data-[checked]:bg-ink data-[disabled]:opacity-55"
      >
        <BaseSwitch.Thumb className="m-px size-3.5 rounded-full bg-ink-2 transition-transform data-[checked]:translate-x-3.5 data-[checked]:bg-bg" />
      </BaseSwitch.Root>
    </span>
  );
}
