/** A button that opens a short list of commands; the menu itself is made when it is first opened, since lists have thousands of such buttons. */
import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { cx } from "./class-names.ts";
import { spellOut } from "./reveal-characters.ts";

export type MenuEntry = {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  hint?: string;
  /** Of a list from which one is chosen: whether it is this one. */
  chosen?: boolean;
};

type TriggerProps = { onClick?: () => void; "aria-haspopup"?: "menu"; "aria-expanded"?: boolean };
type MenuProps = {
  /** A button element; it gets the menu's aria attributes and handlers. */
  trigger: ReactElement<TriggerProps>;
  /** Asked for when the menu opens. */
  entries: () => readonly MenuEntry[];
};

export function Menu({ trigger, entries }: MenuProps) {
  const [opened, setOpened] = useState(false);
  if (!opened) {
    return cloneElement(trigger, {
      "aria-haspopup": "menu",
      "aria-expanded": false,
      onClick: () => setOpened(true),
    });
  }
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
          <BaseMenu.Popup className="min-w-40 rounded-md border border-line bg-raised p-1 shadow-pop outline-none">
            {entries().map((entry) => (
              <BaseMenu.Item
                key={entry.label}
                onClick={entry.onSelect}
                {...(entry.chosen !== undefined && { role: "menuitemradio", "aria-checked": entry.chosen })}
                className={cx(
                  "flex cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-[highlighted]:bg-hover [&_svg]:size-3.5",
                  entry.danger && "text-bad",
                )}
              >
                {entry.chosen === undefined ? (
                  entry.icon
                ) : (
                  <Check aria-hidden className={cx(!entry.chosen && "invisible")} />
                )}
                <span className="flex-1">{spellOut(entry.label)}</span>
                {entry.hint && <span className="text-xs text-ink-3">{spellOut(entry.hint)}</span>}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
