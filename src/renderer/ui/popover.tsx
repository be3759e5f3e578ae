/** A small panel beside the button that opened it. */
import { Popover as BasePopover } from "@base-ui/react/popover";
import { type ReactElement, type ReactNode, useRef } from "react";
import { cx } from "./class-names.ts";

type PopoverProps = {
  /** A button element; it gets the panel's aria attributes and handlers. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  /** For lists: wide, and from where the button begins. */
  wide?: boolean;
  /** Where the focus goes when it closes; the button unless this names another place. */
  finalFocus?: () => HTMLElement | true;
  /** Both or neither: for a panel that its own content closes. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

export function Popover({ trigger, label, children, wide, finalFocus, open, onOpenChange }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  /** It leaves the page some frames later; until then the next key would fall on a field that is gone for the eye. */
  function focusBack(): void {
    const place = finalFocus?.() ?? true;
    (place === true ? button.current : place)?.focus({ preventScroll: true });
  }
  return (
    <BasePopover.Root
      open={open}
      onOpenChange={(opens, { reason }) => {
        if (reason === "escape-key") focusBack();
        onOpenChange?.(opens);
      }}
    >
      <BasePopover.Trigger ref={button} render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={6} align={wide ? "start" : "end"} className="z-50">
          <BasePopover.Popup
            aria-label={label}
            finalFocus={finalFocus}
            className={cx(
              wide ? "w-96" : "w-72",
              "max-h-[70dvh] max-w-[calc(100vw-16px)] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-pop",
            )}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
