/** A small panel beside the button that opened it. */
import { Popover as BasePopover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";

type PopoverProps = {
  /** A button element; it gets the panel's aria attributes and handlers. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  /** Both or neither: for a panel that its own content closes. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

export function Popover({ trigger, label, children, open, onOpenChange }: PopoverProps) {
  return (
    <BasePopover.Root open={open} onOpenChange={onOpenChange}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={6} align="end" className="z-50">
          <BasePopover.Popup
            aria-label={label}
            className="max-h-[70dvh] w-72 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-pop"
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
